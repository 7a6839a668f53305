public import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// Members that wait for others, and see what came of them.
extension RequestGroup {
    /// Adds a request that is sent when other members have succeeded and their callbacks have returned.
    ///
    /// - Parameter others: members of this group; it is skipped if one of them does not succeed.
    @discardableResult
    public func add(
        _ request: Request, after others: [RequestTask],
        onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void = { _ in }
    ) throws(NetcoreError) -> RequestTask {
        try check(others)
        let task = try add(request, onCompletion: onCompletion)
        for other in others { try require(other, before: task) }
        return task
    }

    /// Before a member is added that waits for these.
    private func check(_ others: [RequestTask]) throws(NetcoreError) {
        guard others.isEmpty || rule != .chain else {
            throw NetcoreError(.invalidState, argument: "others", "the members of a chain run in the order of adding")
        }
        guard others.allSatisfy({ $0.group === self }) else {
            throw NetcoreError(.invalidArgument, argument: "others", "not a member of the group")
        }
    }

    /// Lets a member wait for another one. Before the dispatch; not in a chain, which has its own order.
    ///
    /// - Throws: ``NetcoreError``: `invalidArgument` for a task that is not a member, and for a cycle.
    public func require(_ other: RequestTask, before task: RequestTask) throws(NetcoreError) {
        try add(task, after: other)
    }

    /// Adds a step: a request that is made when its turn has come, of what other members brought.
    ///
    /// - Parameters:
    ///   - others: members that have to succeed before; not in a chain.
    ///   - makeRequest: runs where callbacks run. It gets the results of `others`, or in a chain that of the member before; the first
    ///     one gets none. In a chain it may add members. If it throws, the step fails: as the ``NetcoreError``, or as `refused`.
    @discardableResult
    public func addStep(
        after others: [RequestTask] = [], _ makeRequest: @escaping @Sendable ([MemberResult]) throws -> Request
    ) throws(NetcoreError) -> RequestTask {
        let places = others.map(\.memberIndex)
        return try addWork(after: others, cancel: nil) { [weak self] task in
            do {
                try task.send(makeRequest(self?.inputs(of: task, places) ?? []))
            } catch {
                try? task.complete((error as? NetcoreError)?.code ?? .refused)
            }
        }
    }

    /// Adds work of the application's own: an async function, which gets what ``addStep(after:_:)`` gives. Canceling the member
    /// cancels the Swift task in which it runs. If it throws, the member fails: as the ``NetcoreError``, as `canceled` for a
    /// `CancellationError`, or as `refused`.
    @discardableResult
    public func addWork(
        after others: [RequestTask] = [], _ work: @escaping @Sendable ([MemberResult]) async throws -> Void
    ) throws(NetcoreError) -> RequestTask {
        let places = others.map(\.memberIndex)
        let running = RunningWork()
        return try addWork(after: others, cancel: { _ in running.cancel() }) { [weak self] task in
            let inputs = self?.inputs(of: task, places) ?? []
            running.start {
                do {
                    try await work(inputs)
                    try? task.complete()
                } catch {
                    let isCanceled = error is CancellationError
                    try? task.complete(isCanceled ? .canceled : (error as? NetcoreError)?.code ?? .refused)
                }
            }
        }
    }

    private func addWork(
        after others: [RequestTask], cancel: (@Sendable (RequestTask) -> Void)?,
        resume: @escaping @Sendable (RequestTask) -> Void
    ) throws(NetcoreError) -> RequestTask {
        try check(others)
        let task = try addApplicationTask(resume: resume, cancel: cancel)
        for other in others { try require(other, before: task) }
        return task
    }

    /// What the members brought that a step waited for.
    private func inputs(of task: RequestTask, _ places: [Int]) -> [MemberResult] {
        if rule == .chain { return (try? result(at: task.memberIndex - 1)).map { [$0] } ?? [] }
        return places.compactMap { try? result(at: $0) }
    }

    /// Adds a group of the same client, which this group dispatches: it is one member, which ends as that group does, after its
    /// notification.
    ///
    /// - Returns: the task that stands for the group here. Canceling that cancels the group.
    @discardableResult
    public func add(
        _ group: RequestGroup, notify: (@Sendable (RequestGroup) -> Void)? = nil
    ) throws(NetcoreError) -> RequestTask {
        try add(group, sink: notify.map { .callback($0) } ?? .none)
    }

    /// Dispatches the group and waits for its end. Canceling the surrounding task cancels the members.
    ///
    /// - Returns: how the members ended, in the order of adding. All of them have.
    /// - Throws: ``NetcoreError`` if the group was canceled or took too long; unless its rule is `allSettled`, also why it failed; or
    ///   `CancellationError` if the surrounding task was canceled.
    @discardableResult
    public func run() async throws -> [MemberResult] {
        try await dispatchAndWait()
        let ended = results.compactMap { $0 }
        if let failure = failure(of: ended) {
            throw failure.code == .canceled && Task.isCancelled ? CancellationError() : failure
        }
        return ended
    }

    private func failure(of ended: [MemberResult]) -> NetcoreError? {
        let code = outcome
        guard code != .ok else { return nil }
        let decider = decidingTaskID
        guard decider != 0 else { return NetcoreError(code) }
        guard rule != .allSettled, let member = ended.first(where: { $0.taskID == decider }) else { return nil }
        do throws(NetcoreError) {
            _ = try member.get()
            return nil
        } catch {
            return error
        }
    }
}

/// A Swift task that works for a member of a group.
private final class RunningWork: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var task: Task<Void, Never>?

    func start(_ body: @escaping @Sendable () async -> Void) { lock.withLock { task = Task(operation: body) } }

    func cancel() { lock.withLock { task }?.cancel() }
}
