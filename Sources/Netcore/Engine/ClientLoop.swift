internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport
internal import CLinux

/// The loop of a client: submissions go in, deliveries come out, and between them are the pipeline and the transport.
///
/// One thread at a time may hold it, and calls ``turn()`` and ``wait(until:)`` by turns; ``LoopDriver`` says which.
final class ClientLoop {
    private let loop: EventLoop
    let intake: Intake
    private let completions: CompletionQueue
    let context: StageContext
    private let settings: ClientSettings
    let counters: ClientCounters
    private let reachability: ReachabilityState
    /// Nil for the machine's clock.
    private let clock: ManualClock?
    private let clockMember: ClockMember
    let observers: Observers
    private var libcurl: CurlTransport?
    /// Nil unless the client watches the network.
    private var network: NetworkWatch?
    var pipeline: Pipeline?
    private var batch: ContiguousArray<Intake.Submission> = []
    var deliveries: ContiguousArray<Delivery> = []
    let mode: CompletionMode
    /// Tasks that have started and not ended.
    var running = 0
    /// Nil unless the client drops those of the lowest priority when its queue is full.
    var waiting: WaitingTasks?
    /// Until when submissions may come without a wake-up; see ``CompletionQueue/defersWake()``.
    var watchUntil = MonotonicTime(microseconds: 0)
    static let watchTime = 1000
    /// For how long a thread that is expected back may be away. Meanwhile the system's buffers receive.
    static let absence = 5000
    private(set) var isEnding = false
    private var endsWhenIdle = false
    /// When groups have to have ended.
    var groupTimers = Timers()
    /// Shut down: the completions end with the last task.
    private var isDraining = false

    init(
        _ options: Client.Options, _ parts: ClientParts, loop: EventLoop, intake: Intake, completions: CompletionQueue
    ) throws(NetcoreError) {
        let transport = CurlTransport(loop: loop, options: try options.transportOptions()) { work in
            intake.submit(.run { loop in if let transport = loop.libcurl { work(transport) } })
        }
        guard let transport else { throw Engine.outOfMemory }
        self.loop = loop
        self.intake = intake
        self.completions = completions
        settings = parts.settings
        counters = parts.counters
        reachability = parts.reachability
        observers = parts.observers
        clock = parts.clock
        clockMember = ClockMember(intake)
        mode = options.completions
        libcurl = transport
        let manual = parts.clock
        context = StageContext(
            parts, limits: options.limits,
            clock: manual.map { clock in { clock.now } }
                ?? { [unowned(unsafe) transport] in transport.now },  // both end with the loop
            post: { body in intake.submit(.run { _ in body() }) })
        let stages = StageList.make(context, options.makeTransport?(context.post) ?? transport)
        pipeline = Pipeline(stages, context)
        if options.limits.queueOverflow == .dropLowest { waiting = WaitingTasks() }
        if let clock {
            clock.add(clockMember)
            parts.onFunctionEnd { intake.submit(.run { _ in }) }
        }
    }

    /// By the client's clock.
    var now: MonotonicTime { context.now }

    /// By the machine's clock, of this turn.
    var machineNow: MonotonicTime { libcurl?.now ?? .now }

    // MARK: The loop

    /// The calling thread is going to drive. False where the process is at a standstill for good, after `patience`: it must not.
    func begin(patience: MonotonicTime) -> Bool {
        guard loop.begin(patience: patience) else { return false }
        // What changed while no thread drove.
        if network != nil { lookAtNetwork() }
        return true
    }

    /// Does all that can be done now. False when the client has ended.
    func turn() -> Bool {
        clock?.noteTurn(clockMember)
        takeSubmissions()
        // Very many cancels are reported before all their connections are closed.
        if libcurl?.hasManyDoomed ?? false { flush() }
        libcurl?.drive()
        flush()
        if endsWhenIdle, intake.shutDownWhenIdle() { isEnding = true }
        if isDraining, intake.shutDownWhenIdle() { completions.close() }
        guard !isEnding else { return false }
        pipeline?.expire(now)
        while let group = groupTimers.popDue(now) as? RequestGroup { group.timeOut() }
        flush()
        return true
    }

    /// Waits for something to do, until a time at the latest. False where the process came to a standstill for good: the thread must
    /// touch nothing any more.
    func wait(until latest: MonotonicTime) -> Bool {
        libcurl?.endTurn()
        rest()
        let deadline = min(nextDeadline, watchUntil > machineNow ? watchUntil : latest, latest)
        guard loop.wait(until: deadline, patience: latest, hasWork: { intake.isWaiting }) else { return false }
        libcurl?.beginTurn()
        loop.takeEvents { descriptor, events in
            if let network, network.descriptor == descriptor {
                lookAtNetwork()
            } else {
                libcurl?.socketReady(descriptor, events)
            }
        }
        return true
    }

    /// Whether something is under way, so that a thread has to drive. Connections that no request uses need none: what came on them is
    /// seen before the next request.
    var isNeeded: Bool {
        running > 0 || watchUntil > machineNow || libcurl?.isBusy ?? false
            || network != nil && reachability.hasListener || clock != nil && pipeline?.nextPlan != .never
    }

    /// Whether one task is all that is under way, so that nobody else waits if the loop is not driven for a moment.
    func carriesOnly(_ task: RequestTask) -> Bool {
        running == 1 && task.onLoop.isStarted && !task.onLoop.isEnded && watchUntil <= machineNow && network == nil
    }

    /// The thread that drives stops doing so, after a turn. Returns when another one has to go on, by the machine's clock; a time that
    /// is over for at once.
    ///
    /// - Parameter task: the thread will soon drive again for this one.
    func leave(expecting task: RequestTask?) -> MonotonicTime {
        libcurl?.leaveThread()
        let isNeeded = isNeeded
        rest(isLeft: !isNeeded)
        if !isNeeded { return pipeline?.nextPlan ?? .never }
        return task.map(carriesOnly) ?? false ? machineNow.adding(microseconds: Self.absence) : machineNow
    }

    /// The thread of the application's loop has done a turn, and others will follow. Returns when the next is due without an event.
    func pause() -> MonotonicTime {
        libcurl?.endTurn()
        rest()
        return nextDeadline
    }

    /// When there is something to do without an event, by the machine's clock.
    private var nextDeadline: MonotonicTime {
        let transport = libcurl?.nextDeadline ?? .never
        guard let clock else { return min(transport, ownDeadline) }
        return ownDeadline <= clock.now ? machineNow : transport
    }

    /// The same by the client's clock, and without the transport.
    private var ownDeadline: MonotonicTime { min(pipeline?.nextDeadline ?? .never, groupTimers.next) }

    /// Tells a manual clock that there is nothing more to do for now.
    private func rest(isLeft: Bool = false) {
        guard let clock else { return }
        // What is left has no request that could wait for a function.
        let isIdle =
            isLeft || !(libcurl?.hasTransfers ?? false || pipeline?.isBusy ?? false || context.client.runsFunctions)
        let rest = ClockMember.Rest(
            isIdle: isIdle, hasTasks: running > 0, next: isLeft ? .never : ownDeadline, isLeft: isLeft)
        clock.note(rest, of: clockMember)
    }

    /// After the last turn.
    func end() {
        watchNetwork(nil)
        clock?.remove(clockMember)
        let usesOpenSSL = libcurl?.usesOpenSSL ?? false
        libcurl?.endTurn()
        flush()
        intake.end()
        pipeline?.close()
        pipeline = nil
        libcurl = nil
        waiting = nil
        completions.close()
        settings.close()
        reachability.setListener(nil)
        observers.close()
        if usesOpenSSL { CurlTransport.leaveOpenSSL() }
        loop.end()
    }

    // MARK: The network

    /// Watches the network from now on; nil for no more.
    func watchNetwork(_ watch: NetworkWatch?) {
        if let network { loop.control(EPOLL_CTL_DEL, network.descriptor, 0) }
        network = watch
        if let watch { loop.control(EPOLL_CTL_ADD, watch.descriptor, EPOLLIN.rawValue | EPOLLET.rawValue) }
    }

    private func lookAtNetwork() {
        let change = reachability.look(tellingOn: context.client.noticeWorker)
        if change.isOtherNetwork { libcurl?.networkDidChange() }
        guard change.isOtherValue else { return }
        observers.report(.reachability, value: Int(reachability.value.rawValue))
        reachabilityDidChange()
    }

    /// Another thread noticed it.
    func networkDidChange() { libcurl?.networkDidChange() }

    func reachabilityDidChange() { pipeline?.limitsDidChange() }

    private func flush() {
        observers.flush()
        guard !deliveries.isEmpty else { return }
        let handedOver = MonotonicTime.now
        watchUntil = handedOver.adding(microseconds: Self.watchTime)
        completions.add(&deliveries, watchedUntil: handedOver.adding(microseconds: 500))
    }

    // MARK: Submissions

    private func takeSubmissions() {
        guard intake.take(into: &batch) else { return }
        libcurl?.beginTurn()
        for submission in batch { handle(submission) }
        if waiting != nil { dropLowest() }
        batch.removeAll(keepingCapacity: true)
    }

    private func handle(_ submission: Intake.Submission) {
        switch submission {
        case .start(let task): start(task, context)
        case .startMany(let some): for task in some { start(task, context) }
        case .cancel(let task): cancel(task)
        case .cancelMany(let some, let cause): for task in some { cancel(task, cause) }
        case .group(let group, let members):
            group.startTimer { groupTimers.add(group, at: now.adding(milliseconds: $0)) }
            for task in members { start(task, context) }
            if group.endsAtDispatch() { end(group) }
        case .skip(let members): for task in members { endUnstarted(task, Response(error: NetcoreError(.skipped))) }
        case .returned(let task): countEnd(of: task)
        case .applicationTaskEnded(let task, let code): end(task, code)
        case .priority(let task): setPriority(of: task)
        case .run(let body): body(self)
        case .limits(let changed):
            context.limits = changed
            watchWaiting(changed)
            pipeline?.limitsDidChange()
        case .shutDown:
            cancelEverything(force: false)
            isDraining = true
        case .finish: endsWhenIdle = true
        case .destroy:
            isEnding = true
            cancelEverything(force: true)
        }
    }
}
