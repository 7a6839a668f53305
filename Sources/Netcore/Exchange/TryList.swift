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
    /// When it ended, if it is listed later.
    private var ended: MonotonicTime?
    private var isHedge = false

    mutating func begin(_ now: MonotonicTime, isHedge: Bool = false) {
        began = now
        address = nil
        ended = nil
        self.isHedge = isHedge
    }

    /// The hop that is under way has ended, and will be listed later.
    mutating func stop(_ now: MonotonicTime) { ended = now }

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
                duration: began.map { (ended ?? now).microseconds(since: $0) } ?? 0,
                retryAfter: retryAfter.map { .milliseconds($0) }, reason: reason, isHedge: isHedge))
        began = nil
        address = nil
        delay = wait
    }

    /// Lists those of a hedge.
    mutating func list(_ hedge: TryList) { all += hedge.all }

    /// The hop under way is that of a hedge.
    mutating func takeOver(_ hedge: TryList) {
        list(hedge)
        began = hedge.began
        address = hedge.address
        ended = nil
        isHedge = true
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
