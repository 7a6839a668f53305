internal import Glibc
internal import NetcoreSupport
internal import Synchronization

/// The application's own loop drives: it does a turn when the client's descriptor is readable, and there is no I/O thread.
///
/// A thread that waits for something drives meanwhile, as everywhere. What others submit wakes the application's loop by the eventfd in
/// the epoll set; what the loop's own thread submits it does at once, without one.
extension LoopDriver {
    /// Does what can be done now. False where another thread drives, or the client has ended.
    func turn(takingEvents: Bool) -> Bool {
        turner.store(UInt(pthread_self()), ordering: .relaxed)
        guard take() else {
            // Who drives keeps the times.
            condition.lock.withLock { if holder != .nobody { watched?.rest() } }
            return false
        }
        turnOnce(takesEvents: takingEvents)
        return true
    }

    /// Takes the loop for what the application's loop is about to submit on its own thread. False for other threads, where another
    /// one drives, inside a turn, and for all but the first submission after a turn: they go out together in the next one.
    func takeForTurner() -> Bool {
        let thread = UInt(pthread_self())
        guard isApplicationDriven, turner.load(ordering: .relaxed) == thread, Thread.mayWait else { return false }
        return turner.compareExchange(expected: thread, desired: 0, ordering: .relaxed).exchanged && take()
    }

    /// Drives the loop until a time, or until `isOver` says so, or waits while another thread does.
    ///
    /// - Parameter isOver: is called under the lock of the bystander's condition.
    func drive(until deadline: MonotonicTime, or bystander: Bystander, isOver: () -> Bool) {
        turner.store(UInt(pthread_self()), ordering: .relaxed)
        let lock = bystander.condition.lock
        let forks = Fork.count
        while Fork.count == forks, !lock.withLock(isOver), deadline > .now {
            if Standstill.isForGood {
                bystander.rest(until: deadline, isOver: isOver)
            } else if take(else: bystander) {
                drive(until: deadline, for: bystander.task) { _ in lock.withLock(isOver) }
            } else {
                bystander.rest(until: deadline, isOver: isOver)
                condition.lock.withLock { bystanders.removeAll { $0 === bystander } }
            }
            if condition.lock.withLock({ holder == .ended }) { return }
        }
    }
}
