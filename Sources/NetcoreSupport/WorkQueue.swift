/// One thread that does work in order, and may not wait for netcore's other threads.
package final class WorkQueue: @unchecked Sendable {  // all state is under the condition's lock
    private let condition = Condition()
    private var work: ContiguousArray<@Sendable () -> Void> = []
    private var isClosed = false
    private var thread: Thread?
    private let forkCount = Fork.count

    /// Nil when no thread can be started. Otherwise it lives until it is closed.
    package init?(name: String) {
        thread = Thread(name: name, mayWait: false) { self.run() }
        guard thread != nil else { return nil }
    }

    /// Adds work. Returns false once closed, and in the child of a fork: it is then not done.
    package func add(_ job: @escaping @Sendable () -> Void) -> Bool {
        guard Fork.count == forkCount else { return false }
        condition.lock.lock()
        defer { condition.lock.unlock() }
        guard !isClosed else { return false }
        work.append(job)
        condition.signal()
        return true
    }

    /// Whether this is its thread.
    package var isCurrent: Bool { thread?.isCurrent ?? false }

    /// Does what was added and ends the thread; waits for that, unless called in it.
    package func close() {
        guard Fork.count == forkCount else { return }
        condition.lock.lock()
        isClosed = true
        condition.signal()
        condition.lock.unlock()
        guard let thread else { return }
        thread.isCurrent ? thread.detach() : thread.join()
    }

    private func run() {
        condition.lock.lock()
        while true {
            let batch = work
            work = []
            if batch.isEmpty {
                if isClosed { break }
                condition.wait()
                continue
            }
            condition.lock.unlock()
            for job in batch { job() }
            condition.lock.lock()
        }
        condition.lock.unlock()
    }
}
