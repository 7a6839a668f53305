public import NetcoreHTTP
internal import NetcoreSupport

extension Client {
    /// A hop that is about to be sent: the first of a task, one after a redirect, a retry.
    public struct HopDescription: Sendable {
        /// Of the task, as in its events: ``ClientEvent/number``.
        public let number: UInt64
        /// The attempt, from 1 on, and the hop in it.
        public let attempt: Int
        public let hop: Int
        public let method: String
        public let url: String
        /// What the field has now; nil if the hop has no such field.
        public let value: String?
        /// What the path of the URL was made from, such as "/users/{id}"; nil for a hop without one, and after a redirect.
        public let urlTemplate: String?
    }

    /// Gives the value of a header field for a hop; nil for none.
    public typealias HopValue = @Sendable (HopDescription) throws -> String?

    /// Fields that say where a message goes, where it ends, and what becomes of its connection (RFC 9110 sections 7.2, 7.6.1 and 8.6, RFC 9112
    /// section 6.1).
    private static let transportFields = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
        "upgrade", "expect",
    ]

    /// Sets a function that gives the value of one header field for each hop, in place of what the request has: a span of a trace, for
    /// example. It runs on a thread of the client's, directly before each hop is sent: redirects, retries and what follows a challenge.
    /// What it throws ends the task. Replaces the one set before, whatever its name; nil for none.
    ///
    /// - Throws: `invalidHeader` for what is no name, or is a field that frames the message or belongs to the connection.
    public func setHopValue(_ name: String, _ function: HopValue?) throws(NetcoreError) {
        _ = try Request.Field(checking: name, [])
        guard !Self.transportFields.contains(where: { Syntax.equalsIgnoringCase($0, name) }) else {
            throw NetcoreError(.invalidHeader, argument: "name", "the transport sets this field")
        }
        try change { settings in settings.hopValue = function.map { HopValueFunction(name: name, call: $0) } }
    }
}

/// What gives a field of each hop its value.
struct HopValueFunction: Sendable {
    let name: String
    let call: Client.HopValue
}
