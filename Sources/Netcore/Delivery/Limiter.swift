internal import NetcoreHTTP
internal import NetcoreSupport

/// One rate at work: what was sent, what is under way, and what waits. Confined to the client's loop; times are in nanoseconds.
final class Limiter {
    let scope: RateScope
    private(set) var rate: Rate
    private var algorithm: GCRA?
    private var active = 0
    private var pausedUntil = 0
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
        if !rate.followsServer { pausedUntil = 0 }
        self.rate = rate
    }

    /// There is no rate any more: what waits may go.
    func lift() {
        rate = Rate()
        algorithm = nil
        pausedUntil = 0
    }

    private var hasTransfer: Bool { rate.transfers.map { active < $0 } ?? true }

    /// Whether a request may go now.
    func isReady(_ now: Int) -> Bool { hasTransfer && time(now) == 0 }

    /// How long the next request waits as far as time says; it may have to wait for a transfer to end, too.
    func time(_ now: Int, ahead: Int = 0) -> Int {
        max(algorithm?.wait(now, ahead: ahead) ?? 0, pausedUntil - now, 0)
    }

    /// When time lets the next one go that waits; nil if no time does.
    func nextTurn(_ now: Int) -> Int? { line.count > 0 && hasTransfer ? now + time(now) : nil }

    func take(_ now: Int) {
        algorithm?.take(now)
        active += 1
    }

    func end() { active -= 1 }

    /// The server says that nothing is left.
    func pause(until time: Int) { pausedUntil = max(pausedUntil, time) }

    /// Whether it need not be kept.
    func isIdle(_ now: Int) -> Bool {
        active == 0 && line.count == 0 && pausedUntil <= now && (algorithm?.isIdle(now) ?? true)
    }
}
