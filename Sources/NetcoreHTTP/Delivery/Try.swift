/// One try of a request under a ``RetryPolicy``: one hop to the network, and what came of it.
public struct Try: Sendable, Hashable {
    /// Scheme, host and port of the server.
    public var server: String { Self.text(serverText) ?? "" }
    /// The address that the connection went to, such as "192.0.2.1"; nil if it is not known.
    public var address: String? { Self.text(addressText) }
    /// The status code of the answer; 0 without one.
    public let status: Int
    /// The error; nil with an answer.
    public let error: NetcoreError.Code?
    /// The wait before this try.
    public let delay: Duration
    /// What the answer asks to wait by Retry-After; nil if it does not.
    public let retryAfter: Duration?
    /// Why it went on after this try, or did not.
    public package(set) var reason: RetryReason
    /// ``server`` and ``address``, each with a NUL byte at its end, for the C door.
    package let serverText: ContiguousArray<CChar>
    package let addressText: ContiguousArray<CChar>

    package init(
        server: String, address: String?, status: Int, error: NetcoreError.Code?, delay: Duration,
        retryAfter: Duration?, reason: RetryReason
    ) {
        serverText = server.utf8CString
        addressText = (address ?? "").utf8CString
        self.status = status
        self.error = error
        self.delay = delay
        self.retryAfter = retryAfter
        self.reason = reason
    }

    /// Nil for an empty one.
    private static func text(_ text: ContiguousArray<CChar>) -> String? {
        text.count > 1 ? String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
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
}
