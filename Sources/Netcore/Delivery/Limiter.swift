internal import NetcoreHTTP
internal import NetcoreSupport

/// One rate at work: what was sent, what is under way, and what waits. Confined to the client's loop; times are in nanoseconds.
final class Limiter {
    let scope: RateScope
    private(set) var rate: Rate
    private var algorithm: GCRA?
    private var active = 0
    private var quota = ServerQuota()
    var line = PriorityLine<Exchange>()

    init(_ scope: RateScope, _ rate: Rate) {
        self.scope = scope
        self.rate = rate
        algorithm = rate.algorithm
    }

    func change(to rate: Rate, _ now: Int) {
        guard rate != self.rate else { return }
        let new = rate.algorithm
        algorithm = new.map { algorithm?.changed(to: $0, now: now) ?? $0 }
        if !rate.followsServer { quota = ServerQuota() }
        self.rate = rate
    }

    /// There is no rate any more: what waits may go.
    func lift() {
        rate = Rate()
        algorithm = nil
        quota = ServerQuota()
    }

    private var hasTransfer: Bool { rate.transfers.map { active < $0 } ?? true }

    /// Whether a request may go now.
    func isReady(_ now: Int) -> Bool { hasTransfer && quota.allows(active, now: now) && time(now) == 0 }

    /// How long the next request waits as far as time says; it may have to wait for a transfer to end, too.
    func time(_ now: Int, ahead: Int = 0) -> Int {
        max(algorithm?.wait(now, ahead: ahead) ?? 0, quota.wait(now))
    }

    /// When time lets the next one go that waits; nil if no time does.
    func nextTurn(_ now: Int) -> Int? {
        line.count > 0 && hasTransfer ? max(now + time(now), quota.turn(active, now: now)) : nil
    }

    func take(_ now: Int) {
        algorithm?.take(now)
        active += 1
    }

    /// - Parameter hint: gives what the answer says of the server's limit.
    func end(_ now: Int, _ hint: () -> RateHint?) {
        active -= 1
        if rate.followsServer { quota.requestDidEnd(hint(), now: now) }
    }

    /// Whether it need not be kept.
    func isIdle(_ now: Int) -> Bool {
        active == 0 && line.count == 0 && quota.isIdle(now) && (algorithm?.isIdle(now) ?? true)
    }
}
