package import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// What a client consists of: its loop, what is handed to it and what comes back, and its threads.
package final class Engine: @unchecked Sendable {  // `loop` belongs to who drives it
    private static let made = Atomic<UInt64>(0)

    /// Unique in this process, starting at 1.
    let number = Engine.made.wrappingAdd(1, ordering: .relaxed).newValue
    package let options: Client.Options
    package let completions: CompletionQueue
    package var cache: Cache? { options.cache }
    package let forkCount = Fork.count
    let parts: ClientParts
    let downloads = RunningDownloads()
    package let intake: Intake
    let driver: LoopDriver
    /// For who drives it only.
    let loop: ClientLoop
    /// Guards which group is a member of which.
    let nesting = Lock()
    private let threads = Lock()
    /// The threads of a client in which something is under way that no call waits for.
    private let hasThreads = Atomic<Bool>(false)
    private var callbackThread: Thread?  // under `threads`
    /// No thread starts any more.
    private var isEnding = false  // under `threads`

    package init(_ options: Client.Options) throws(NetcoreError) {
        guard !Standstill.isForGood else { throw Intake.exitError }
        try options.limits.check()
        guard options.cache == nil || options.cache?.clock === options.clock else {
            throw NetcoreError(.invalidArgument, argument: "clock", "the cache has another clock")
        }
        guard Fork.isWatched, let descriptors = EventLoop(isWatched: options.completions.isApplicationDriven) else {
            throw Self.outOfMemory
        }
        driver = LoopDriver(descriptors, isApplicationDriven: options.completions.isApplicationDriven)
        completions = CompletionQueue(mode: options.completions, driver: driver)
        guard options.completions == .callback || completions.descriptor >= 0 else { throw Self.outOfMemory }
        intake = Intake(driver: driver, completions: completions, limits: options.limits, clock: options.clock)
        parts = try ClientParts(options)
        if let rule = options.retryRule {
            try rule.policy.validate()
            try parts.settings.change { $0.delivery.retries = rule }
        }
        if let policy = options.breaker {
            let rule = try BreakerRule(policy)
            try policy.validate(attemptTimeout: options.retries?.attemptTimeout, "window_ms")
            try parts.settings.change { $0.delivery.breaker = rule }
        }
        if let policy = options.failover {
            let rule = try FailoverRule(policy)
            try parts.settings.change { $0.delivery.failover = rule }
        }
        if let policy = options.hedging {
            let terms = try HedgeTerms(policy)
            try parts.settings.change { $0.delivery.hedging = terms }
        }
        if let transport = options.transport { try parts.settings.change { $0.transport = transport } }
        loop = try ClientLoop(options, parts, loop: descriptors, intake: intake, completions: completions)
        self.options = options
        let watched =
            driver.isApplicationDriven ? LoopDescriptor(descriptors, completions: completions.descriptor) : nil
        guard watched != nil || !driver.isApplicationDriven else { throw Self.outOfMemory }
        driver.begin(self, watched)
    }

    /// What the application's own loop watches; nil where it need not.
    var descriptor: Int32? {
        options.completions == .callback ? nil : driver.watched?.descriptor ?? completions.descriptor
    }

    static let outOfMemory = NetcoreError(.outOfMemory, argument: "client", "descriptors or memory ran out")

    static let noThread = NetcoreError(.outOfMemory, argument: "client", "no thread can be started")

    /// Makes sure that the client's threads are there: before something is made that no call waits for.
    func startThreads() throws(NetcoreError) {
        guard !driver.isApplicationDriven, !hasThreads.load(ordering: .acquiring) else { return }
        try Fork.afterFirstUse(of: .threads) { isFirst throws(NetcoreError) in
            try threads.withLock { () throws(NetcoreError) in
                guard !isEnding else { throw Intake.shutDownError }
                guard driver.startThread() else { throw Self.noThread }
                if options.completions == .callback, callbackThread == nil {
                    callbackThread = Thread(name: "netcore-done") { self.completions.runToTheEnd() }
                    guard callbackThread != nil else { throw Self.noThread }
                }
                hasThreads.store(true, ordering: .releasing)
            }
            if isFirst { completions.waitForRunner() }
        }
    }

    deinit { parts.closeWorkers(waits: false) }

    // MARK: For any thread

    private static let forkedError = NetcoreError(
        .forked, argument: "client", "was created before fork(), in the parent")

    package func checkUsable() throws(NetcoreError) {
        guard Fork.count == forkCount else { throw Self.forkedError }
        guard !Standstill.isForGood else { throw Intake.exitError }
    }

    /// The deadline, where this thread may wait for what who drives the loop does, or does not wait at all.
    func checkedWait(until deadline: MonotonicTime) throws(NetcoreError) -> MonotonicTime {
        if !Thread.mayWait, deadline > .now {
            throw NetcoreError(
                .invalidState, argument: "client", "the call would wait for the netcore thread that makes it")
        }
        return Standstill.isForGood ? .now : deadline
    }

    /// For a thread that is about to wait for what it submitted.
    func wakeNow() { driver.wake() }

    /// Submits something, and does it at once if the calling thread is that of the application's loop, which drives: outside of
    /// callbacks, after which the loop looks anyway.
    package func submitting(_ submit: () throws(NetcoreError) -> Void) throws(NetcoreError) {
        guard !completions.runsHere, driver.takeForTurner() else { return try submit() }
        do throws(NetcoreError) {
            try submit()
        } catch {
            driver.giveBack()
            throw error
        }
        driver.turnOnce(takesEvents: false)
    }

    /// Dispatches a task that was just made, and waits for its response until a time: by driving the loop, if no other thread does.
    func dispatch(
        _ task: RequestTask, _ waiter: Waiter, until deadline: MonotonicTime
    ) throws(NetcoreError) -> Response? {
        guard deadline == .never || deadline > .now, driver.take() else {
            // Who drives may leave before this task has ended.
            guard driver.startThread() else { throw Self.noThread }
            try intake.dispatch(task)
            wakeNow()
            return try rest(for: waiter, until: deadline)
        }
        do throws(NetcoreError) {
            try intake.dispatch(task)
        } catch {
            driver.giveBack()
            throw error
        }
        return try drive(for: waiter, until: deadline)
    }

    /// Waits for a response until a time: by driving the loop, if no other thread does.
    func wait(for waiter: Waiter, until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        if let response = waiter.delivered { return response }
        guard deadline == .never || deadline > .now, driver.take() else {
            return try rest(for: waiter, until: deadline)
        }
        return try drive(for: waiter, until: deadline)
    }

    /// Waits for a response until a time, while another thread drives.
    private func rest(for waiter: Waiter, until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        guard driver.isApplicationDriven else { return waiter.wait(until: deadline) }
        // There is no thread that would go on when that one leaves.
        driver.drive(until: deadline, or: Bystander(waiter.condition)) { waiter.hasResponse }
        guard Fork.count == forkCount else { throw Self.forkedError }
        return waiter.delivered
    }

    private func drive(for waiter: Waiter, until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        driver.drive(until: deadline) { _ in waiter.hasResponse }
        guard Fork.count == forkCount else { throw Self.forkedError }
        return waiter.delivered
    }

    /// Takes completions in queue mode. Nil once the client is shut down and nothing more will come.
    package func take(maximum: Int, until deadline: MonotonicTime) throws(NetcoreError) -> [Delivery]? {
        completions.take(maximum: maximum, until: try checkedWait(until: deadline))
    }

    // MARK: The end

    /// Takes no more tasks, and cancels those that have not ended.
    package func shutDown() {
        guard intake.shutDown() else { return }
        intake.submit(.shutDown)
        driver.settle()
    }

    /// The client is gone: the threads end when its last task has. In the modes in which only the client could hand over
    /// completions, tasks end now.
    package func finish() {
        guard Fork.count == forkCount, options.completions == .callback else { return destroy() }
        guard intake.destroy(now: false) else { return }
        endThreads()?.detach()
        driver.detach()
        intake.submit(.finish)
        driver.settle()
    }

    /// Ends all tasks and the threads. Waits for the callbacks that are due, unless called inside a callback. On a thread that
    /// may not wait for the I/O thread it leaves all of that to another one.
    package func destroy() {
        guard Fork.count == forkCount, intake.destroy(now: true) else { return }
        intake.submit(.destroy)
        if !Thread.mayWait, let thread = Thread(name: "netcore-end", { self.end(mayWait: true) }) {
            return thread.detach()
        }
        end(mayWait: !CallbackScope.isInside && Thread.mayWait)
    }

    /// No thread starts from now on, and the callback thread is the caller's.
    private func endThreads() -> Thread? {
        threads.withLock {
            isEnding = true
            return callbackThread.take()
        }
    }

    private func end(mayWait: Bool) {
        // A thread that rests for good hands over nothing any more.
        if Standstill.isForGood { completions.close() }
        if let callbackThread = endThreads() {
            mayWait ? callbackThread.join() : callbackThread.detach()
        }
        if Standstill.isForGood || !Thread.mayWait { driver.detach() } else { driver.join() }
        if mayWait, !Standstill.isForGood { downloads.drain() }
        intake.dropAllAwaited()
        completions.reportLast()
        if mayWait { parts.observers.drain() }
        parts.closeWorkers(waits: mayWait)
        parts.identities.cookies?.close()
        parts.hsts?.close()
        parts.alternatives?.close()
        if Thread.mayWait { parts.diskReads.wait() }
        if mayWait { cache?.sideThread.drain() }
        switch options.completions {
        case .callback: break
        case .pump, .loop: mayWait ? completions.finish() : completions.finishLater()
        case .queue, .loopQueue: completions.drop()
        }
        if mayWait { Releases.drain() }
    }
}
