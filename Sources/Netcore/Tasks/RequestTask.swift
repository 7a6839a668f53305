package import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// One dispatch of a request, or work of the application's own in a group. Ends once.
///
/// Its state and progress may be read, and it may be canceled, from any thread; all else belongs to the client's
/// loop.
public final class RequestTask: @unchecked Sendable {  // see above
    /// Where a task stands.
    public enum State: UInt8, Sendable {
        case created = 1
        case queued = 2
        case running = 3
        case finished = 4
    }

    /// Bytes of the body so far, as transferred. Counts begin anew with each hop of a redirect.
    public struct Progress: Sendable {
        public let received: Int
        /// Nil when not known.
        public let expected: Int?
        public let sent: Int
        /// Bytes that are to be sent in all; nil when not known.
        public let toSend: Int?
    }

    package enum Work {
        /// With what functions of the application's are to see first; nil if there are none.
        case request(BuiltRequest, UnfilteredRequest?)
        case application(resume: ApplicationAction?, cancel: ApplicationAction?)
        /// Requests that bring a file.
        case download(DownloadRun)
        /// A group that is a member of another one: the task ends with it.
        case group(RequestGroup)
    }

    package typealias ApplicationAction = @Sendable (RequestTask) -> Void

    /// What is notified of the end.
    package enum Sink {
        case none
        /// An application task has no response.
        case callback(@Sendable (RequestTask, Response?) -> Void)
        /// Only of what comes before the end.
        case events(@Sendable (RequestTask, Response) -> Void)
        case waiter(Waiter)
        case continuation(UnsafeContinuation<Response, Never>)
        /// Also of progress, and of the end after that.
        case reporting(UnsafeContinuation<Response, Never>, @Sendable (Progress) -> Void)
        /// Nothing, in any mode: a request of the client's own.
        case discarded
    }

    /// A number that no other task of the process has or had; 0 for one that only its caller waits for.
    public private(set) var id: UInt64 = 0
    package let engine: Engine
    package let work: Work
    /// Changed only before the task is dispatched, under the client's lock.
    package private(set) var group: RequestGroup?
    /// Its place among the members of its group, in the order of adding. Written with `group`.
    package private(set) var memberIndex = -1
    /// Written before the task is submitted, then read by the I/O thread and the callback thread.
    package var sink: Sink
    /// Where its answer goes, piece by piece; nil if it is delivered whole. Written before the task is submitted.
    package var stream: ResponseStream?
    /// It is a request of a download, which is canceled and counted in its place. Written before the task is submitted.
    package var isOfDownload = false
    /// Nil for what a client sends on its own account. Written before the task is submitted.
    var scope: ScopeMembers?
    /// For the C door.
    package let userData: UInt

    private let stateAndCancel = Atomic<UInt8>(unregistered)
    private let received = Atomic<Int>(0)
    private let expected = Atomic<Int>(-1)
    private let sent = Atomic<Int>(0)
    private let toSend = Atomic<Int>(-1)
    /// A report of progress is on its way: there is no second one at the same time.
    private let isReporting = Atomic<Bool>(false)
    private let hasApplicationEnded = Atomic<Bool>(false)
    /// Its scope was canceled or closed before it had ended.
    let isEndedByScope = Atomic<Bool>(false)
    /// What the application set in place of the request's priority.
    private let givenPriority = Atomic<Int32>(.min)

    /// Its place in the engine's registry, under the engine's lock.
    var registryIndex = -1
    /// When it came to the queue; written before it is submitted.
    var queuedSince = MonotonicTime.never
    /// What was reported of its end, until its callback has returned. Written before that is delivered.
    var observedEnd: ObservedEnd?
    /// For the client's loop.
    var onLoop = TaskOnLoop()
    /// How an application task ended; written before it is delivered.
    package internal(set) var applicationCode: NetcoreError.Code?

    package init(
        engine: Engine, work: Work, sink: Sink, userData: UInt = 0, hasID: Bool = true
    ) throws(NetcoreError) {
        self.engine = engine
        self.work = work
        self.sink = sink
        self.userData = userData
        scope = work.scope
        guard hasID else { return }
        id = HandleTable.shared.insert(self, .task)
        guard id != 0 else { throw NetcoreError(.outOfMemory, "there are too many handles") }
    }

    /// Whether an answer that is there already can end it without the I/O thread.
    var isDeliverable: Bool {
        guard stream == nil else { return false }
        switch sink {
        case .callback, .events, .reporting: return true
        case .none: return engine.options.completions.isTaken
        case .waiter, .continuation, .discarded: return false
        }
    }

    /// It is a member of a group from now on. Before it is registered, or under the client's lock.
    func join(_ group: RequestGroup, at index: Int) {
        self.group = group
        memberIndex = index
    }

    /// Gives an id to a task that was made without one. False when there are too many handles.
    func assignID() -> Bool {
        id = HandleTable.shared.insert(self, .task)
        return id != 0
    }

    /// Waits on for a task that a call left in progress, such as ``Client/perform(_:until:)``; its id ends with the response. Nil
    /// when the time comes first.
    package func wait(until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        let deadline = try engine.checkedWait(until: deadline)
        let found: Response?
        switch sink {
        case .waiter(let waiter): found = try engine.wait(for: waiter, until: deadline)
        case .discarded where stream != nil: found = try stream?.opening(until: deadline)
        default: throw NetcoreError(.invalidState, argument: "task", "was not created by a call that waits")
        }
        guard let response = found else { return nil }
        engine.intake.dropAwaited(self)
        releaseID()
        return response
    }

    /// The task with an id; nil if it has ended, or is not registered yet.
    package static func with(id: UInt64) -> RequestTask? {
        guard let task = HandleTable.shared.object(id, .task) as? RequestTask, task.isRegistered else { return nil }
        return task
    }

    /// The id becomes invalid.
    package func releaseID() {
        if id != 0 { HandleTable.shared.release(id, .task) }
    }

    public var state: State { State(rawValue: stateAndCancel.load(ordering: .acquiring) & 0x7F) ?? .created }

    public var progress: Progress {
        let expected = expected.load(ordering: .relaxed)
        let toSend = toSend.load(ordering: .relaxed)
        return Progress(
            received: received.load(ordering: .relaxed), expected: expected < 0 ? nil : expected,
            sent: sent.load(ordering: .relaxed), toSend: toSend < 0 ? nil : toSend)
    }

    /// Cancels the task. True is a promise: it ends with ``NetcoreError/Code/canceled``. False: it has ended.
    @discardableResult
    public func cancel() -> Bool {
        guard Fork.count == engine.forkCount, isRegistered, markCanceled() != nil else { return false }
        engine.intake.submit(.cancel(self))
        return true
    }

    // MARK: State

    var changedPriority: Priority? { Priority(rawValue: givenPriority.load(ordering: .relaxed)) }

    func changePriority(_ priority: Priority) { givenPriority.store(priority.rawValue, ordering: .relaxed) }

    private static let cancelBit: UInt8 = 0x80
    /// The state of a task that its client does not know yet: the call that makes it may still fail, and its id is not valid.
    private static let unregistered: UInt8 = 0

    /// Whether its client has it. The client's lock was held when it changed from false to true.
    package var isRegistered: Bool { stateAndCancel.load(ordering: .acquiring) & 0x7F != Self.unregistered }

    package var isCanceled: Bool { stateAndCancel.load(ordering: .acquiring) & Self.cancelBit != 0 }

    /// Notes that the task is to end as canceled. Returns the state it was in, and whether that was not noted before; nil
    /// when it has ended. One that is not registered counts as created.
    func markCanceled() -> (state: State, isFirst: Bool)? {
        var current = stateAndCancel.load(ordering: .acquiring)
        while current & 0x7F != State.finished.rawValue {
            let (exchanged, original) = stateAndCancel.compareExchange(
                expected: current, desired: current | Self.cancelBit, ordering: .acquiringAndReleasing)
            if exchanged { return (State(rawValue: original & 0x7F) ?? .created, original & Self.cancelBit == 0) }
            current = original
        }
        return nil
    }

    /// Its client has it from now on, in this state. Under the client's lock.
    func markRegistered(as state: State) { _ = advance(from: Self.unregistered, to: state) }

    /// Moves on from `created`. Returns false when it has been dispatched, or has ended.
    package func markQueued() -> Bool {
        advance(from: State.created.rawValue, to: .queued)
    }

    func markRunning() { _ = advance(from: State.queued.rawValue, to: .running) }

    private func advance(from: UInt8, to: State) -> Bool {
        var current = stateAndCancel.load(ordering: .acquiring)
        while current & 0x7F == from {
            let (exchanged, original) = stateAndCancel.compareExchange(
                expected: current, desired: to.rawValue | current & Self.cancelBit, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            current = original
        }
        return false
    }

    /// The application says that its work has ended: once.
    func claimApplicationEnd() -> Bool { !hasApplicationEnded.exchange(true, ordering: .acquiringAndReleasing) }

    /// Ends the task. Returns whether it was canceled before.
    func markFinished() -> Bool {
        stateAndCancel.exchange(State.finished.rawValue, ordering: .acquiringAndReleasing) & Self.cancelBit != 0
    }

    /// Resumes who awaits the end. The runtime orders what was written before it even if nothing awaits yet, but out of
    /// the thread sanitizer's sight; this pair of a release here and an acquire in `seeEnd` lies in its sight.
    func resume(_ continuation: UnsafeContinuation<Response, Never>, returning response: Response) {
        stateAndCancel.store(State.finished.rawValue, ordering: .releasing)
        continuation.resume(returning: response)
    }

    /// For who awaited the end, before it reads the response.
    func seeEnd() { _ = stateAndCancel.load(ordering: .acquiring) }
}

extension RequestTask: ExchangeOwner {
    func exchangeDidBegin() {
        markRunning()
        leaveQueue()
        onLoop.exchange?.reportDispatched()
    }

    /// The task is no longer counted in the queue's length.
    func leaveQueue() {
        guard !onLoop.hasLeftQueue else { return }
        onLoop.hasLeftQueue = true
        engine.intake.leaveQueue(1)
        if onLoop.isWatched { engine.loop.waiting?.remove(self) }
    }

    func exchangeWillSend(_ length: Int?) { toSend.store(length ?? -1, ordering: .relaxed) }

    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime) {
        self.received.store(received, ordering: .relaxed)
        self.expected.store(expected, ordering: .relaxed)
        self.sent.store(sent, ordering: .relaxed)
        if let interval = work.progressInterval { report(interval, now) }
    }

    /// The same of a download.
    func downloadDidProgress(_ size: Int, of total: Int?, now: MonotonicTime) {
        guard !onLoop.isEnded else { return }
        exchangeDidProgress(received: size, expected: total ?? -1, sent: 0, now: now)
    }

    /// Tells of progress, unless it was told of a moment ago.
    private func report(_ milliseconds: Int, _ now: MonotonicTime) {
        guard now >= onLoop.nextReport, !isReporting.exchange(true, ordering: .acquiringAndReleasing) else { return }
        onLoop.nextReport = now.adding(milliseconds: milliseconds)
        if !deliverReport() { didReport() }
    }

    /// The last report: all bytes of the body, whatever was said of its length before.
    func reportEnd(_ result: Response) {
        guard result.error == nil, work.progressInterval != nil else { return }
        // What a cache serves needs no transfer.
        if result.cacheResult.isFromCache { received.store(result.bodyBuffer?.count ?? 0, ordering: .relaxed) }
        expected.store(received.load(ordering: .relaxed), ordering: .relaxed)
        _ = deliverReport()
    }

    private func deliverReport() -> Bool {
        let response = Response()
        guard case .download = work else { return onLoop.exchange?.deliverEarly(response, .progress) ?? false }
        response.early = .progress
        return deliverEarly(response)
    }

    /// The report has been taken.
    func didReport() { isReporting.store(false, ordering: .releasing) }

    func deliverEarly(_ response: Response) -> Bool {
        switch sink {
        case .callback, .events, .reporting: break
        case .none where engine.options.completions.isTaken && id != 0: break
        default: return false
        }
        engine.loop.deliveries.append(.early(self, response))
        return true
    }

    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)? {
        stream?.receiveHead(response)
        return stream
    }

    func validateBesides(_ exchange: Exchange) {
        let made = try? RequestTask(
            engine: engine, work: .request(exchange.request, nil), sink: .discarded, hasID: false)
        guard let made else { return }
        made.queuedSince = exchange.context.now
        made.onLoop.hasLeftQueue = true
        made.scope = nil
        guard engine.intake.register(made, as: .queued) else { return }
        made.onLoop.exchange = Exchange(
            exchange.hop.again, owner: made, context: exchange.context, queuedSince: made.queuedSince,
            isValidation: true)
        engine.intake.submit(.start(made))
    }

    func exchangeDidEnd(_ result: Response) { engine.loop.complete(self, result) }
}

extension RequestTask.Sink {
    static func callback(
        _ onEarlyResponse: (@Sendable (Response) -> Void)?,
        _ onProgress: (@Sendable (RequestTask.Progress) -> Void)? = nil,
        _ onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void
    ) -> Self {
        .callback { task, response in
            if let response, response.isProgress {
                onProgress?(task.progress)
            } else if let response, response.isEarly {
                onEarlyResponse?(response)
            } else {
                onCompletion(response.ended)
            }
        }
    }
}

extension RequestTask.Work {
    /// What is sent; nil for work of the application's own making.
    var request: BuiltRequest? {
        switch self {
        case .request(let request, _): request
        case .application, .download, .group: nil
        }
    }

    /// What the task belongs to.
    fileprivate var scope: ScopeMembers? {
        switch self {
        case .request(let request, _): request.options.taskScope
        case .download(let run): run.request.options.taskScope
        case .application, .group: nil
        }
    }

    /// Milliseconds between reports; nil for none.
    var progressInterval: Int? {
        if case .download(let run) = self { run.progressInterval } else { request?.options.progressInterval }
    }

    /// A request in the form in which a client sends it.
    static func built(_ request: Request, for engine: Engine) throws(NetcoreError) -> Self {
        let built = try request.built(for: engine)
        if engine.asksApplication(request) {
            let settings = engine.parts.settings.snapshot
            return .request(built, UnfilteredRequest(given: request, built: built, settings: settings))
        }
        try built.checkBody()
        // Here, since it may call functions of the application's.
        if let cache = engine.cache { _ = try engine.parts.hsts.upgraded(built).query(for: cache) }
        return .request(built, nil)
    }
}
