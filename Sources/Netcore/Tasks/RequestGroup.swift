internal import NetcoreHTTP
internal import NetcoreSupport

/// A set of tasks with one notification, which comes after the terminal callback of every member has returned; for an
/// empty group too.
public final class RequestGroup: @unchecked Sendable {  // under `lock`
    /// How far a group has come. A member counts as ended from the moment its terminal callback is due.
    public struct Counts: Sendable, Hashable {
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
    private var counts = Counts()
    private var isCanceled = false
    private var hasEnded = false
    private var firstFailure: NetcoreError.Code?
    /// Its place in the engine's registry, under the engine's lock.
    var registryIndex = -1

    package init(engine: Engine) throws(NetcoreError) {
        self.engine = engine
        try engine.startThreads()
        try engine.intake.register(self)
    }

    /// For the registry, under its lock: a group that is not in it cannot be reached.
    func assignID() throws(NetcoreError) {
        id = HandleTable.shared.insert(self, .group)
        guard id != 0 else { throw NetcoreError(.outOfMemory, "there are too many handles") }
    }

    public var progress: Counts { lock.withLock { counts } }

    /// How the group ended: canceled as a whole, or as its first member that failed, or canceled if a member was and none failed.
    package var outcome: NetcoreError.Code {
        lock.withLock {
            if isCanceled { return .canceled }
            return firstFailure ?? (counts.canceled > 0 ? .canceled : .ok)
        }
    }

    package func releaseID() { HandleTable.shared.release(id, .group) }

    /// Adds a member. `made` is called with the task before it can end.
    package func add(
        _ work: RequestTask.Work, sink: RequestTask.Sink, userData: UInt = 0, made: (RequestTask) -> Void = { _ in }
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        let task = try RequestTask(engine: engine, work: work, group: self, sink: sink, userData: userData)
        made(task)
        do throws(NetcoreError) {
            try admit(task)
            return task
        } catch {
            task.releaseID()
            throw error
        }
    }

    /// Takes a member in, here and in the engine's registry, at once: it is never seen in only one of them.
    private func admit(_ task: RequestTask) throws(NetcoreError) {
        lock.lock()
        defer { lock.unlock() }
        guard !counts.isDispatched, !isCanceled else { throw Self.isClosed }
        guard engine.intake.register(task) else { throw Intake.shutDownError }
        members.append(task)
        counts.total += 1
    }

    private static let isClosed = NetcoreError(
        .invalidState, argument: "group", "has been dispatched or canceled already")

    package func dispatch(_ sink: Sink, userData: UInt = 0) throws(NetcoreError) {
        try engine.checkUsable()
        lock.lock()
        defer { lock.unlock() }
        guard !counts.isDispatched, !isCanceled else { throw Self.isClosed }
        // Seen by the I/O thread only after its submission.
        guard engine.intake.dispatch(self, members) else { throw Intake.shutDownError }
        counts.isDispatched = true
        self.sink = sink
        self.userData = userData
    }

    /// Cancels every member that has not ended. A dispatched group notifies when all have; one that was not ends at once,
    /// without a notification.
    public func cancel() {
        lock.lock()
        let endsNow = !counts.isDispatched && !isCanceled
        isCanceled = true
        let tasks = members
        if endsNow { members.removeAll() }
        lock.unlock()
        engine.intake.cancel(tasks)
        guard endsNow else { return }
        engine.intake.unregister(self)
        releaseID()
    }

    /// Counts a member that ended. Returns whether the group ends with it.
    func memberDidEnd(_ code: NetcoreError.Code) -> Bool {
        lock.withLock {
            switch code {
            case .ok: counts.succeeded += 1
            case .canceled: counts.canceled += 1
            default:
                counts.failed += 1
                firstFailure = firstFailure ?? code
            }
            return claimEnd()
        }
    }

    /// Whether a group that is being dispatched has nothing to wait for, and ends now.
    func endsAtDispatch() -> Bool { lock.withLock { claimEnd() } }

    /// The group ends once. Under the lock.
    private func claimEnd() -> Bool {
        guard counts.isDispatched, counts.ended == counts.total, !hasEnded else { return false }
        hasEnded = true
        return true
    }

    /// Lets the members go, once the group has ended.
    func removeMembers() { lock.withLock { members.removeAll() } }
}

extension RequestGroup {
    /// A request as this group's client sends it.
    package func work(_ request: Request) throws(NetcoreError) -> RequestTask.Work { try .built(request, for: engine) }
}
