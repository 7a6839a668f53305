public import NetcoreHTTP

/// Limits of a client. A value below the least of its member is refused, with an error that names the member.
public struct ClientLimits: Sendable, Hashable {
    /// What one task may receive, where its request does not say; at least 0 each.
    public var task = Limits()
    /// Transfers at once in all; at least 1.
    public var transfers = 256
    /// Transfers at once to one scheme, host and port; at least 1.
    public var transfersPerHost = 64
    /// Tasks dispatched but not yet transferring; ``queueOverflow`` says what becomes of more. At least 0.
    public var queueLength = 65_536
    /// What makes room when the queue is full.
    public var queueOverflow = QueueOverflow.refuseNew

    public init() {}
}

/// What becomes of tasks beyond ``ClientLimits/queueLength``. Values are those of netcore/client.h.
public enum QueueOverflow: Int32, Sendable, CaseIterable {
    /// A dispatch fails with ``NetcoreError/Code/limitQueueLength``.
    case refuseNew = 0
    /// A task that waits ends with ``NetcoreError/Code/dropped``: of those with the lowest priority the one that came last, which may
    /// be the new one. Members of groups are neither counted nor dropped. A dispatch fails only while twice as many tasks wait.
    case dropLowest = 1
}

extension ClientLimits {
    /// Tasks in the queue beyond which a dispatch fails: the loop drops what is too many.
    var acceptedLength: Int {
        queueOverflow == .refuseNew ? queueLength : queueLength.multiplied(saturating: 2)
    }

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
