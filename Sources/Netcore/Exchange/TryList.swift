internal import NetcoreHTTP
internal import NetcoreSupport

/// The hops of an exchange that went to the network, and what came of each.
struct TryList {
    private(set) var all: [Try] = []
    /// Milliseconds that were waited before the next one.
    private var delay: Int64 = 0
    /// When the hop that is under way was handed to the transport; nil if none is.
    private(set) var began: MonotonicTime?
    /// The address that its connection went to.
    var address: String?

    mutating func begin(_ now: MonotonicTime) {
        began = now
        address = nil
    }

    /// Lists a hop that has ended, or never got as far as the transport.
    mutating func note(
        _ result: Response, at url: HTTPURL, attempt: Int, retryAfter: Int64? = nil, _ reason: RetryReason,
        nextAfter wait: Int64 = 0, now: MonotonicTime
    ) {
        all.append(
            Try(
                server: url.origin, address: address, status: result.error == nil ? result.status : 0,
                error: result.error?.code, attempt: max(attempt, 1), resends: max(result.attempts - 1, 0),
                delay: .milliseconds(delay), start: began ?? now,
                duration: began.map { now.microseconds(since: $0) } ?? 0,
                retryAfter: retryAfter.map { .milliseconds($0) }, reason: reason))
        began = nil
        address = nil
        delay = wait
    }

    /// The last one was followed by another after all.
    mutating func goesOn(_ reason: RetryReason) {
        if let last = all.indices.last, all[last].reason == .outcome { all[last].reason = reason }
    }

    /// The attempt that was to follow the last one will not. Returns whether one was.
    mutating func endInWait(_ reason: RetryReason) -> Bool {
        guard let last = all.indices.last, all[last].reason == .retried else { return false }
        all[last].reason = reason
        return true
    }
}
