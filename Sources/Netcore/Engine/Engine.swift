package import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// What a client is behind its handle: the I/O thread with its pipeline, and what is handed to it and comes back.
///
/// What is marked "I/O thread" is touched by that one alone.
package final class Engine: @unchecked Sendable {  // see above
    private static let made = Atomic<UInt64>(0)

    /// Its own among all that this process ever made, from 1 on.
    let number = Engine.made.wrappingAdd(1, ordering: .relaxed).newValue
    package let options: Client.Options
    package let completions: CompletionQueue
    package var cache: Cache? { options.cache }
    package let forkCount = Fork.count
    let defaultFields: DefaultFields
    let settings = ClientSettings()
    package let intake: Intake
    private let loop: EventLoop
    private var ioThread: Thread?
    private var callbackThread: Thread?
    private let diskReads = DiskReads()
    /// Calls what has a say in requests.
    let filterWorker = HostWorker(name: "netcore-filter")
    /// Calls what gives credentials.
    let credentialWorker = HostWorker(name: "netcore-token")
    /// Nil where the client keeps none.
    package let cookies: CookieStore?
    private let hasSentCookies = Atomic<Bool>(false)
    /// Nil where no host is asked whether it wants https alone.
    let hsts: HSTSStore?
    /// Nil where connections go to no other place than their origins.
    let alternatives: AlternativeStore?

    // MARK: I/O thread

    private(set) var transport: CurlTransport?
    private(set) var pipeline = Pipeline([]) { _, _ in }
    private var admit: AdmitStage?
    private(set) var resolveStage: ResolveStage?
    private(set) var credentialsStage: CredentialsStage?
    private(set) var cacheStage: CacheStage?
    private var transportStage: TransportStage?
    private var limits: ClientLimits
    private var batch: ContiguousArray<Intake.Submission> = []
    private var deliveries: ContiguousArray<Delivery> = []
    /// Until when submissions may come without a wake-up; see ``CompletionQueue/defersWake()``.
    private var watchUntil = MonotonicTime(microseconds: 0)
    private var isEnding = false
    private var endsWhenIdle = false
    /// Shut down: the completions end with the last task.
    private var isDraining = false

    package init(_ options: Client.Options) throws(NetcoreError) {
        let transportOptions = try options.transportOptions()
        guard !Standstill.isForGood else { throw Intake.exitError }
        guard Fork.isWatched, let loop = EventLoop() else { throw Self.outOfMemory }
        let completions = CompletionQueue(mode: options.completions, loop: loop)
        let intake = Intake(loop: loop, completions: completions, limits: options.limits)
        let transport = CurlTransport(loop: loop, options: transportOptions) { work in
            intake.submit(.run { engine in if let transport = engine.transport { work(transport) } })
        }
        guard let transport, options.completions == .callback || completions.descriptor >= 0 else {
            throw Self.outOfMemory
        }
        self.options = options
        cookies = try options.makeCookies()
        hsts = try options.hstsFile.map { path throws(NetcoreError) in try HSTSStore(file: path) }
        alternatives = try options.makeAlternatives()
        defaultFields = DefaultFields(userAgent: options.userAgent, acceptEncoding: options.acceptEncoding)
        self.loop = loop
        self.transport = transport
        limits = options.limits
        self.completions = completions
        self.intake = intake
        let admit = AdmitStage(engine: self, limits: options.limits)
        let transportStage = TransportStage(engine: self, transport: options.makeTransport?() ?? transport)
        self.admit = admit
        self.transportStage = transportStage
        cacheStage = options.cache.map { CacheStage(engine: self, cache: $0, reads: diskReads) }
        let resolveStage = ResolveStage(engine: self)
        self.resolveStage = resolveStage
        let credentialsStage = CredentialsStage(engine: self)
        self.credentialsStage = credentialsStage
        var stages: [any Stage] = [resolveStage, FollowStage(engine: self), credentialsStage]
        if let cacheStage { stages.append(cacheStage) }
        pipeline = Pipeline(stages + [admit, transportStage]) { [unowned self] task, result in
            self.complete(task, result)
        }
        try startThreads()
    }

    private static let outOfMemory = NetcoreError(.outOfMemory, "client: descriptors or memory ran out")

    private func startThreads() throws(NetcoreError) {
        ioThread = Thread(name: "netcore-io", mayWait: false) { self.run() }
        guard ioThread != nil else { throw NetcoreError(.outOfMemory, "client: no thread can be started") }
        guard options.completions == .callback else { return }
        callbackThread = Thread(name: "netcore-done") { self.completions.runToTheEnd() }
        guard callbackThread == nil else { return }
        intake.submit(.destroy)
        ioThread?.join()
        throw NetcoreError(.outOfMemory, "client: no thread can be started")
    }

    deinit {
        filterWorker.close(waits: false)
        credentialWorker.close(waits: false)
        if hasSentCookies.load(ordering: .relaxed) { cache?.leaveCookieClient() }
    }

    // MARK: For any thread

    /// A request of this client's has cookies that the client keeps.
    func noteCookiesSent() {
        guard cache != nil, !hasSentCookies.load(ordering: .relaxed),
            !hasSentCookies.exchange(true, ordering: .relaxed)
        else { return }
        cache?.joinCookieClient()
    }

    package func checkUsable() throws(NetcoreError) {
        guard Fork.count == forkCount else {
            throw NetcoreError(.forked, "client: it was made before fork(), in the parent")
        }
        guard !Standstill.isForGood else { throw Intake.exitError }
    }

    /// The deadline, where this thread may wait for what the I/O thread does, or does not wait at all.
    func checkedWait(until deadline: MonotonicTime) throws(NetcoreError) -> MonotonicTime {
        if !Thread.mayWait, deadline > .now {
            throw NetcoreError(.invalidState, "client: the call would wait for the thread of netcore's that makes it")
        }
        return Standstill.isForGood ? .now : deadline
    }

    /// For a thread that is about to wait for what it submitted.
    func wakeNow() { loop.wake() }

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
        ioThread?.detach()
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
        if Standstill.isForGood || !Thread.mayWait { ioThread?.detach() } else { ioThread?.join() }
        intake.dropAllAwaited()
        filterWorker.close(waits: mayWait)
        credentialWorker.close(waits: mayWait)
        cookies?.close()
        hsts?.close()
        alternatives?.close()
        if Thread.mayWait { diskReads.wait() }
        if mayWait { cache?.sideThread.drain() }
        switch options.completions {
        case .callback: break
        case .pump: mayWait ? completions.finish() : completions.finishLater()
        case .queue: completions.drop()
        }
    }

    // MARK: The I/O thread

    private func run() {
        loop.begin()
        while !isEnding {
            takeSubmissions()
            // Who cancels very many hears of it before all their connections are closed.
            if transport?.hasManyDoomed ?? false { flush() }
            transport?.drive()
            flush()
            if endsWhenIdle, intake.shutDownWhenIdle() { isEnding = true }
            if isDraining, intake.shutDownWhenIdle() { completions.close() }
            if isEnding { break }
            resolveStage?.expire(now)
            credentialsStage?.expire(now)
            cacheStage?.expire(now)
            flush()
            let deadline = min(
                transport?.nextDeadline ?? .never, cacheStage?.nextDeadline ?? .never,
                resolveStage?.nextDeadline ?? .never, credentialsStage?.nextDeadline ?? .never,
                watchUntil > now ? watchUntil : .never)
            loop.wait(until: deadline) { intake.isWaiting }
            transport?.beginTurn()
            loop.takeEvents { transport?.socketReady($0, $1) }
        }
        flush()
        intake.end()
        pipeline = Pipeline([]) { _, _ in }
        admit = nil
        resolveStage = nil
        credentialsStage?.close()
        credentialsStage = nil
        cacheStage = nil
        transportStage = nil
        transport = nil
        completions.close()
        settings.close()
        loop.end()
    }

    private func flush() {
        guard !deliveries.isEmpty else { return }
        let handedOver = MonotonicTime.now
        watchUntil = handedOver.adding(microseconds: 1000)
        completions.add(&deliveries, watchedUntil: handedOver.adding(microseconds: 500))
    }

    private func takeSubmissions() {
        guard intake.take(into: &batch) else { return }
        transport?.beginTurn()
        for submission in batch { handle(submission) }
        batch.removeAll(keepingCapacity: true)
    }

    private func handle(_ submission: Intake.Submission) {
        switch submission {
        case .start(let task): start(task)
        case .startMany(let some): for task in some { start(task) }
        case .cancel(let task): cancelNow(task)
        case .cancelMany(let some): for task in some { cancelNow(task) }
        case .group(let group, let members):
            for task in members { start(task) }
            if group.endsAtDispatch() { end(group) }
        case .hostEnded(let task, let code): end(task, code)
        case .run(let body): body(self)
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
        if task.isCanceled { return complete(task, canceledResult(task)) }
        switch task.work {
        case .request, .unresolved: pipeline.start(task)
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
        case .request where task.call.isStarted, .unresolved where task.call.isStarted:
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
        let (tasks, groups) = intake.everything
        for task in tasks {
            _ = task.markCanceled()
            cancelNow(task)
            if force, !task.call.isEnded { complete(task, canceledResult(task)) }
        }
        for group in groups where !group.progress.isDispatched { group.cancel() }
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
        if transportStage?.retryWithoutAlternative(task, result) ?? false { return }
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
        let changed = request.wire(wire, fields: fields, task.call.trimming)
        changed.host = wire.host
        return changed
    }

    /// Shows an answer before the last one, or progress. Returns whether somebody looks.
    @discardableResult
    func deliverEarly(_ task: RequestTask, _ response: Response) -> Bool {
        switch task.sink {
        case .callback: break
        case .none where options.completions == .queue && task.id != 0: break
        default: return false
        }
        response.isEarly = true
        response.url = task.call.wire?.url ?? task.call.request?.url
        response.redirects = task.call.redirects
        response.userInfoBox = task.call.request?.options.userInfo
        deliveries.append(.early(task, response))
        return true
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
        guard intake.register(made, as: .queued) else { return }
        intake.submit(.start(made))
    }

    func limits(for request: Request) -> Limits {
        request.options.limits?.applied(to: limits.task) ?? limits.task
    }

    /// The task leaves the queue: its first transfer starts, or it waits for another one's.
    func begin(_ task: RequestTask) {
        let now = now
        task.call.started = now.adding(microseconds: -task.call.hostTime)
        task.call.queueTime = max(now.microseconds(since: task.call.queuedSince) - task.call.hostTime, 0)
        task.markRunning()
        taskLeftQueue(task)
    }

    private func taskLeftQueue(_ task: RequestTask) {
        guard !task.call.hasLeftQueue else { return }
        task.call.hasLeftQueue = true
        intake.leaveQueue(1)
    }

    // MARK: Complete: the end of the way up

    /// Ends a task: exactly once.
    private func complete(_ task: RequestTask, _ result: Response) {
        guard !task.call.isEnded else { return }
        task.call.isEnded = true
        if task.call.isStarted { taskLeftQueue(task) }
        if task.markFinished(), result.error?.code != .canceled {
            result.error = NetcoreError(.canceled, phase: .done)
        }
        if case .host = task.work { task.hostCode = result.error?.code ?? .ok }
        intake.unregister(task)
        deliver(task, response(task, result))
        if let group = task.group, group.memberDidEnd(result.error?.code ?? .ok) { end(group) }
    }

    private func response(_ task: RequestTask, _ result: Response) -> Response? {
        if case .host = task.work { return nil }
        result.userInfoBox = task.call.request?.options.userInfo
        guard result.cached == nil || task.call.attempts > 0 || result.error != nil else {
            return fromCache(task, result)
        }
        result.error?.attempts = task.call.attempts
        result.timings.queue = task.call.queueTime
        result.timings.total = task.call.started.map { MonotonicTime.now.microseconds(since: $0) }
        result.attempts = task.call.attempts
        result.bytesSent = task.call.bytesSent
        result.bytesReceived = task.call.bytesReceived
        result.url = task.call.wire?.url ?? task.call.request?.url
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
            if let response { task.resume(continuation, returning: response) }
        case .discarded: break
        case .none where options.completions != .queue: task.releaseID()
        case .none, .callback: deliveries.append(.task(task, response))
        }
    }

    private func end(_ group: RequestGroup) {
        group.removeMembers()
        intake.unregister(group)
        if case .none = group.sink, options.completions != .queue { return group.releaseID() }
        deliveries.append(.group(group))
    }
}
