internal import NetcoreHTTP
internal import NetcoreSupport

/// A set of tasks with one notification, which comes after the terminal callback of every member has returned; for an
/// empty group too.
public final class RequestGroup: @unchecked Sendable {  // under `lock`
    /// How far a group has come. A member counts as ended from the moment its terminal callback is due.
    public struct Progress: Sendable, Hashable {
        public internal(set) var total = 0
        public internal(set) var succeeded = 0
        /// Ended neither well nor canceled. HTTP status codes do not matter.
        public internal(set) var failed = 0
        public internal(set) var canceled = 0
        public internal(set) var isDispatched = false

        package var ended: Int { succeeded + failed + canceled }
    }

    package enum Sink {
        case none
        case callback(@Sendable (RequestGroup) -> Void)
    }

    /// A number that no other group of the process has or had.
    public private(set) var id: UInt64 = 0
    package let engine: Engine
    package private(set) var sink = Sink.none
    package private(set) var userData: UInt = 0
    private let lock = Lock()
    private var members: [RequestTask] = []
    private var counts = Progress()
    private var isCanceled = false
    private var firstFailure: NetcoreError.Code?
    /// Its place in the engine's registry, under the engine's lock.
    var registryIndex = -1

    package init(engine: Engine) throws(NetcoreError) {
        self.engine = engine
        id = HandleTable.shared.insert(self, .group)
        guard id != 0 else { throw NetcoreError(.outOfMemory, "there are too many handles") }
        guard engine.register(self) else {
            HandleTable.shared.release(id, .group)
            throw engine.shutDownError
        }
    }

    public var progress: Progress { lock.withLock { counts } }

    /// How the group ended: canceled, or as its first member that failed.
    package var outcome: NetcoreError.Code {
        lock.withLock { isCanceled ? .canceled : firstFailure ?? .ok }
    }

    package func releaseID() { HandleTable.shared.release(id, .group) }

    /// Adds a member. `made` hears of the task before it can end.
    package func add(
        _ work: RequestTask.Work, sink: RequestTask.Sink, userData: UInt = 0, made: (RequestTask) -> Void = { _ in }
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        let task = try RequestTask(engine: engine, work: work, group: self, sink: sink, userData: userData)
        lock.lock()
        let isOpen = !counts.isDispatched && !isCanceled
        if isOpen {
            members.append(task)
            counts.total += 1
        }
        lock.unlock()
        guard isOpen else {
            task.releaseID()
            throw NetcoreError(.invalidState, "group: it has been dispatched or canceled already")
        }
        made(task)
        guard engine.register(task) else {
            lock.withLock {
                members.removeAll { $0 === task }
                counts.total -= 1
            }
            task.releaseID()
            throw engine.shutDownError
        }
        return task
    }

    package func dispatch(_ sink: Sink, userData: UInt = 0) throws(NetcoreError) {
        try engine.checkUsable()
        lock.lock()
        guard !counts.isDispatched, !isCanceled else {
            lock.unlock()
            throw NetcoreError(.invalidState, "group: it has been dispatched or canceled already")
        }
        counts.isDispatched = true
        self.sink = sink
        self.userData = userData
        let tasks = members
        lock.unlock()
        engine.dispatch(self, tasks.filter { $0.markQueued() })
    }

    /// Cancels every member that has not ended. A dispatched group notifies when all have; one that was not ends at once,
    /// without a notification.
    public func cancel() {
        lock.lock()
        let endsNow = !counts.isDispatched && !isCanceled
        isCanceled = true
        let tasks = members
        lock.unlock()
        engine.cancel(tasks)
        guard endsNow else { return }
        engine.unregister(self)
        releaseID()
    }

    /// Counts a member that ended. Returns whether the group ends with it.
    func memberDidEnd(_ code: NetcoreError.Code) -> Bool {
        lock.withLock {
            switch code {
            case .ok: counts.succeeded += 1
            case .canceled: counts.canceled += 1
            default: counts.failed += 1
            }
            if code != .ok, firstFailure == nil { firstFailure = code }
            return counts.isDispatched && counts.ended == counts.total
        }
    }

    /// Whether a group that is being dispatched has nothing to wait for.
    func hasNothingLeft() -> Bool {
        lock.withLock { counts.isDispatched && counts.ended == counts.total }
    }

    /// Lets the members go, once the group has ended.
    func removeMembers() { lock.withLock { members.removeAll() } }
}

extension RequestGroup {
    /// A request as this group's client sends it.
    package func work(_ request: Request) -> RequestTask.Work { .request(request, request.wire(for: engine)) }
}
