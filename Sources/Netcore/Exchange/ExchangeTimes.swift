internal import NetcoreSupport

/// What an exchange spent where. Time spent in a queue counts to no timeout.
struct ExchangeTimes {
    /// When it was dispatched: those that were earlier go first.
    let dispatched: MonotonicTime
    /// When it came to the queue last.
    private(set) var queuedSince: MonotonicTime
    /// The start of the first hop, moved later by what was spent queued between hops. Nil before.
    private(set) var started: MonotonicTime?
    /// Microseconds in the queue before the first hop.
    private(set) var queued: Int?
    /// Microseconds in functions of the application's before the first hop: they count to the total timeout.
    private var inFunctions = 0

    init(queuedSince: MonotonicTime) {
        dispatched = queuedSince
        self.queuedSince = queuedSince
    }

    /// The same for an exchange that has not left the queue.
    var unbegun: ExchangeTimes {
        var result = self
        result.started = nil
        result.queued = nil
        return result
    }

    /// When the total timeout is over, if it runs already; nil for none.
    func end(_ milliseconds: Int, now: MonotonicTime) -> MonotonicTime? {
        guard milliseconds > 0 else { return nil }
        return (started ?? now.adding(microseconds: -inFunctions)).adding(milliseconds: milliseconds)
    }

    mutating func begin(_ now: MonotonicTime) {
        started = now.adding(microseconds: -inFunctions)
        queued = max(now.microseconds(since: queuedSince) - inFunctions, 0)
    }

    /// A function of the application's took part in it.
    mutating func noteFunction(since start: MonotonicTime, _ now: MonotonicTime) {
        if started == nil { inFunctions += max(now.microseconds(since: start), 0) }
    }

    /// It queues for a slot.
    mutating func enterQueue(_ now: MonotonicTime) {
        if started != nil { queuedSince = now }
    }

    /// It has a slot for a hop that is not the first.
    mutating func leaveQueue(_ now: MonotonicTime) {
        guard let started else { return }
        self.started = started.adding(microseconds: max(now.microseconds(since: queuedSince), 0))
    }
}
