package import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// What a client is behind its handle: the I/O thread, its queue of submissions, the registry of tasks, the pipeline.
///
/// `submit` and the registry are for any thread, under `lock`. What is marked "I/O thread" is touched by that one alone.
package final class Engine: @unchecked Sendable {  // see above
    enum Submission {
        case start(RequestTask)
        case startMany([RequestTask])
        case cancel(RequestTask)
        case cancelMany([RequestTask])
        case group(RequestGroup, [RequestTask])
        case hostEnded(RequestTask, NetcoreError.Code)
        /// Goes on with a task that the cache held while it looked at the disk.
        case call(RequestTask, @Sendable (CacheStage) -> Void)
        case limits(ClientLimits)
        case shutDown
        case finish
        case destroy
    }

    package let options: Client.Options
    package let completions: CompletionQueue
    package var cache: Cache? { options.cache }
    package let forkCount = Fork.count
    private let loop: EventLoop
    private let lock = Lock()
    private var submissions: ContiguousArray<Submission> = []
    private let hasSubmissions = Atomic<Bool>(false)
    private var tasks: ContiguousArray<RequestTask> = []
    private var groups: ContiguousArray<RequestGroup> = []
    private var isShutDown = false
    private var isDestroyed = false
    /// The I/O thread takes no more submissions: what they hold would hold the engine for ever.
    private var hasEnded = false
    private var ioThread: Thread?
    private var callbackThread: Thread?
    /// Tasks dispatched and not yet transferring.
    private let queueLength = Atomic<Int>(0)
    private let queueLimit: Atomic<Int>

    // MARK: I/O thread

    private var transport: CurlTransport?
    private(set) var pipeline = Pipeline([]) { _, _ in }
    private var admit: AdmitStage?
    private var cacheStage: CacheStage?
    private var transportStage: TransportStage?
    private var limits: ClientLimits
    private var batch: ContiguousArray<Submission> = []
    private var deliveries: ContiguousArray<Delivery> = []
    /// Until when submissions may come without a wake-up; see ``CompletionQueue/defersWake()``.
    private var watchUntil = MonotonicTime(microseconds: 0)
    private var isEnding = false
    private var endsWhenIdle = false
    /// Shut down: the completions end with the last task.
    private var isDraining = false

    package init(_ options: Client.Options) throws(NetcoreError) {
        guard Fork.isWatched, let loop = EventLoop(),
            let transport = CurlTransport(loop: loop, options: try options.transportOptions())
        else { throw NetcoreError(.outOfMemory, "client: descriptors or memory ran out") }
        self.options = options
        self.loop = loop
        self.transport = transport
        limits = options.limits
        queueLimit = Atomic(options.limits.queueLength)
        completions = CompletionQueue(mode: options.completions, loop: loop)
        guard options.completions == .callback || completions.descriptor >= 0 else {
            throw NetcoreError(.outOfMemory, "client: descriptors ran out")
        }
        let admit = AdmitStage(engine: self, limits: options.limits)
        let transportStage = TransportStage(engine: self, transport: transport)
        self.admit = admit
        self.transportStage = transportStage
        cacheStage = options.cache.map { CacheStage(engine: self, cache: $0) }
        var stages: [any Stage] = [FollowStage(engine: self), admit]
        if let cacheStage { stages.append(cacheStage) }
        pipeline = Pipeline(stages + [transportStage]) { [unowned self] task, result in self.complete(task, result) }
        try startThreads()
    }

    private func startThreads() throws(NetcoreError) {
        ioThread = Thread(name: "netcore-io") { self.run() }
        guard ioThread != nil else { throw NetcoreError(.outOfMemory, "client: no thread can be started") }
        guard options.completions == .callback else { return }
        callbackThread = Thread(name: "netcore-done") { self.completions.runToTheEnd() }
        guard callbackThread == nil else { return }
        submit(.destroy)
        ioThread?.join()
        throw NetcoreError(.outOfMemory, "client: no thread can be started")
    }

    // MARK: Submitting, from any thread

    package var shutDownError: NetcoreError { NetcoreError(.shutDown, "client: it has been shut down") }

    /// Whether it takes requests: it has not been shut down.
    var isOpen: Bool { lock.withLock { !isShutDown } }

    package func checkUsable() throws(NetcoreError) {
        guard Fork.count == forkCount else {
            throw NetcoreError(.forked, "client: it was made before fork(), in the parent")
        }
    }

    func submit(_ submission: Submission) {
        lock.lock()
        if !hasEnded { submissions.append(submission) }
        lock.unlock()
        wake()
    }

    private func wake() {
        hasSubmissions.store(true, ordering: .sequentiallyConsistent)
        if !completions.defersWake() { loop.wake() }
    }

    /// For a thread that is about to wait for what it submitted.
    package func wakeNow() { loop.wake() }

    /// Registers and starts tasks that were just made. All of them or none.
    package func dispatch(_ made: [RequestTask]) throws(NetcoreError) {
        guard reserveQueue(made.count) else { throw queueIsFull }
        lock.lock()
        guard !isShutDown else {
            lock.unlock()
            queueLength.wrappingSubtract(made.count, ordering: .relaxed)
            throw shutDownError
        }
        let now = MonotonicTime.now
        for task in made {
            task.call.queuedSince = now
            _ = task.markQueued()
            add(task)
        }
        submissions.append(made.count == 1 ? .start(made[0]) : .startMany(made))
        lock.unlock()
        wake()
    }

    /// Registers and starts one task that was just made.
    package func dispatch(_ made: RequestTask) throws(NetcoreError) {
        guard reserveQueue(1) else { throw queueIsFull }
        lock.lock()
        guard !isShutDown else {
            lock.unlock()
            queueLength.wrappingSubtract(1, ordering: .relaxed)
            throw shutDownError
        }
        made.call.queuedSince = .now
        _ = made.markQueued()
        add(made)
        submissions.append(.start(made))
        lock.unlock()
        wake()
    }

    /// Starts a task that was registered before.
    package func dispatchCreated(_ task: RequestTask) throws(NetcoreError) {
        guard case .request = task.work, task.group == nil else {
            throw NetcoreError(.invalidState, "task: its group dispatches it")
        }
        guard reserveQueue(1) else { throw queueIsFull }
        lock.lock()
        guard !isShutDown, task.markQueued() else {
            let error =
                isShutDown
                ? shutDownError : NetcoreError(.invalidState, "task: it has been dispatched already, or has ended")
            lock.unlock()
            queueLength.wrappingSubtract(1, ordering: .relaxed)
            throw error
        }
        task.call.queuedSince = .now
        submissions.append(.start(task))
        lock.unlock()
        wake()
    }

    /// Starts a group with those of its members that have not ended. False when the client has been shut down. The
    /// group's lock is held.
    func dispatch(_ group: RequestGroup, _ members: [RequestTask]) -> Bool {
        lock.lock()
        guard !isShutDown else {
            lock.unlock()
            return false
        }
        let now = MonotonicTime.now
        let queued = members.filter { $0.markQueued() }
        for task in queued { task.call.queuedSince = now }
        queueLength.wrappingAdd(queued.count, ordering: .relaxed)
        submissions.append(.group(group, queued))
        lock.unlock()
        wake()
        return true
    }

    private var queueIsFull: NetcoreError {
        NetcoreError(.limitQueueLength, "the queue is full: \(queueLimit.load(ordering: .relaxed)) tasks wait")
    }

    private func reserveQueue(_ count: Int) -> Bool {
        let sum = queueLength.wrappingAdd(count, ordering: .relaxed).newValue
        guard sum > queueLimit.load(ordering: .relaxed) else { return true }
        queueLength.wrappingSubtract(count, ordering: .relaxed)
        return false
    }

    /// Registers a task without starting it. Returns false when the client has been shut down.
    package func register(_ task: RequestTask) -> Bool {
        lock.withLock {
            guard !isShutDown else { return false }
            add(task)
            return true
        }
    }

    func register(_ group: RequestGroup) -> Bool {
        lock.withLock {
            guard !isShutDown else { return false }
            group.registryIndex = groups.count
            groups.append(group)
            return true
        }
    }

    func unregister(_ group: RequestGroup) {
        lock.withLock {
            let index = group.registryIndex
            guard index >= 0 else { return }
            group.registryIndex = -1
            let last = groups.removeLast()
            guard last !== group else { return }
            groups[index] = last
            last.registryIndex = index
        }
    }

    private func add(_ task: RequestTask) {
        task.registryIndex = tasks.count
        tasks.append(task)
    }

    private func unregister(_ task: RequestTask) {
        lock.withLock {
            let index = task.registryIndex
            guard index >= 0 else { return }
            task.registryIndex = -1
            let last = tasks.removeLast()
            guard last !== task else { return }
            tasks[index] = last
            last.registryIndex = index
        }
    }

    /// Cancels those of these tasks that have not ended. Returns how many.
    @discardableResult
    package func cancel(_ some: [RequestTask]) -> Int {
        let canceled = some.filter { $0.markCanceled() != nil }
        if !canceled.isEmpty { submit(.cancelMany(canceled)) }
        return canceled.count
    }

    /// Cancels the tasks that have not ended and have this tag; nil for all.
    package func cancelAll(tag: String?) -> Int {
        let some = lock.withLock {
            guard let tag else { return Array(tasks) }
            return tasks.filter {
                if case .request(let request, _) = $0.work { request.tag == tag } else { false }
            }
        }
        return cancel(some)
    }

    package func setLimits(_ change: (inout ClientLimits) -> Void) throws(NetcoreError) {
        try checkUsable()
        let changed: ClientLimits? = lock.withLock {
            guard !isShutDown else { return nil }
            change(&callerLimits)
            queueLimit.store(callerLimits.queueLength, ordering: .relaxed)
            submissions.append(.limits(callerLimits))
            return callerLimits
        }
        guard changed != nil else { throw shutDownError }
        wake()
    }

    /// The limits as callers last set them, under the lock.
    private lazy var callerLimits = options.limits

    package func hostEnded(_ task: RequestTask, _ code: NetcoreError.Code) { submit(.hostEnded(task, code)) }

    /// Takes completions in queue mode. Nil once the client is shut down and nothing more will come.
    package func take(maximum: Int, until deadline: MonotonicTime) -> [Delivery]? {
        completions.take(maximum: maximum, until: deadline)
    }

    // MARK: The end

    /// Takes no more tasks, and cancels those that have not ended.
    package func shutDown() {
        let isFirst = lock.withLock {
            defer { isShutDown = true }
            return !isShutDown
        }
        if isFirst { submit(.shutDown) }
    }

    /// The client is gone: the threads end when its last task has. In the modes in which only the client could hand over
    /// completions, tasks end now.
    package func finish() {
        guard Fork.count == forkCount, options.completions == .callback else { return destroy() }
        let isFirst = lock.withLock {
            defer { isDestroyed = true }
            return !isDestroyed
        }
        guard isFirst else { return }
        callbackThread?.detach()
        ioThread?.detach()
        submit(.finish)
    }

    /// Ends all tasks and the threads. Waits for the callbacks that are due, unless called inside a callback.
    package func destroy() {
        guard Fork.count == forkCount else { return }
        let isFirst = lock.withLock {
            defer {
                isShutDown = true
                isDestroyed = true
            }
            return !isDestroyed
        }
        guard isFirst else { return }
        submit(.destroy)
        let mayWait = !CallbackScope.isInside
        if let callbackThread {
            mayWait ? callbackThread.join() : callbackThread.detach()
        }
        // The I/O thread runs no code of the host's, so that its end can be waited for anywhere but on itself.
        if ioThread?.isCurrent ?? true { ioThread?.detach() } else { ioThread?.join() }
        switch options.completions {
        case .callback: break
        case .pump: mayWait ? completions.finish() : completions.finishLater()
        case .queue: completions.drop()
        }
    }

    // MARK: The I/O thread

    private func run() {
        while !isEnding {
            takeSubmissions()
            // Who cancels very many hears of it before all their connections are closed.
            if transport?.hasManyDoomed ?? false { flush() }
            transport?.drive()
            flush()
            if endsWhenIdle, isIdle() { isEnding = true }
            if isDraining, isIdle() { completions.close() }
            if isEnding { break }
            let deadline = min(transport?.nextDeadline ?? .never, watchUntil > now ? watchUntil : .never)
            loop.wait(until: deadline) { hasSubmissions.load(ordering: .sequentiallyConsistent) }
            transport?.beginTurn()
            loop.takeEvents { transport?.socketReady($0, $1) }
        }
        flush()
        let rest = lock.withLock {
            hasEnded = true
            defer { submissions = [] }
            return submissions
        }
        withExtendedLifetime(rest) {}
        pipeline = Pipeline([]) { _, _ in }
        admit = nil
        cacheStage = nil
        transportStage = nil
        transport = nil
        completions.close()
    }

    /// Whether nothing is under way, and nothing can be any more.
    private func isIdle() -> Bool {
        lock.withLock {
            guard tasks.isEmpty, groups.isEmpty, submissions.isEmpty else { return false }
            isShutDown = true
            return true
        }
    }

    private func flush() {
        guard !deliveries.isEmpty else { return }
        let handedOver = MonotonicTime.now
        watchUntil = handedOver.adding(microseconds: 1000)
        completions.add(&deliveries, watchedUntil: handedOver.adding(microseconds: 500))
    }

    private func takeSubmissions() {
        guard hasSubmissions.exchange(false, ordering: .sequentiallyConsistent) else { return }
        lock.lock()
        swap(&batch, &submissions)
        lock.unlock()
        transport?.beginTurn()
        for submission in batch { handle(submission) }
        batch.removeAll(keepingCapacity: true)
    }

    private func handle(_ submission: Submission) {
        switch submission {
        case .start(let task): start(task)
        case .startMany(let some): for task in some { start(task) }
        case .cancel(let task): cancelNow(task)
        case .cancelMany(let some): for task in some { cancelNow(task) }
        case .group(let group, let members):
            for task in members { start(task) }
            if group.endsAtDispatch() { end(group) }
        case .hostEnded(let task, let code): end(task, code)
        case .call(_, let resume): if let cacheStage { resume(cacheStage) }
        case .limits(let changed):
            limits = changed
            admit?.setLimits(changed)
        case .shutDown:
            cancelEverything(force: false)
            isDraining = true
        case .finish: endsWhenIdle = true
        case .destroy:
            cancelEverything(force: true)
            isEnding = true
        }
    }

    private func start(_ task: RequestTask) {
        guard !task.call.isEnded, !task.call.isStarted else { return taskLeftQueue(task) }
        task.call.isStarted = true
        if task.isCanceled {
            taskLeftQueue(task)
            return complete(task, canceledResult(task))
        }
        switch task.work {
        case .request: pipeline.start(task)
        case .host(let resume, _):
            taskLeftQueue(task)
            task.markRunning()
            if let resume { deliveries.append(.host(task, resume)) }
        }
    }

    private func cancelNow(_ task: RequestTask) {
        guard !task.call.isEnded else { return }
        switch task.work {
        case .host(_, let cancel) where task.call.isStarted:
            // The host says when its work has ended.
            if let cancel, !task.call.hasCanceledHost {
                task.call.hasCanceledHost = true
                deliveries.append(.host(task, cancel))
            }
        case .request where task.call.isStarted:
            task.call.isEnded = true
            let result = pipeline.abandon(task)
            if result.error == nil { result.error = NetcoreError(.canceled, phase: .queue) }
            task.call.isEnded = false
            pipeline.end(task, result)
        default: complete(task, canceledResult(task))
        }
    }

    /// For a task that never came to be queued, or never left the queue.
    private func canceledResult(_ task: RequestTask) -> Response {
        Response(error: NetcoreError(.canceled, phase: task.state == .created ? .none : .queue))
    }

    private func cancelEverything(force: Bool) {
        let (all, open) = lock.withLock { (Array(tasks), Array(groups)) }
        for task in all {
            _ = task.markCanceled()
            cancelNow(task)
            if force, !task.call.isEnded { complete(task, canceledResult(task)) }
        }
        for group in open where !group.progress.isDispatched { group.cancel() }
    }

    /// The host said that its work has ended.
    private func end(_ task: RequestTask, _ code: NetcoreError.Code) {
        guard !task.call.isEnded else { return }
        let result = Response()
        if code != .ok { result.error = NetcoreError(code) }
        complete(task, result)
    }

    func transferDidEnd(_ task: RequestTask, _ result: Response) {
        transportStage?.account(task, result)
        pipeline.end(task, result)
    }

    // MARK: For the stages

    var now: MonotonicTime { transport?.now ?? .now }

    func host(for wire: WireRequest) -> Host {
        if let host = wire.host, !host.isRetired { return host }
        let host = transport?.host(for: wire.url.origin) ?? Host(origin: wire.url.origin)
        wire.host = host
        return host
    }

    /// The hop that a task is at, with other fields.
    func wire(for task: RequestTask, fields: FieldBlock) -> WireRequest? {
        guard let request = task.call.request, let wire = task.call.wire else { return nil }
        let changed = request.wire(method: wire.method, url: wire.url, fields: fields, task.call.trimming)
        changed.host = wire.host
        return changed
    }

    /// Shows an answer before the last one.
    func deliverProvisional(_ task: RequestTask, _ response: Response) {
        response.isProvisional = true
        response.url = task.call.wire?.url
        response.redirects = task.call.redirects
        switch task.sink {
        case .callback: deliveries.append(.provisional(task, response))
        case .none where options.completions == .queue && task.id != 0: deliveries.append(.provisional(task, response))
        default: break
        }
    }

    /// Validates in the background what a task was served stale.
    func revalidate(_ task: RequestTask) {
        guard let request = task.call.request, let wire = task.call.wire, let state = task.call.cache,
            let made = try? RequestTask(
                engine: self, work: .request(request, wire), sink: .discarded, hasID: false)
        else { return }
        made.call.cache = CacheState(state.query)
        made.call.cache?.isRevalidation = true
        made.call.cache?.hasLookedAtDisk = true
        made.call.trimming = task.call.trimming
        made.call.queuedSince = now
        made.call.hasLeftQueue = true
        _ = made.markQueued()
        guard register(made) else { return }
        submit(.start(made))
    }

    func limits(for request: Request) -> Limits {
        !request.hasLimits ? limits.task : request.limits.applied(to: limits.task)
    }

    func taskLeftQueue(_ task: RequestTask) {
        guard !task.call.hasLeftQueue else { return }
        task.call.hasLeftQueue = true
        queueLength.wrappingSubtract(1, ordering: .relaxed)
    }

    // MARK: Complete: the end of the way up

    /// Ends a task: exactly once.
    private func complete(_ task: RequestTask, _ result: Response) {
        guard !task.call.isEnded else { return }
        task.call.isEnded = true
        if task.markFinished(), result.error?.code != .canceled {
            result.error = NetcoreError(.canceled, phase: .done)
        }
        if case .host = task.work { task.hostCode = result.error?.code ?? .ok }
        unregister(task)
        deliver(task, response(task, result))
        if let group = task.group, group.memberDidEnd(result.error?.code ?? .ok) { end(group) }
    }

    private func response(_ task: RequestTask, _ result: Response) -> Response? {
        guard case .request = task.work else { return nil }
        guard result.cached == nil || task.call.attempts > 0 || result.error != nil else { return fromCache(task, result) }
        result.error?.attempts = task.call.attempts
        result.timings.queue = task.call.queueTime
        result.timings.total = task.call.started.map { MonotonicTime.now.microseconds(since: $0) }
        result.attempts = task.call.attempts
        result.bytesSent = task.call.bytesSent
        result.bytesReceived = task.call.bytesReceived
        result.url = task.call.wire?.url
        result.redirects = task.call.redirects
        if result.error != nil { result.bodyBuffer = nil }
        return result
    }

    /// An answer that took no transfer has no timings but its own.
    private func fromCache(_ task: RequestTask, _ result: Response) -> Response {
        result.timings.queue = task.call.queueTime
        result.timings.total = task.call.started.map { MonotonicTime.now.microseconds(since: $0) }
        result.url = task.call.wire?.url
        result.redirects = task.call.redirects
        return result
    }

    private func deliver(_ task: RequestTask, _ response: Response?) {
        switch task.sink {
        case .waiter(let waiter):
            if let response { waiter.deliver(response) }
        case .continuation(let continuation):
            task.releaseID()
            if let response { continuation.resume(returning: response) }
        case .discarded: break
        case .none where options.completions != .queue: task.releaseID()
        case .none, .callback: deliveries.append(.task(task, response))
        }
    }

    private func end(_ group: RequestGroup) {
        group.removeMembers()
        unregister(group)
        if case .none = group.sink, options.completions != .queue { return group.releaseID() }
        deliveries.append(.group(group))
    }
}
