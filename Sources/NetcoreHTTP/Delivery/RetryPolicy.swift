internal import NetcoreSupport

/// When a request is sent again because of its answer or error, and after how long. Off unless a policy is set. The defaults are those
/// that gRPC (proposal A6), the AWS SDKs, Envoy and Finagle share; docs/delivery.md has the reason for each.
public struct RetryPolicy: Sendable {
    /// The preset `standard`: three attempts, full jitter, Retry-After obeyed, a budget for each origin.
    public static let standard = RetryPolicy()

    /// Attempts in all, the first included: 1 to 100. Default 3.
    public var attempts = 3
    /// The longest wait before the second attempt, doubled for each one after it: 1 ms to 1 h. Default 100 ms.
    public var baseDelay = Duration.milliseconds(100)
    /// In place of ``baseDelay`` after a 429 or 503: 1 ms to 1 h. Default 1 s.
    public var throttledDelay = Duration.seconds(1)
    /// No wait is longer, unless Retry-After asks for it: 1 ms to 1 h. Default 20 s.
    public var maximumDelay = Duration.seconds(20)
    /// The longest Retry-After (RFC 9110 section 10.2.3) that is waited for; an answer with a longer one is delivered at once: 1 ms to
    /// 24 h. Default 60 s.
    public var maximumRetryAfter = Duration.seconds(60)
    /// Statuses that are tried again, each 400 to 599. 425 is tried again once, 413 only with a Retry-After.
    /// Default 408, 413, 425, 429, 500, 502, 503, 504.
    public var statuses = [408, 413, 425, 429, 500, 502, 503, 504]
    /// Methods whose requests are tried again; others only with an `Idempotency-Key` field, or if the request says that it may be. In
    /// upper case. Default GET, HEAD, OPTIONS, TRACE, PUT, DELETE, QUERY: those that are idempotent (RFC 9110 section 9.2.2).
    public var methods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"]
    /// Classes of errors that are tried again. Default: all.
    public var errors = Errors.all
    /// The longest that one try may take, from when it leaves the queue to the end of its body: it then ends with `timeoutAttempt`. At
    /// most the total timeout of the request. 1 ms to 2,147,483 s; nil, the default, for none.
    public var attemptTimeout: Duration?
    /// Retries that an origin may get beyond what its successes pay for; nil for no bound.
    public var budget: Budget? = Budget()
    /// Whether requests that are not idempotent get an `Idempotency-Key` field, with a random UUID that is made once for each task, and
    /// are tried again. Only for servers that know the field. Off by default.
    public var makesIdempotencyKeys = false
    /// Has the last word on whether an outcome is worth another attempt; nil, the default, for none.
    public var decide: Decide?

    public init() {}

    /// Classes of errors. Certificates, broken answers, limits, redirects and bodies that do not decode are in none: they would come again.
    public struct Errors: OptionSet, Sendable, Hashable {
        public let rawValue: UInt32

        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// The host's or proxy's name has no address.
        public static let resolve = Self(rawValue: 1)
        /// The connection was refused, or the host or proxy cannot be reached.
        public static let connect = Self(rawValue: 2)
        /// The connection was reset or closed before the answer began.
        public static let reset = Self(rawValue: 4)
        /// The answer ended before its end.
        public static let truncated = Self(rawValue: 8)
        /// The connect, first-byte, idle or attempt timeout.
        public static let timeout = Self(rawValue: 16)

        public static let all: Self = [.resolve, .connect, .reset, .truncated, .timeout]

        /// The class of an error; empty if it has none.
        package init(_ code: NetcoreError.Code) {
            self =
                switch code {
                case .resolve, .resolveProxy: .resolve
                case .connect, .connectProxy: .connect
                case .connectionLost: .reset
                case .truncated: .truncated
                case .timeoutConnect, .timeoutFirstByte, .timeoutIdle, .timeoutAttempt: .timeout
                default: []
                }
        }
    }

    /// Called after each try that another attempt may follow: attempts are left, the request may be repeated and its body can be sent
    /// again. It runs on a thread of the client, one call at a time; its time counts to the total timeout, and the body of an answer is
    /// received before. It decides only whether the outcome is worth another attempt: Retry-After, deadline and budget hold.
    public typealias Decide = @Sendable (_ outcome: Outcome) -> Verdict

    /// What came of a try.
    public struct Outcome: Sendable {
        /// The attempt that it was, from 1 on.
        public let attempt: Int
        /// The answer, or what is known of it. Redirects have been followed only if they were answered before.
        public let response: Response
        /// Nil for an answer.
        public let error: NetcoreError?
        /// What the answer asks to wait by Retry-After; nil if it does not.
        public let retryAfter: Duration?
        /// What the policy would do: wait so long and try again; nil if it would not.
        public let proposal: Duration?

        package init(
            attempt: Int, response: Response, error: NetcoreError?, retryAfter: Duration?, proposal: Duration?
        ) {
            self.attempt = attempt
            self.response = response
            self.error = error
            self.retryAfter = retryAfter
            self.proposal = proposal
        }
    }

    public enum Verdict: Sendable, Hashable {
        /// As the policy says.
        case standard
        /// Another attempt, after the policy's own wait, or this one. A Retry-After that is longer holds.
        case retry(after: Duration?)
        /// This outcome is the end.
        case stop
    }

    /// The size of a budget, and what fills it.
    public struct Budget: Sendable, Hashable {
        /// Tokens at most, and at first; a retry takes one: 1 to 1,000,000. Default 10.
        public var tokens = 10
        /// Tokens for each task that succeeded: 0 to 1. Default 0.2.
        public var perSuccess = 0.2
        /// Tokens for each second: 0 to 1,000. Default 1.
        public var perSecond = 1

        public init() {}
    }
}

extension RetryPolicy {
    /// Throws ``NetcoreError/Code/invalidArgument`` with the name of the member that is out of range or contradicts another.
    package func validate() throws(NetcoreError) {
        try Self.require((1...100).contains(attempts), "attempts", "must be 1 to 100")
        for (delay, name) in [
            (baseDelay, "base_delay_ms"), (throttledDelay, "throttled_delay_ms"), (maximumDelay, "max_delay_ms"),
        ] {
            try Self.require(
                (.milliseconds(1) ... .seconds(3600)).contains(delay), name, "must be 1 millisecond to 1 hour")
            try Self.require(delay <= maximumDelay, name, "must be at most max_delay_ms")
        }
        try Self.require(
            (.milliseconds(1) ... .seconds(86_400)).contains(maximumRetryAfter), "max_retry_after_ms",
            "must be 1 millisecond to 24 hours")
        try Self.require(statuses.allSatisfy((400...599).contains), "statuses", "each must be 400 to 599")
        try Self.require(
            // Not uppercased(), which would bring Unicode's tables of names into the library.
            methods.allSatisfy { Syntax.isToken($0.utf8) && !$0.utf8.contains { (0x61...0x7A).contains($0) } },
            "methods",
            "each must be a method in upper case")
        try Self.require(errors.isSubset(of: .all), "errors", "has a bit that is no class of errors")
        if let attemptTimeout {
            let longest = Duration.milliseconds(TimeoutSet.maximum)
            try Self.require(
                (.milliseconds(1)...longest).contains(attemptTimeout), "attempt_timeout_ms",
                "must be 1 to \(TimeoutSet.maximum) milliseconds")
        }
        try budget?.validate()
    }

    /// The same of what a request says besides.
    ///
    /// - Parameter total: the total timeout in milliseconds; 0 for none.
    package func validate(total: Int) throws(NetcoreError) {
        guard let attemptTimeout, total > 0 else { return }
        try Self.require(
            attemptTimeout <= .milliseconds(total), "attempt_timeout_ms", "must be at most the request's total timeout")
    }

    fileprivate static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }
}

extension RetryPolicy.Budget {
    fileprivate func validate() throws(NetcoreError) {
        try RetryPolicy.require((1...1_000_000).contains(tokens), "budget_tokens", "must be 1 to 1000000")
        try RetryPolicy.require((0.0...1.0).contains(perSuccess), "budget_success_percent", "must be 0 to 100 percent")
        try RetryPolicy.require((0...1000).contains(perSecond), "budget_per_second", "must be 0 to 1000")
    }
}
