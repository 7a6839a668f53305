/// When a second try of a request is sent while the first is still under way, so that one slow answer does not hold it up: a hedge. The
/// first answer that is no failure wins, and the other try is canceled. Off unless a policy is set; docs/delivery.md has the reason for
/// each default.
///
/// A request has one hedge at most. It is sent if the first try takes longer than most did of late, or fails in a way that a
/// ``RetryPolicy`` tries again. It is no attempt of that policy, and takes none of its budget.
public struct HedgePolicy: Sendable, Hashable {
    /// The preset `standard`.
    public static let standard = HedgePolicy()

    /// The hedge is sent when the first try takes longer than so many percent of the answers of its server in the window: 50 to 99.
    /// Default 95.
    public var percentile = 95
    /// How far back answers count: 1 s to 1 h. Default 10 s.
    public var window = Duration.seconds(10)
    /// Parts of the window; the oldest is dropped at a time: 1 to 60. Default 10.
    public var buckets = 10
    /// For how long a delay that was computed is used: 10 ms to ``window``. Default 3 s.
    public var refresh = Duration.seconds(3)
    /// With fewer answers in the window ``initialDelay`` is used: 1 to 1,000,000. Default 100.
    public var minimumSamples = 100
    /// A hedge is not sent earlier: 1 ms to 1 h. Default 10 ms.
    public var minimumDelay = Duration.milliseconds(10)
    /// The delay as long as there are too few answers: ``minimumDelay`` to 1 h. Default 2 s.
    public var initialDelay = Duration.seconds(2)
    /// Hedges that a server may get beyond what its successes pay for.
    public var budget = Budget()

    public init() {}

    /// The size of a budget, and what fills it.
    public struct Budget: Sendable, Hashable {
        /// Tokens at most, and at first; a hedge takes one: 1 to 1,000,000. Default 10.
        public var tokens = 10
        /// Tokens for each request that succeeded: 0 to 1. Default 0.05.
        public var perSuccess = 0.05

        public init() {}
    }
}

extension HedgePolicy {
    /// Throws ``NetcoreError/Code/invalidArgument`` with the name of the member that is out of range or contradicts another.
    package func validate() throws(NetcoreError) {
        try Self.require((50...99).contains(percentile), "percentile", "must be 50 to 99")
        try Self.require(
            (.seconds(1) ... .seconds(3600)).contains(window), "window_ms", "must be 1 second to 1 hour")
        try Self.require((1...60).contains(buckets), "bucket_count", "must be 1 to 60")
        try Self.require(
            refresh >= .milliseconds(10) && refresh <= window, "refresh_ms", "must be 10 milliseconds to window_ms")
        try Self.require((1...1_000_000).contains(minimumSamples), "min_samples", "must be 1 to 1000000")
        try Self.require(
            (.milliseconds(1) ... .seconds(3600)).contains(minimumDelay), "min_delay_ms",
            "must be 1 millisecond to 1 hour")
        try Self.require(
            initialDelay >= minimumDelay && initialDelay <= .seconds(3600), "initial_delay_ms",
            "must be min_delay_ms to 1 hour")
        try Self.require((1...1_000_000).contains(budget.tokens), "budget_tokens", "must be 1 to 1000000")
        try Self.require(
            (0.0...1.0).contains(budget.perSuccess), "budget_success_percent", "must be 0 to 100 percent")
    }

    private static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }
}
