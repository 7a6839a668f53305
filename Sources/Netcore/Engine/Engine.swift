package import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// What a client consists of: its loop, what is handed to it and what comes back, and its threads.
package final class Engine: @unchecked Sendable {  // `loop` belongs to who drives it; the threads are set once
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
    private let descriptors: EventLoop
    /// For who drives it only.
    let loop: ClientLoop
    private var driver: LoopDriver?
    private var callbackThread: Thread?

    package init(_ options: Client.Options) throws(NetcoreError) {
        guard !Standstill.isForGood else { throw Intake.exitError }
        try options.limits.check()
        guard Fork.isWatched, let descriptors = EventLoop() else { throw Self.outOfMemory }
        completions = CompletionQueue(mode: options.completions, loop: descriptors)
        guard options.completions == .callback || completions.descriptor >= 0 else { throw Self.outOfMemory }
        intake = Intake(loop: descriptors, completions: completions, limits: options.limits)
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
        if let transport = options.transport { try parts.settings.change { $0.transport = transport } }
        loop = try ClientLoop(options, parts, loop: descriptors, intake: intake, completions: completions)
        self.options = options
        self.descriptors = descriptors
        try startThreads()
    }

    static let outOfMemory = NetcoreError(.outOfMemory, argument: "client", "descriptors or memory ran out")

    private func startThreads() throws(NetcoreError) {
        driver = LoopDriver(self)
        guard driver != nil else { throw NetcoreError(.outOfMemory, argument: "client", "no thread can be started") }
        guard options.completions == .callback else { return }
        callbackThread = Thread(name: "netcore-done") { self.completions.runToTheEnd() }
        guard callbackThread == nil else { return }
        intake.submit(.destroy)
        driver?.join()
        throw NetcoreError(.outOfMemory, argument: "client", "no thread can be started")
    }

    deinit { parts.closeWorkers(waits: false) }

    // MARK: For any thread

    package func checkUsable() throws(NetcoreError) {
        guard Fork.count == forkCount else {
            throw NetcoreError(.forked, argument: "client", "was created before fork(), in the parent")
        }
        guard !Standstill.isForGood else { throw Intake.exitError }
    }

    /// The deadline, where this thread may wait for what the I/O thread does, or does not wait at all.
    func checkedWait(until deadline: MonotonicTime) throws(NetcoreError) -> MonotonicTime {
        if !Thread.mayWait, deadline > .now {
            throw NetcoreError(
                .invalidState, argument: "client", "the call would wait for the netcore thread that makes it")
        }
        return Standstill.isForGood ? .now : deadline
    }

    /// For a thread that is about to wait for what it submitted.
    func wakeNow() { descriptors.wake() }

    /// Takes completions in queue mode. Nil once the client is shut down and nothing more will come.
    package func take(maximum: Int, until deadline: MonotonicTime) throws(NetcoreError) -> [Delivery]? {
        completions.take(maximum: maximum, until: try checkedWait(until: deadline))
    }

    // MARK: The end

    /// Takes no more tasks, and cancels those that have not ended.
    package func shutDown() {
        if intake.shutDown() { intake.submit(.shutDown) }
    }

    /// The client is gone: the threads end when its last task has. In the modes in which only the client could hand over
    /// completions, tasks end now.
    package func finish() {
        guard Fork.count == forkCount, options.completions == .callback else { return destroy() }
        guard intake.destroy(now: false) else { return }
        callbackThread?.detach()
        driver?.detach()
        intake.submit(.finish)
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

    private func end(mayWait: Bool) {
        // A thread that rests for good hands over nothing any more.
        if Standstill.isForGood { completions.close() }
        if let callbackThread {
            mayWait ? callbackThread.join() : callbackThread.detach()
        }
        if Standstill.isForGood || !Thread.mayWait { driver?.detach() } else { driver?.join() }
        if mayWait, !Standstill.isForGood { downloads.drain() }
        intake.dropAllAwaited()
        parts.closeWorkers(waits: mayWait)
        parts.identities.cookies?.close()
        parts.hsts?.close()
        parts.alternatives?.close()
        if Thread.mayWait { parts.diskReads.wait() }
        if mayWait { cache?.sideThread.drain() }
        switch options.completions {
        case .callback: break
        case .pump: mayWait ? completions.finish() : completions.finishLater()
        case .queue: completions.drop()
        }
        if mayWait { Releases.drain() }
    }
}
