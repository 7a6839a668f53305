public import NetcoreHTTP
package import NetcoreSupport

/// When a filter of answers runs. Values are those of netcore/response_filter.h.
public enum ResponseFilterKind: Int32, Sendable, CaseIterable {
    /// For an answer that came from the network, before it is judged and before a cache stores it: what the filter makes of it is judged,
    /// stored and delivered.
    case network = 0
    /// For each answer, from the network or a cache, before its task ends. What the filter makes of it is delivered, and not stored.
    case delivery = 1
}

/// An answer as a filter sees and changes it: see ``Client/addResponseFilter(_:_:)``.
public struct FilterResponse: Sendable {
    /// The answer with the changes made so far, to be read.
    public private(set) var response: Response
    public let kind: ResponseFilterKind
    /// Tags that were added, in their order.
    public private(set) var tags: [String] = []
    /// The body was replaced.
    private(set) var hasOwnBody = false
    private let url: HTTPURL
    private let mayHaveBody: Bool

    init(_ response: Response, at url: HTTPURL, _ kind: ResponseFilterKind, mayHaveBody: Bool) {
        self.response = Response(seen: response, at: url)
        self.kind = kind
        self.url = url
        self.mayHaveBody = mayHaveBody
    }

    public var status: Int { response.status }
    public var headers: Headers { response.headers }
    /// A copy; ``Response/withBody(_:)`` of ``response`` lends it.
    public var body: [UInt8] { response.body }

    /// Sets a field in place of all fields of that name, compared without case.
    ///
    /// - Throws: ``NetcoreError/Code/invalidHeader``.
    public mutating func setHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try setHeader(name, bytes: Array(value.utf8))
    }

    package mutating func setHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        let field = try Request.Field(checking: name, bytes)
        try change(without: [field.name], adding: field)
    }

    /// Adds a field after those already there.
    ///
    /// - Throws: ``NetcoreError/Code/invalidHeader``.
    public mutating func addHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try addHeader(name, bytes: Array(value.utf8))
    }

    package mutating func addHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        try change(without: [], adding: try Request.Field(checking: name, bytes))
    }

    /// Removes all fields of a name, compared without case.
    public mutating func removeHeader(_ name: String) throws(NetcoreError) { try change(without: [name], adding: nil) }

    /// Fields that say how the body of before was sent, and digests of it (RFC 9110 section 8.4, RFC 9112 section 6.1, RFC 9530).
    private static let fieldsOfBody = ["Content-Encoding", "Content-Length", "Transfer-Encoding"] + digests
    private static let digests = ["Content-Digest", "Repr-Digest", "Digest", "Content-MD5"]

    /// Replaces the body. Content-Length is then its length; Content-Encoding, Transfer-Encoding and digests of the one before are removed.
    /// Content-Type and validators such as ETag stay.
    ///
    /// - Throws: ``NetcoreError/Code/invalidState`` for an answer that has no body: to HEAD, and of the status codes 204, 205 and 304.
    public mutating func setBody(_ body: [UInt8]) throws(NetcoreError) {
        guard let buffer = body.withUnsafeBytes({ ByteBuffer(copying: $0) }) else { throw Self.noMemory }
        try setBody(buffer)
    }

    package mutating func setBody(_ body: ByteBuffer) throws(NetcoreError) {
        guard mayHaveBody else {
            throw NetcoreError(
                .invalidState, argument: "body", "the answer to a HEAD request, and a 204, 205 or 304, has none")
        }
        let length = Request.Field(name: "Content-Length", value: Array(String(body.count).utf8))
        try change(without: Self.fieldsOfBody, adding: length)
        if let trailers = response.trailerBlock { response.trailerBlock = trailers.without(Self.digests) }
        response.bodyBuffer = body
        hasOwnBody = true
    }

    /// Adds a tag that a cache stores the answer with, besides those of the request: requests that succeed remove it by that
    /// (``Request/invalidatedTags``).
    ///
    /// - Throws: ``NetcoreError/Code/invalidArgument`` for a tag that a request cannot have, ``NetcoreError/Code/invalidState`` in a filter of
    ///   the kind ``ResponseFilterKind/delivery``: the answer is stored by then.
    public mutating func addTag(_ tag: String) throws(NetcoreError) {
        guard kind == .network else {
            throw NetcoreError(.invalidState, argument: "tag", "only a filter of the network's answers can add one")
        }
        try RequestOptions.check(tag: tag, "tag")
        if !tags.contains(tag) { tags.append(tag) }
    }

    private static var noMemory: NetcoreError { NetcoreError(.outOfMemory, "out of memory for a filtered answer") }

    /// Goes on with another response: who has the one before keeps it as it is.
    private mutating func change(without names: [String], adding field: Request.Field?) throws(NetcoreError) {
        let fields = response.fieldBlock ?? FieldBlock()
        guard let changed = fields.without(names, adding: field.map { ($0.name, $0.value) }) else {
            throw Self.noMemory
        }
        let next = Response(seen: response, at: url)
        next.fieldBlock = changed
        response = next
    }

    /// Gives an answer what the filters made of it.
    func apply(to result: Response) {
        result.fieldBlock = response.fieldBlock
        result.trailerBlock = response.trailerBlock
        guard hasOwnBody else { return }
        result.bodyBuffer = response.bodyBuffer
        // Values that are kept beside a stored answer are made of its own body.
        result.cachedObject = nil
    }
}
