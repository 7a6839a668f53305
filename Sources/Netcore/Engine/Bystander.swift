internal import NetcoreSupport

/// A thread that waits for something of a client's loop, which another thread drives: it takes over when that one leaves.
final class Bystander: @unchecked Sendable {  // under the condition's lock
    /// Of what it waits for; broadcast when that has come.
    let condition: Condition
    /// The one it will wait for again, so that it may be expected back after it has driven; nil if it will not.
    let task: RequestTask?
    /// Whether the I/O thread leaves the loop to it, if this task is all that is under way.
    let takesOver: Bool
    private var isCalled = false

    init(_ condition: Condition, task: RequestTask? = nil, takesOver: Bool = false) {
        self.condition = condition
        self.task = task
        self.takesOver = takesOver
    }

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
