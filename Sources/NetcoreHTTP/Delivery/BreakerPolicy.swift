/// When requests to a server that fails are refused, to spare it and whoever waits for it: a circuit breaker for each origin. Off unless
/// a client sets one; docs/delivery.md has the reason for each default.
///
/// A closed breaker lets all requests through. It opens when too many tries fail, and then refuses them, each with
/// ``NetcoreError/Code/breakerOpen``. After a while it is half-open: one request, the probe, goes through. If that succeeds, or the server
/// answers it with a 4xx, the breaker closes; otherwise it opens again, for twice as long.
public struct BreakerPolicy: Sendable, Hashable {
    /// The preset `standard`.
    public static let standard = BreakerPolicy()

    /// How far back tries count: 100 ms to 1 h, and at least twice the attempt timeout of a ``RetryPolicy``. Default 30 s.
    public var window = Duration.seconds(30)
    /// Parts of the window; the oldest is dropped at a time: 1 to 100. Default 10.
    public var buckets = 10
    /// With fewer tries in the window the share of failures says nothing: 1 to 1,000,000. Default 20.
    public var minimumTries = 20
    /// The share of failed tries in the window from which on it opens: 0.01 to 1. Default 0.5.
    public var failureRatio = 0.5
    /// It also opens after so many tries in a row without a connection: 1 to 1,000,000; nil for never. Default 5.
    public var connectFailures: Int? = 5
    /// How long it stays open the first time; doubled for each further time until a probe succeeds: 1 ms to 1 h. Default 5 s.
    public var openTime = Duration.seconds(5)
    /// It does not stay open longer, except for ``jitter``: ``openTime`` to 24 h. Default 300 s.
    public var maximumOpenTime = Duration.seconds(300)
    /// Each time that it opens, that time is random within this share of it, to either side: 0 to 0.5. Default 0.2.
    public var jitter = 0.2

    public init() {}
}

/// What a breaker does with requests to its origin. Values are those of netcore/breaker.h.
public enum BreakerState: Int32, Sendable, CaseIterable {
    /// All go through.
    case closed = 0
    /// None goes through.
    case open = 1
    /// One goes through, as a probe.
    case halfOpen = 2
}

/// The breaker of an origin, as it was when it was asked for.
public struct BreakerInfo: Sendable, Hashable {
    /// Scheme, host and port.
    public let origin: String
    public let state: BreakerState
    /// Tries in the window, and those of them that failed.
    public let tries: Int
    public let failures: Int
    /// Until a request may go through as a probe; zero for a closed one.
    public let wait: Duration
    /// How often it has opened.
    public let openings: Int
    /// Requests that it has refused.
    public let refusals: Int
}

extension BreakerPolicy {
    /// Throws ``NetcoreError/Code/invalidArgument`` with the name of the member that is out of range or contradicts another.
    package func validate() throws(NetcoreError) {
        try Self.require(
            (.milliseconds(100) ... .seconds(3600)).contains(window), "window_ms", "must be 100 milliseconds to 1 hour")
        try Self.require((1...100).contains(buckets), "bucket_count", "must be 1 to 100")
        try Self.require((1...1_000_000).contains(minimumTries), "min_tries", "must be 1 to 1000000")
        try Self.require((0.01...1).contains(failureRatio), "failure_percent", "must be 1 to 100 percent")
        if let connectFailures {
            try Self.require((1...1_000_000).contains(connectFailures), "connect_failures", "must be 1 to 1000000")
        }
        try Self.require(
            (.milliseconds(1) ... .seconds(3600)).contains(openTime), "open_ms", "must be 1 millisecond to 1 hour")
        try Self.require(
            (openTime ... .seconds(86_400)).contains(maximumOpenTime), "max_open_ms", "must be open_ms to 24 hours")
        try Self.require((0...0.5).contains(jitter), "jitter_percent", "must be 0 to 50 percent")
    }

    /// A window that is shorter than two attempts sees less than one of them end.
    ///
    /// - Parameter argument: the figure that is being set.
    package func validate(attemptTimeout: Duration?, _ argument: StaticString) throws(NetcoreError) {
        guard let attemptTimeout, window < attemptTimeout * 2 else { return }
        throw NetcoreError(
            .invalidArgument, argument: "\(argument)",
            "the window of the breaker must be at least twice the attempt timeout")
    }

    private static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }
}
