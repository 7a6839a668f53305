internal import NetcoreSupport

/// Says when hedges are due. It stands directly above the transport, so that what a hop waits in a queue counts to no delay.
final class HedgeClockStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let timers: HedgeTimers

    init(_ context: StageContext, _ timers: HedgeTimers) {
        self.context = context
        self.timers = timers
    }

    override func down(_ exchange: Exchange) -> Descent {
        guard let delay = exchange.hedgeDelay else { return .next }
        exchange.hedgeTimer = timers.add(exchange, at: context.now.adding(milliseconds: Int(delay)))
        if let time = timers.newWake() { context.wake(self, at: time) }
        return .next
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        timers.remove(exchange)
        return .next
    }

    override func wake() {
        timers.act(context.now)
        if let time = timers.newWake() { context.wake(self, at: time) }
    }

    override func close() { timers.close() }
}

/// Exchanges whose hedges are due at a time. Confined to the client's loop.
final class HedgeTimers {
    private var holds = Holds()
    /// When the stage is called next.
    private var wake = MonotonicTime.never
    /// Sends a hedge.
    var due: (Exchange) -> Void = { _ in }

    func add(_ exchange: Exchange, at time: MonotonicTime) -> Int { holds.add(exchange, until: time, nil) }

    func remove(_ exchange: Exchange) {
        guard exchange.hedgeTimer != 0 else { return }
        holds.remove(exchange.hedgeTimer)
        exchange.hedgeTimer = 0
    }

    /// When a stage has to be woken, unless it is woken before that anyway.
    func newWake() -> MonotonicTime? {
        guard holds.deadline < wake else { return nil }
        wake = holds.deadline
        return wake
    }

    func act(_ now: MonotonicTime) {
        wake = .never
        while let (exchange, _) = holds.popDue(now) {
            exchange.hedgeTimer = 0
            due(exchange)
        }
    }

    func close() {
        holds = Holds()
        due = { _ in }
    }
}
