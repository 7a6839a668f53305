/// A wait on one thread that another can end early, and then all later ones.
package final class Pause: Sendable {
    private let condition = Condition()
    private nonisolated(unsafe) var isOver = false  // under the condition's lock

    package init() {}

    package func wait(milliseconds span: Int) {
        let deadline = MonotonicTime.now.adding(milliseconds: span)
        condition.lock.withLock {
            while !isOver, condition.wait(until: deadline) {}
        }
    }

    package func end() {
        condition.lock.withLock { isOver = true }
        condition.broadcast()
    }
}
