package import NetcoreSupport

/// One try of a request: one hop to the network, and what came of it.
public struct Try: Sendable, Hashable {
    /// Scheme, host and port of the server.
    public let server: String
    /// The address that the connection went to, such as "192.0.2.1"; nil if it is not known.
    public let address: String?
    /// The status code of the answer; 0 without one.
    public let status: Int
    /// The error; nil with an answer.
    public let error: NetcoreError.Code?
    /// The attempt that it belongs to, from 1 on. Hops after a redirect are tries of the same attempt.
    public let attempt: Int
    /// How often the transport sent it again on another connection by itself, as it does if a kept connection was dead.
    public let resends: Int
    /// The wait before this try.
    public let delay: Duration
    /// When it was handed to the transport, by the monotonic clock, since the machine started.
    public var start: Duration { .microseconds(startMicroseconds) }
    /// From then to its end.
    public var duration: Duration { .microseconds(microseconds) }
    /// What the answer asks to wait by Retry-After; nil if it does not. Known only with a ``RetryPolicy``.
    public let retryAfter: Duration?
    /// Why it went on after this try, or did not.
    public package(set) var reason: RetryReason
    /// It was sent beside another try of its attempt (``HedgePolicy``).
    public let isHedge: Bool
    package let startMicroseconds: Int
    /// That it took.
    package let microseconds: Int

    package init(
        server: String, address: String?, status: Int, error: NetcoreError.Code?, attempt: Int = 1, resends: Int = 0,
        delay: Duration, start: MonotonicTime = MonotonicTime(microseconds: 0), duration: Int = 0,
        retryAfter: Duration?, reason: RetryReason, isHedge: Bool = false
    ) {
        self.server = server
        self.address = address
        self.status = status
        self.error = error
        self.attempt = attempt
        self.resends = resends
        self.delay = delay
        startMicroseconds = start.microseconds
        microseconds = duration
        self.retryAfter = retryAfter
        self.reason = reason
        self.isHedge = isHedge
    }
}

/// Why a try was followed by another attempt, or was not. Values are those of netcore/retry.h.
public enum RetryReason: Int32, Sendable, CaseIterable {
    /// Its answer or error is not one that is tried again.
    case outcome = 0
    /// It went on: another attempt followed.
    case retried = 1
    /// The policy allows no more attempts.
    case attempts = 2
    /// The origin's budget of retries is used up.
    case budget = 3
    /// The wait would have ended after the total timeout.
    case deadline = 4
    /// Retry-After asks for more than the policy waits, or than is left of the total timeout.
    case retryAfter = 5
    /// The request is not idempotent.
    case notIdempotent = 6
    /// The request's body cannot be sent from its beginning again.
    case body = 7
    /// The application's function decided so.
    case application = 8
    /// The task was canceled.
    case canceled = 9
    /// The breaker of the origin is open, and lets nothing through before the wait would have ended.
    case breaker = 10
    /// It went on: another hop followed a redirect.
    case redirect = 11
    /// It went on: another attempt followed a 401, with other credentials.
    case challenge = 12
    /// It went on: an alternative service could not be reached, or does not answer for the host, which was asked itself.
    case alternative = 13
    /// It was not what its attempt ended with: a try that was sent beside it was, its hedge or the one that it is the hedge of.
    case hedged = 14
}
