public import NetcoreHTTP

/// Limits of a client. A value below the least of its member is refused, with an error that names the member.
public struct ClientLimits: Sendable, Hashable {
    /// What one task may receive, where its request does not say; at least 0 each.
    public var task = Limits()
    /// Transfers at once in all; at least 1.
    public var transfers = 256
    /// Transfers at once to one scheme, host and port; at least 1.
    public var transfersPerHost = 64
    /// Tasks dispatched but not yet transferring; beyond it a dispatch fails. At least 0.
    public var queueLength = 65_536

    public init() {}
}

extension ClientLimits {
    /// Refuses a value that a member may not have.
    ///
    /// - Parameter name: as the error names it.
    package static func check(_ value: Int, _ member: KeyPath<ClientLimits, Int>, _ name: String) throws(NetcoreError) {
        let least = member == \.transfers || member == \.transfersPerHost ? 1 : 0
        guard value >= least else {
            throw NetcoreError(.invalidArgument, argument: name, "must be at least \(least)")
        }
    }

    func check() throws(NetcoreError) {
        try Self.check(transfers, \.transfers, "transfers")
        try Self.check(transfersPerHost, \.transfersPerHost, "transfersPerHost")
        try Self.check(queueLength, \.queueLength, "queueLength")
        try LimitOverrides(task).check()
    }
}

extension LimitOverrides {
    /// Those of a request that sets all of them; none for nil.
    init(_ limits: Limits?) {
        self.init()
        headerBytes = limits?.headerBytes
        bodyBytes = limits?.bodyBytes
        decodedBytes = limits?.decodedBytes
        decodeRatio = limits?.decodeRatio
        redirects = limits?.redirects
    }

    func check() throws(NetcoreError) {
        for (value, name) in [
            (headerBytes, "headerBytes"), (bodyBytes, "bodyBytes"), (decodedBytes, "decodedBytes"),
            (decodeRatio, "decodeRatio"), (redirects, "redirects"),
        ] {
            if let value, value < 0 { throw NetcoreError(.invalidArgument, argument: name, "must not be negative") }
        }
    }
}
