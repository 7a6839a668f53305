internal import NetcoreSupport

/// The thread on which a client calls the application's functions that a request waits for. One at a time, in order. Its thread is
/// started with the first job.
final class ApplicationWorker: @unchecked Sendable {  // all state is under the condition's lock
    typealias Job = @Sendable () -> Void

    private let name: String
    private let condition = Condition()
    private var jobs = FIFO<(job: Job, isAwaited: Bool)>()
    /// The number of the job that was taken last.
    private var taken = 0
    private var thread: Thread?
    /// The number of the thread that takes jobs: one with a lower number was replaced.
    private var number = 0
    /// Threads that were replaced, and have not ended.
    private var strays = 0
    private var isClosed = false
    /// Is called after each job.
    private var jobEnd: (@Sendable () -> Void)?
    /// A job runs. Known only if its end is asked for.
    private var isRunning = false

    init(name: String) { self.name = name }

    /// Returns false when it is closed, or no thread can be started: the job will not be done.
    func add(_ job: @escaping Job) -> Bool { add(job, isAwaited: false) }

    private func add(_ job: @escaping Job, isAwaited: Bool) -> Bool {
        condition.lock.withLock {
            guard !isClosed, thread != nil || startThread() else { return false }
            jobs.append((job, isAwaited))
            condition.signal()
            return true
        }
    }

    /// Does a job among the others and waits for it; at once when this is the thread. False as ``add(_:)``.
    func addAndWait(_ job: @escaping Job) -> Bool {
        if condition.lock.withLock({ thread })?.isCurrent ?? false {
            job()
            return true
        }
        let done = Condition()
        nonisolated(unsafe) var isDone = false  // under the condition's lock
        let isAdded = add(
            {
                job()
                done.lock.withLock {
                    isDone = true
                    done.signal()
                }
            }, isAwaited: true)
        done.lock.withLock {
            while isAdded, !isDone { done.wait() }
        }
        return isAdded
    }

    /// Calls a function after each job; before the first one is added.
    func onJobEnd(_ function: @escaping @Sendable () -> Void) { jobEnd = function }

    /// Whether there is a job. Only where a function is called after each.
    var isBusy: Bool { condition.lock.withLock { isRunning || jobs.count > 0 } }

    /// For a job: its number.
    var currentJob: Int { condition.lock.withLock { taken } }

    /// Leaves the thread to a job that it is at, and that may never end, and goes on with the rest on another one.
    func replaceThread(at job: Int) {
        condition.lock.withLock {
            let stuck = thread
            guard job == taken, !isClosed, startThread() else { return }
            isRunning = false
            stuck?.detach()
            strays += 1
        }
    }

    /// Takes no more jobs, and drops those that it has, except what a thread waits for. Waits for what is being done, unless told
    /// not to.
    func close(waits: Bool) {
        let (last, dropped) = condition.lock.withLock {
            isClosed = true
            condition.broadcast()
            let dropped = jobs
            jobs.removeAll { !$0.isAwaited }
            return (thread.take(), dropped)
        }
        // They may hold the last reference to something of the application's.
        withExtendedLifetime(dropped) {}
        guard waits else { return last?.detach() ?? () }
        last?.join()
        condition.lock.withLock {
            while strays > 0 { condition.wait() }
        }
    }

    private func startThread() -> Bool {
        let own = number + 1
        guard let started = Thread(name: name, { self.run(own) }) else { return false }
        number = own
        thread = started
        return true
    }

    private func run(_ own: Int) {
        // A job may hold the last reference to the client: it goes with no lock held.
        while let job = next(own) {
            CallbackScope.enter()
            job()
            CallbackScope.leave()
            if let jobEnd {
                condition.lock.withLock { if own == number { isRunning = false } }
                jobEnd()
            }
        }
    }

    /// Waits for a job. Nil when the thread is to end.
    private func next(_ own: Int) -> Job? {
        condition.lock.withLock {
            while own == number {
                if let next = jobs.popFirst() {
                    taken += 1
                    isRunning = jobEnd != nil
                    return next.job
                }
                guard !isClosed else { return nil }
                condition.wait()
            }
            strays -= 1
            condition.broadcast()
            return nil
        }
    }
}
