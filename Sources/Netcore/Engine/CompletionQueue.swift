internal import CLinux
internal import Glibc
internal import NetcoreHTTP
package import NetcoreSupport
internal import Synchronization

/// Something that the application is to be notified of, in order.
package enum Delivery {
    case task(RequestTask, Response?)
    /// What comes before the task's end: what is stored, or an interim answer.
    case early(RequestTask, Response)
    case group(RequestGroup)
    /// An application task is to start, or to stop.
    case application(RequestTask, ApplicationSignal)
    /// Marks that the terminal callback of a member, which comes before it, has returned. Nothing for the application.
    case returned(RequestTask)
}

/// What an application task is to do.
package enum ApplicationSignal: Sendable {
    case start
    case stop
}

/// Completions on their way from the I/O thread to the host: one line, in order.
package final class CompletionQueue: @unchecked Sendable {  // all state is under the condition's lock
    private let condition = Condition()
    private var deliveries = FIFO<Delivery>()
    /// Tasks whose ends were taken by the last call, and that are observed: the next one says that they are handled.
    private var handled: [RequestTask] = []
    /// The client ends: no call says so any more.
    private var isLastHandled = false
    private var isRunning = false
    /// Nothing more will be added.
    private var isClosed = false
    private var waiters = 0
    /// Readable while deliveries wait. Made for those modes that show it.
    package let descriptor: Int32
    private var isSignaled = false
    /// Threads that will look at what is added before they wait, so that the descriptor need not say it.
    private var collectors = 0
    private let driver: LoopDriver
    private let isApplicationDriven: Bool
    private let isPumped: Bool
    /// The thread that runs deliveries now, 0 for none.
    private let runner = Atomic<UInt>(0)
    /// Until when the I/O thread looks for submissions by itself, in microseconds.
    private let wakesItselfUntil = Atomic<Int>(0)
    /// The I/O thread is to be woken when the runner has run what is there. Only for the runner.
    private var owesWake = false

    init(mode: CompletionMode, driver: LoopDriver) {
        self.driver = driver
        isApplicationDriven = mode.isApplicationDriven
        isPumped = mode.isPumped
        descriptor = mode == .callback ? -1 : eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    // MARK: The I/O thread

    /// - Parameter watchedUntil: when the I/O thread, at the latest, looks for submissions without being woken.
    func add(_ batch: inout ContiguousArray<Delivery>, watchedUntil: MonotonicTime) {
        wakesItselfUntil.store(watchedUntil.microseconds, ordering: .relaxed)
        condition.lock.lock()
        for delivery in batch { deliveries.append(delivery) }
        if descriptor >= 0, collectors == 0 { signalDescriptor() }
        if waiters > 0 { batch.count == 1 ? condition.signal() : condition.broadcast() }
        condition.lock.unlock()
        batch.removeAll(keepingCapacity: true)
    }

    /// The same for one that another thread found. Not once closed.
    func add(_ delivery: Delivery) {
        condition.lock.lock()
        deliveries.append(delivery)
        if descriptor >= 0, collectors == 0 { signalDescriptor() }
        if waiters > 0 { condition.signal() }
        condition.lock.unlock()
    }

    func close() {
        condition.lock.lock()
        isClosed = true
        if descriptor >= 0 { signalDescriptor() }
        condition.broadcast()
        condition.lock.unlock()
    }

    // MARK: Waking the I/O thread

    /// Whether a submission of this thread's may wait until the callbacks at hand have run: one wake-up then serves them
    /// all. A callback that blocks meanwhile is safe: soon after it handed over completions, the I/O thread looks anyway.
    func defersWake() -> Bool {
        guard runsHere else { return false }
        // Where the runner drives the loop as well, it looks as soon as it has run them, or waits.
        if !isApplicationDriven, MonotonicTime.now.microseconds >= wakesItselfUntil.load(ordering: .relaxed) {
            return false
        }
        owesWake = true
        return true
    }

    /// Whether this thread runs callbacks of this client.
    var runsHere: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: Running callbacks

    /// Waits, for 100 ms at most, until the callback thread has started and waits for deliveries.
    func waitForRunner() {
        let deadline = MonotonicTime.now.adding(milliseconds: 100)
        var pause = timespec(tv_sec: 0, tv_nsec: 20_000)
        while descriptor < 0, condition.lock.withLock({ waiters }) == 0, MonotonicTime.now < deadline {
            nanosleep(&pause, nil)
        }
    }

    /// Runs deliveries until the queue is closed and empty: the body of the callback thread.
    func runToTheEnd() {
        condition.lock.lock()
        isRunning = true
        runner.store(UInt(pthread_self()), ordering: .relaxed)
        while true {
            while let delivery = deliveries.popFirst() {
                condition.lock.unlock()
                run(consume delivery)
                condition.lock.lock()
            }
            if owesWake {
                owesWake = false
                condition.lock.unlock()
                driver.wake()
                condition.lock.lock()
            } else if isClosed {
                break
            } else {
                wait()
            }
        }
        isRunning = false
        condition.broadcast()
        condition.lock.unlock()
    }

    /// Runs up to a number of deliveries now. Returns nil when a thread is at it already.
    ///
    /// Where the application's loop drives: what is there after a turn, and then does what they submitted.
    package func run(maximum: Int) -> Int? {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        guard !isRunning else { return nil }
        isRunning = true
        collectors += 1
        runner.store(UInt(pthread_self()), ordering: .relaxed)
        if isApplicationDriven { unlocked { _ = driver.turn(takingEvents: true) } }
        let limit = isApplicationDriven ? min(maximum, deliveries.count) : maximum
        var count = 0
        while count < limit || isClosed, let delivery = deliveries.popFirst() {
            if !delivery.isMark { count += 1 }
            unlocked { run(consume delivery) }
        }
        runner.store(0, ordering: .relaxed)
        if owesWake {
            owesWake = false
            unlocked { if !isApplicationDriven || !driver.turn(takingEvents: false) { driver.wake() } }
        }
        isRunning = false
        endCollecting()
        condition.broadcast()
        return count
    }

    /// Runs all that is left after ``close()``; waits for another thread that is at it.
    func finish() {
        condition.lock.lock()
        while isRunning { wait() }
        condition.lock.unlock()
        _ = run(maximum: .max)
    }

    /// As ``finish()``, inside a callback: when a thread is running deliveries, it does the rest.
    func finishLater() { _ = run(maximum: .max) }

    /// Runs a delivery and lets it go: what goes with it may be released by a function of the application's.
    private func run(_ delivery: consuming Delivery) {
        CallbackScope.enter()
        act(on: consume delivery)
        CallbackScope.leave()
    }

    private func act(on delivery: consuming Delivery) {
        switch delivery {
        case .task(let task, let response):
            if case .callback(let callback) = task.sink { task.deliver(isLast: true) { callback(task, response) } }
            task.reportReturn()
            task.releaseID()
            resume(task, response)
        case .early(let task, let response):
            switch task.sink {
            case .callback(let callback): task.deliver(isLast: false) { callback(task, response) }
            case .events(let notify): task.deliver(isLast: false) { notify(task, response) }
            case .reporting(_, let notify) where response.isProgress:
                task.deliver(isLast: false) { notify(task.progress) }
            default: break
            }
            if response.isProgress { task.didReport() }
        case .group(let group):
            if case .callback(let callback) = group.sink { callback(group) }
            group.releaseID()
        case .application(let task, let signal):
            guard case .application(let resume, let cancel) = task.work else { return }
            (signal == .start ? resume : cancel)?(task)
        case .returned(let task): task.engine.intake.submit(.returned(task))
        }
    }

    /// Resumes the code that awaits the end of a task, after its reports.
    private func resume(_ task: RequestTask, _ response: Response?) {
        if case .reporting(let continuation, _) = task.sink, let response {
            task.resume(continuation, returning: response)
        }
    }

    // MARK: Taking completions

    /// Takes up to a number of deliveries, waiting for the first until a deadline. Nil when nothing will come any more.
    ///
    /// What an earlier call took is handled by now: a mark ends what is taken at once, and goes with the next call.
    ///
    /// Where the application's loop drives: does a turn before, or more while it waits.
    package func take(maximum: Int, until deadline: MonotonicTime) -> [Delivery]? {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        reportHandled()
        takeMarks()
        if isApplicationDriven {
            collectors += 1
            waiters += 1
            repeat { unlocked { drive(until: deadline) } } while takeMarks() && deliveries.isEmpty
            waiters -= 1
        }
        defer { if isApplicationDriven { endCollecting() } }
        while deliveries.isEmpty {
            if isClosed || Standstill.isForGood { return nil }
            guard !isApplicationDriven, deadline > .now, wait(until: deadline) || !deliveries.isEmpty else { break }
            takeMarks()
        }
        var taken: [Delivery] = []
        while taken.count < maximum, deliveries.first?.isMark != true, let delivery = deliveries.popFirst() {
            taken.append(delivery)
            switch delivery {
            case .early(let task, let response): if response.isProgress { task.didReport() }
            case .task(let task, _): if task.observedEnd != nil { handled.append(task) }
            case .application, .group, .returned: break
            }
        }
        if deliveries.isEmpty, !isClosed { resetDescriptor() }
        if isLastHandled { reportHandled() }
        return taken
    }

    /// Reports of tasks whose ends were taken that they are handled: no other call follows, but one that is still at it.
    func reportLast() {
        condition.lock.withLock {
            isLastHandled = true
            reportHandled()
        }
    }

    private func drive(until deadline: MonotonicTime) {
        guard deadline > .now else {
            _ = driver.turn(takingEvents: true)
            return
        }
        driver.drive(until: deadline, or: Bystander(condition)) {
            !deliveries.isEmpty || isClosed || Standstill.isForGood
        }
    }

    /// Drops what was not taken.
    func drop() {
        condition.lock.lock()
        var dropped: [Delivery] = []
        while let delivery = deliveries.popFirst() { dropped.append(delivery) }
        condition.lock.unlock()
        for delivery in dropped {
            switch delivery {
            case .task(let task, let response):
                task.releaseID()
                resume(task, response)
            case .group(let group): group.releaseID()
            case .application, .early, .returned: break
            }
        }
    }

    // MARK: Under the lock

    private func reportHandled() {
        guard !handled.isEmpty else { return }
        let tasks = handled
        handled = []
        unlocked { for task in tasks { task.reportReturn() } }
    }

    /// Reports the marks that are first in the line. Whether there were any.
    @discardableResult
    private func takeMarks() -> Bool {
        var found = false
        while deliveries.first?.isMark == true, let mark = deliveries.popFirst() {
            unlocked { act(on: mark) }
            found = true
        }
        return found
    }

    private func unlocked(_ body: () -> Void) {
        condition.lock.unlock()
        body()
        condition.lock.lock()
    }

    /// The thread looks at what was added no longer.
    private func endCollecting() {
        collectors -= 1
        if !deliveries.isEmpty {
            if descriptor >= 0 { signalDescriptor() }
        } else if !isClosed || isPumped {
            resetDescriptor()
        }
    }

    private func wait() {
        waiters += 1
        condition.wait()
        waiters -= 1
    }

    private func wait(until deadline: MonotonicTime) -> Bool {
        waiters += 1
        defer { waiters -= 1 }
        guard deadline != .never else {
            condition.wait()
            return true
        }
        return condition.wait(until: deadline)
    }

    private func signalDescriptor() {
        guard !isSignaled else { return }
        isSignaled = true
        var one: UInt64 = 1
        _ = write(descriptor, &one, 8)
    }

    private func resetDescriptor() {
        guard isSignaled else { return }
        isSignaled = false
        var value: UInt64 = 0
        _ = read(descriptor, &value, 8)
    }
}

extension Delivery {
    /// Whether there is nothing in it for the application.
    fileprivate var isMark: Bool {
        if case .returned = self { true } else { false }
    }
}

/// Whether this thread is inside a callback of any client: waiting for another callback there could wait for ever.
package enum CallbackScope {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    private static var depth: Int {
        get { Int(bitPattern: pthread_getspecific(key)) }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }

    package static var isInside: Bool { depth > 0 }

    static func enter() { depth += 1 }

    static func leave() { depth -= 1 }
}
