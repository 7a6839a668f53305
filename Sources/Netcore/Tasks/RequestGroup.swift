internal import NetcoreHTTP
internal import NetcoreSupport

/// A set of tasks with one notification, which comes after the terminal callback of every member has returned; for an
/// empty group too.
public final class RequestGroup: @unchecked Sendable {  // under `lock`
    /// How far a group has come. A member counts as ended from the moment its terminal callback is due; in a chain, and where
    /// members wait for others, when it has returned.
    public struct Counts: Sendable, Hashable {
        public internal(set) var total = 0
        public internal(set) var succeeded = 0
        /// Ended neither well nor canceled nor skipped. HTTP status codes do not matter.
        public internal(set) var failed = 0
        public internal(set) var canceled = 0
        /// Never started, since a member before them failed.
        public internal(set) var skipped = 0
        public internal(set) var isDispatched = false

        package var ended: Int { succeeded + failed + canceled + skipped }
    }

    package enum Sink {
        case none
        case callback(@Sendable (RequestGroup) -> Void)
    }

    /// A number that no other group of the process has or had.
    public private(set) var id: UInt64 = 0
    package let engine: Engine
    package internal(set) var sink = Sink.none
    package internal(set) var userData: UInt = 0
    let lock = Lock()
    var members: [RequestTask] = []
    var counts = Counts()
    /// What the whole group ends as, whatever its members did.
    var verdict: NetcoreError.Code?
    private var hasEnded = false
    private var firstFailure: (code: NetcoreError.Code, taskID: UInt64)?
    private var firstCanceled: UInt64 = 0
    private var firstSuccess: UInt64 = 0
    /// Nil for a group that starts all of its members at once.
    var order: (any GroupOrder)?
    /// Written before the first member.
    package internal(set) var rule = Rule.allSettled
    /// What became of each member; only with an order.
    var ends: ContiguousArray<MemberResult?> = []
    var dropsResponses = false
    /// Milliseconds from the dispatch to the end; nil for no limit.
    var timeLimit: Int?
    var timer: Int?
    /// As which it is a member of another group.
    var owner: RequestTask?
    /// How deep groups are nested in it; under the engine's `nesting`.
    var height = 1
    /// Of members that have ended.
    var endedBytes = Bytes()
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
            if succeedsWithOne, counts.succeeded > 0 { return .ok }
            return verdict ?? firstFailure?.code ?? (counts.canceled > 0 ? .canceled : .ok)
        }
    }

    /// The number of the task that decided how the group ended: the first that failed, or was canceled if none failed; where one
    /// success is enough, the first that succeeded. 0 for none, and if the group as a whole was canceled or took too long.
    public var decidingTaskID: UInt64 {
        lock.withLock {
            if succeedsWithOne, counts.succeeded > 0 { return firstSuccess }
            return verdict == nil ? firstFailure?.taskID ?? firstCanceled : 0
        }
    }

    private var succeedsWithOne: Bool { rule == .any }

    package func releaseID() { HandleTable.shared.release(id, .group) }

    static let isClosed = NetcoreError(.invalidState, argument: "group", "has been dispatched or canceled already")

    package func dispatch(_ sink: Sink, userData: UInt = 0) throws(NetcoreError) {
        try engine.checkUsable()
        try lock.withLock { () throws(NetcoreError) in
            guard owner == nil else {
                throw NetcoreError(
                    .invalidState, argument: "group", "is dispatched by the group that it is a member of")
            }
            try begin(sink, userData)
        }
    }

    /// Under the lock.
    func begin(_ sink: Sink, _ userData: UInt) throws(NetcoreError) {
        guard !counts.isDispatched, verdict == nil else { throw Self.isClosed }
        let actions = order?.begin()
        // Seen by the I/O thread only after its submission.
        let starts = actions?.starts.map { members[$0] } ?? members
        guard engine.intake.dispatch(self, starts) else { throw Intake.shutDownError }
        counts.isDispatched = true
        self.sink = sink
        self.userData = userData
        if let actions { stop(actions) }
    }

    /// Ends the members that are not wanted any more. Under the lock.
    private func stop(_ actions: GroupActions) {
        if !actions.skips.isEmpty { engine.intake.submit(.skip(actions.skips.map { members[$0] })) }
        if actions.cancelsRest { engine.intake.cancel(members) }
    }

    /// Cancels every member that has not ended. A dispatched group notifies when all have; one that was not ends at once,
    /// without a notification. One that is a member of another group ends as a member that is canceled.
    public func cancel() { end(as: .canceled) }

    /// The time is over.
    func timeOut() { end(as: .timeoutTotal) }

    private func end(as code: NetcoreError.Code) {
        lock.lock()
        if let owner, !counts.isDispatched {
            lock.unlock()
            owner.cancel()
            return
        }
        let endsNow = !counts.isDispatched && verdict == nil
        verdict = verdict ?? code
        order?.stop()
        let tasks = members
        if endsNow { members.removeAll() }
        lock.unlock()
        engine.intake.cancel(tasks)
        guard endsNow else { return }
        engine.intake.unregister(self)
        releaseID()
    }

    // MARK: For the loop

    /// Counts a member that ended. Returns whether the group ends with it.
    func memberDidEnd(_ task: RequestTask) -> Bool {
        lock.withLock {
            let code = task.onLoop.endCode
            count(task, code)
            if let actions = order?.end(task.memberIndex, code == .ok ? .succeeded : .failed) {
                if !actions.starts.isEmpty { engine.intake.dispatch(self, actions.starts.map { members[$0] }) }
                stop(actions)
            }
            return claimEnd()
        }
    }

    /// Under the lock.
    private func count(_ task: RequestTask, _ code: NetcoreError.Code) {
        endedBytes.add(task.progress)
        switch code {
        case .ok:
            counts.succeeded += 1
            if firstSuccess == 0 { firstSuccess = task.id }
        case .canceled:
            counts.canceled += 1
            if firstCanceled == 0 { firstCanceled = task.id }
        case .skipped: counts.skipped += 1
        default:
            counts.failed += 1
            firstFailure = firstFailure ?? (code, task.id)
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

    /// Releases the members, once the group has ended. Returns the task that ends with it.
    func removeMembers() -> RequestTask? {
        lock.withLock {
            members.removeAll()
            return owner.take()
        }
    }
}

extension RequestGroup {
    /// A request as this group's client sends it.
    package func work(_ request: Request) throws(NetcoreError) -> RequestTask.Work { try .built(request, for: engine) }
}
