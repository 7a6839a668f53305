internal import NetcoreSupport
internal import Synchronization

/// What callers hand to a client's loop: the queue of submissions, and the registry of all that has not ended.
///
/// For any thread, under `lock`.
package final class Intake: @unchecked Sendable {  // see above
    enum Submission {
        case start(RequestTask)
        case startMany([RequestTask])
        case cancel(RequestTask)
        case cancelMany([RequestTask], NetcoreError.CancelCause)
        case group(RequestGroup, [RequestTask])
        /// Members that are not to start, since one before them failed.
        case skip([RequestTask])
        /// The terminal callback of a member has returned.
        case returned(RequestTask)
        case applicationTaskEnded(RequestTask, NetcoreError.Code)
        case priority(RequestTask)
        /// Goes on with something on the loop.
        case run(@Sendable (ClientLoop) -> Void)
        case limits(ClientLimits)
        case shutDown
        case finish
        case destroy
    }

    private let driver: LoopDriver
    private let completions: CompletionQueue
    private let lock = Lock()
    private var submissions: ContiguousArray<Submission> = []
    private let hasSubmissions = Atomic<Bool>(false)
    private var tasks = Registry<RequestTask>()
    private var groups = Registry<RequestGroup>()
    /// Tasks that a call to wait left in progress, by their ids: the client's end ends these.
    private var awaited: [UInt64: RequestTask] = [:]
    private var isShutDown = false
    private var isDestroyed = false
    /// The I/O thread takes no more submissions: what they hold would hold the engine for ever.
    private var hasEnded = false
    /// The limits as callers last set them.
    private var limits: ClientLimits
    /// Tasks dispatched and not yet transferring.
    private let queueLength = Atomic<Int>(0)
    private let queueLimit: Atomic<Int>
    /// Nil for the machine's.
    private let clock: ManualClock?

    init(driver: LoopDriver, completions: CompletionQueue, limits: ClientLimits, clock: ManualClock?) {
        self.clock = clock
        self.driver = driver
        self.completions = completions
        self.limits = limits
        queueLimit = Atomic(limits.acceptedLength)
    }

    package static let shutDownError = NetcoreError(.shutDown, argument: "client", "has been shut down")
    static let exitError = NetcoreError(
        .shutDown, argument: "client", "the process exits, and OpenSSL has been cleaned up")

    /// Whether it takes requests.
    var isOpen: Bool { lock.withLock { !isShutDown } }

    func submit(_ submission: Submission) {
        lock.lock()
        if !hasEnded { submissions.append(submission) }
        lock.unlock()
        wake()
    }

    private func wake() {
        hasSubmissions.store(true, ordering: .sequentiallyConsistent)
        if !completions.defersWake() { driver.wake() }
    }

    // MARK: Dispatching

    /// Registers and starts tasks that were just made. All of them or none.
    package func dispatch(_ made: [RequestTask]) throws(NetcoreError) {
        try enter(made.count) { now in
            for task in made { enqueue(task, now) }
            return .startMany(made)
        }
    }

    /// Registers and starts one task that was just made.
    func dispatch(_ made: RequestTask) throws(NetcoreError) {
        try enter(1) { now in
            enqueue(made, now)
            return .start(made)
        }
    }

    /// Starts a task that was registered before.
    package func dispatchCreated(_ task: RequestTask) throws(NetcoreError) {
        try enter(1) { now throws(NetcoreError) in
            guard task.work.request != nil, task.group == nil else {
                throw NetcoreError(.invalidState, argument: "task", "is dispatched by its group")
            }
            guard task.markQueued() else {
                throw NetcoreError(.invalidState, argument: "task", "has been dispatched already, or has ended")
            }
            task.queuedSince = now
            return .start(task)
        }
    }

    /// Delivers at once what a task that was just made ends with. False when the client has been shut down.
    func deliver(_ made: RequestTask, _ response: Response) -> Bool {
        lock.withLock {
            // Completions are closed after the shutdown only.
            guard !isShutDown else { return false }
            _ = made.markFinished()
            completions.add(.task(made, response))
            return true
        }
    }

    private func enqueue(_ task: RequestTask, _ now: MonotonicTime) {
        task.queuedSince = now
        task.markRegistered(as: .queued)
        tasks.add(task)
        // What is marked as canceled ends when it starts.
        _ = task.enterScope()
    }

    /// Submits, under the lock, what starts so many tasks, if the queue has room for them.
    private func enter(
        _ count: Int, _ submission: (MonotonicTime) throws(NetcoreError) -> Submission
    ) throws(NetcoreError) {
        guard !Standstill.isForGood else { throw Self.exitError }
        let length = queueLength.wrappingAdd(count, ordering: .relaxed).newValue
        do throws(NetcoreError) {
            let limit = queueLimit.load(ordering: .relaxed)
            guard length <= limit else {
                throw NetcoreError(.limitQueueLength, "the queue is full: \(limit) tasks wait")
            }
            try lock.withLock { () throws(NetcoreError) in
                guard !isShutDown else { throw Self.shutDownError }
                submissions.append(try submission(clock?.now ?? .now))
            }
        } catch {
            leaveQueue(count)
            throw error
        }
        wake()
    }

    /// So many tasks have left the queue.
    func leaveQueue(_ count: Int) { queueLength.wrappingSubtract(count, ordering: .relaxed) }

    /// Starts members of a group, those that have not ended. False when the client has been shut down. The group's lock is held
    /// when that is dispatched.
    @discardableResult
    func dispatch(_ group: RequestGroup, _ members: [RequestTask]) -> Bool {
        let isTaken = lock.withLock {
            guard !isShutDown, !Standstill.isForGood else { return false }
            let now = clock?.now ?? .now
            let queued = members.filter { $0.markQueued() }
            for task in queued { task.queuedSince = now }
            queueLength.wrappingAdd(queued.count, ordering: .relaxed)
            submissions.append(.group(group, queued))
            return true
        }
        if isTaken { wake() }
        return isTaken
    }

    // MARK: The registry

    /// Registers a task without starting it. False when the client has been shut down.
    func register(_ task: RequestTask, as state: RequestTask.State = .created) -> Bool {
        let isInScope = lock.withLock { () -> Bool? in
            guard !isShutDown else { return nil }
            task.markRegistered(as: state)
            tasks.add(task)
            return task.enterScope()
        }
        if isInScope == false { submit(.cancelMany([task], .scope)) }
        return isInScope != nil
    }

    /// A task that was made by itself becomes a member of a group, unless it has been dispatched or has ended.
    func join(_ task: RequestTask, _ group: RequestGroup, at index: Int) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            guard !isShutDown else { throw Self.shutDownError }
            guard task.group == nil else {
                throw NetcoreError(.invalidState, argument: "task", "is a member of a group already")
            }
            guard task.work.request != nil, task.registryIndex >= 0, task.state == .created else {
                throw NetcoreError(.invalidState, argument: "task", "has been dispatched already, or has ended")
            }
            task.join(group, at: index)
        }
    }

    /// Registers a group and gives it its id.
    func register(_ group: RequestGroup) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            guard !isShutDown else { throw Self.shutDownError }
            try group.assignID()
            groups.add(group)
        }
    }

    /// Gives a task that goes on without its caller an id, and keeps it until it was waited for. False when there are too many
    /// handles, or the client is gone.
    func keepAwaited(_ task: RequestTask) -> Bool {
        lock.withLock {
            guard !isDestroyed, task.assignID() else { return false }
            awaited[task.id] = task
            return true
        }
    }

    /// The task has been waited for.
    func dropAwaited(_ task: RequestTask) { _ = lock.withLock { awaited.removeValue(forKey: task.id) } }

    /// Ends the ids of all tasks that no call waited for.
    func dropAllAwaited() {
        let dropped = lock.withLock {
            defer { awaited = [:] }
            return awaited
        }
        for task in dropped.values { task.releaseID() }
    }

    func unregister(_ task: RequestTask) {
        lock.withLock { tasks.remove(task) }
        task.scope?.remove(task)
    }

    func unregister(_ group: RequestGroup) { lock.withLock { groups.remove(group) } }

    /// Tasks that have not ended.
    var taskCount: Int { lock.withLock { tasks.members.count } }

    /// Tasks that were dispatched and wait for their first transfer.
    var queuedCount: Int { max(queueLength.load(ordering: .relaxed), 0) }

    /// All that has not ended.
    var everything: (tasks: ContiguousArray<RequestTask>, groups: ContiguousArray<RequestGroup>) {
        lock.withLock { (tasks.members, groups.members) }
    }

    // MARK: Canceling

    /// Cancels those of these tasks that have not ended and were not canceled before. Returns how many.
    @discardableResult
    func cancel(
        _ some: some Sequence<RequestTask>, _ cause: NetcoreError.CancelCause = .application
    ) -> Int {
        let canceled = some.filter { $0.markCanceled()?.isFirst ?? false }
        if !canceled.isEmpty { submit(.cancelMany(canceled, cause)) }
        return canceled.count
    }

    /// Cancels the tasks that have not ended and have this tag; nil for all.
    func cancelAll(tag: String?) -> Int {
        let all = everything.tasks.filter { !$0.isOfDownload }
        guard let tag else { return cancel(all) }
        return cancel(all.filter { $0.work.request?.options.tags.contains(tag) ?? false })
    }

    // MARK: Limits

    var currentLimits: ClientLimits { lock.withLock { limits } }

    func setLimits(_ change: (inout ClientLimits) -> Void) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            guard !isShutDown else { throw Self.shutDownError }
            var changed = limits
            change(&changed)
            try changed.check()
            limits = changed
            queueLimit.store(limits.acceptedLength, ordering: .relaxed)
            submissions.append(.limits(limits))
        }
        wake()
    }

    // MARK: The end

    /// Takes no more tasks. False when it has been told before.
    func shutDown() -> Bool {
        lock.withLock {
            defer { isShutDown = true }
            return !isShutDown
        }
    }

    /// The client is gone, or is to go now. False when it has been told before.
    func destroy(now: Bool) -> Bool {
        lock.withLock {
            if now { isShutDown = true }
            defer { isDestroyed = true }
            return !isDestroyed
        }
    }

    // MARK: For the I/O thread

    /// Whether submissions wait.
    var isWaiting: Bool { hasSubmissions.load(ordering: .sequentiallyConsistent) }

    /// Puts what was submitted into an empty batch. False when there is nothing.
    func take(into batch: inout ContiguousArray<Submission>) -> Bool {
        guard hasSubmissions.exchange(false, ordering: .sequentiallyConsistent) else { return false }
        lock.lock()
        swap(&batch, &submissions)
        lock.unlock()
        return true
    }

    /// Whether nothing is under way, and nothing can be any more.
    func shutDownWhenIdle() -> Bool {
        lock.withLock {
            guard tasks.isEmpty, groups.isEmpty, submissions.isEmpty else { return false }
            isShutDown = true
            return true
        }
    }

    /// Submissions are dropped from now on.
    func end() {
        let rest = lock.withLock {
            hasEnded = true
            defer { submissions = [] }
            return submissions
        }
        // They may hold the last reference to a task, whose end may take the lock.
        withExtendedLifetime(rest) {}
    }
}
