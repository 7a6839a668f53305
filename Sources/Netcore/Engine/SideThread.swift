internal import NetcoreSupport

/// Runs functions of the application's, one after the other, on a thread on which they may call everything: netcore's other
/// threads do not wait for it. The thread starts when there is something to run, and ends when there is nothing more.
package final class SideThread: @unchecked Sendable {  // all state is under the condition's lock
    package typealias Job = @Sendable () -> Void

    private let condition = Condition()
    private var jobs = FIFO<Job>()
    private var isRunning = false
    private let forkCount = Fork.count
    private let name: String

    package init(name: String = "netcore-event") { self.name = name }

    /// Whether it was made in this process, not in the parent before a fork.
    var isAlive: Bool { Fork.count == forkCount }

    /// Runs a job soon. Where no thread can be started it runs here.
    package func run(_ job: @escaping Job) {
        guard Fork.count == forkCount else { return }
        let isTaken = condition.lock.withLock {
            if !isRunning {
                guard let thread = Thread(name: name, { self.runAll() }) else { return false }
                thread.detach()
                isRunning = true
            }
            jobs.append(job)
            return true
        }
        if !isTaken { job() }
    }

    /// Waits until all that was added before has run. Not inside a callback, and not on a thread that may not wait.
    func drain() {
        guard Fork.count == forkCount, Thread.mayWait, !CallbackScope.isInside else { return }
        condition.lock.withLock {
            while isRunning { condition.wait() }
        }
    }

    private func runAll() {
        while let job = next() {
            CallbackScope.enter()
            job()
            CallbackScope.leave()
        }
    }

    private func next() -> Job? {
        condition.lock.withLock {
            if let job = jobs.popFirst() { return job }
            isRunning = false
            condition.broadcast()
            return nil
        }
    }
}
