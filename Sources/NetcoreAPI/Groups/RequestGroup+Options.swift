public import Netcore
public import NetcoreHTTP

extension RequestGroup {
    /// How a group runs.
    public struct Options: Sendable {
        public var rule: Rule
        /// How many members run at once, at most; nil for no limit. A chain runs one.
        public var limit: Int?
        /// From the dispatch to the end. What has not ended then is canceled, and the group ends as `timeoutTotal`. Nil for no limit.
        public var timeLimit: Duration?
        /// Whether responses are released after the callbacks of their members. Else ``RequestGroup/results`` has them.
        public var dropsResponses: Bool

        public init(
            _ rule: Rule = .allSettled, limit: Int? = nil, timeLimit: Duration? = nil, dropsResponses: Bool = false
        ) {
            self.rule = rule
            self.limit = limit
            self.timeLimit = timeLimit
            self.dropsResponses = dropsResponses
        }

        /// One member after the other.
        public static let chain = Options(.chain)
    }

    /// Sets how the group runs. Before the first member.
    public func setOptions(_ options: Options) throws(NetcoreError) {
        guard options.limit ?? 1 > 0 else {
            throw NetcoreError(.invalidArgument, argument: "limit", "must be at least 1")
        }
        guard options.timeLimit ?? .seconds(1) > .zero else {
            throw NetcoreError(.invalidArgument, argument: "timeLimit", "must be positive")
        }
        try setOrder(
            Schedule(options.rule, limit: options.limit ?? .max),
            timeLimit: options.timeLimit.map { max(Int(clamping: $0.milliseconds), 1) },
            dropsResponses: options.dropsResponses)
    }
}

extension Client {
    /// A group that runs as these options say: a chain, a graph (members that wait for others), or a set of which all or one have to
    /// succeed.
    public func makeGroup(_ options: RequestGroup.Options) throws(NetcoreError) -> RequestGroup {
        let group = try makeGroup()
        try group.setOptions(options)
        return group
    }
}
