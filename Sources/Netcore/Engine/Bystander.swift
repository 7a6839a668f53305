internal import NetcoreSupport

/// A thread that waits for something of a client's loop, which another thread drives: it takes over when that one leaves.
final class Bystander: @unchecked Sendable {  // under the condition's lock
    /// Of what it waits for; broadcast when that has come.
    let condition: Condition
    private var isCalled = false

    init(_ condition: Condition) { self.condition = condition }

    /// No thread drives any more.
    func call() {
        condition.lock.withLock { isCalled = true }
        condition.broadcast()
    }

    /// Waits until it is called, or what it waits for has come, or a time.
    ///
    /// - Parameter isOver: whether it has come; under the lock.
    func rest(until deadline: MonotonicTime, isOver: () -> Bool) {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while !isCalled, !isOver(), deadline > .now {
            if deadline == .never { condition.wait() } else { _ = condition.wait(until: deadline) }
        }
        isCalled = false
    }
}
