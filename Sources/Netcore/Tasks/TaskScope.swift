internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// What tasks belong to, such as a screen: when it is closed, or goes, those of its tasks that have not ended are canceled.
///
/// A request says which scope its tasks belong to (``Request/taskScope``), whichever client sends it. Any thread may use a scope.
///
///     final class Screen {
///         private let scope = TaskScope(dropsCallbacks: true)
///
///         func load(_ client: Client) throws {
///             var request = try Request("GET", "https://example.com/items")
///             request.taskScope = scope
///             try client.dispatch(request) { [unowned self] result in show(result) }
///         }
///     }
public final class TaskScope: Sendable {
    package let members: ScopeMembers

    /// - Parameter dropsCallbacks: whether no callback of its tasks begins once it is closed, not even for their end. A callback
    ///   that runs then is waited for, unless the scope is closed inside a callback. Otherwise each task has its callbacks, with
    ///   ``NetcoreError/Code/canceled``. Calls that wait, or await, return in either case.
    public convenience init(dropsCallbacks: Bool = false) { self.init(dropsCallbacks: dropsCallbacks) { _ in } }

    /// - Parameter dropped: is called, where callbacks run, with the user data of each task whose terminal callback is dropped.
    package init(dropsCallbacks: Bool, dropped: @escaping @Sendable (UInt) -> Void) {
        members = ScopeMembers(dropsCallbacks: dropsCallbacks, dropped: dropped)
        members.setScope(self)
    }

    deinit { members.close() }

    /// Tasks of the scope that have not ended.
    public var count: Int { members.count }

    /// Cancels the tasks that have not ended. The scope stays open. Returns how many it canceled.
    @discardableResult
    public func cancel() -> Int { members.cancel() }

    /// Cancels the tasks that have not ended. Tasks of the scope that are dispatched from now on end as canceled at once.
    public func close() { members.close() }
}

/// The tasks of a scope that have not ended. Requests and tasks hold this, and not the scope, which may end before them.
package final class ScopeMembers: @unchecked Sendable {  // all state is under the condition's lock
    private let dropsCallbacks: Bool
    private let dropped: @Sendable (UInt) -> Void
    private let forkCount = Fork.count
    /// For the C door: its handle, also after that has ended.
    package var number: UInt64 {
        get { condition.lock.withLock { handle } }
        set { condition.lock.withLock { handle = newValue } }
    }
    private var handle: UInt64 = 0
    private let condition = Condition()
    private var tasks: [ObjectIdentifier: RequestTask] = [:]
    private var closed = false
    /// Callbacks of its tasks that run now.
    private var running = 0
    private weak var scope: TaskScope?

    init(dropsCallbacks: Bool, dropped: @escaping @Sendable (UInt) -> Void) {
        self.dropsCallbacks = dropsCallbacks
        self.dropped = dropped
    }

    fileprivate func setScope(_ scope: TaskScope) { self.scope = scope }

    /// The scope; nil once it is gone.
    var living: TaskScope? { condition.lock.withLock { scope } }

    var count: Int { condition.lock.withLock { tasks.count } }

    var isClosed: Bool { condition.lock.withLock { closed } }

    /// Takes a task in. False when the scope is closed: the task is to end as canceled.
    func add(_ task: RequestTask) -> Bool {
        guard Fork.count == forkCount else { return false }
        return condition.lock.withLock {
            guard !closed else { return false }
            tasks[ObjectIdentifier(task)] = task
            return true
        }
    }

    func remove(_ task: RequestTask) {
        condition.lock.withLock { _ = tasks.removeValue(forKey: ObjectIdentifier(task)) }
    }

    func cancel() -> Int { cancel(condition.lock.withLock { Array(tasks.values) }) }

    private func cancel(_ some: [RequestTask]) -> Int {
        some.reduce(0) { count, task in
            task.isEndedByScope.store(true, ordering: .relaxed)
            return count + task.engine.intake.cancel(CollectionOfOne(task), .scope)
        }
    }

    func close() {
        // The tasks of the parent are not those of a child.
        guard Fork.count == forkCount else { return }
        let left: [RequestTask] = condition.lock.withLock {
            closed = true
            return Array(tasks.values)
        }
        _ = cancel(left)
        guard dropsCallbacks, !CallbackScope.isInside, Thread.mayWait else { return }
        condition.lock.withLock {
            while running > 0, !Standstill.isForGood { condition.wait() }
        }
    }

    // MARK: Callbacks

    /// Runs a callback of one of its tasks, unless the scope is closed and drops them.
    ///
    /// - Parameter isLast: whether it is the terminal one, in whose place the user data is released.
    func run(isLast: Bool, _ userData: UInt, _ callback: () -> Void) {
        guard begin() else {
            if isLast { dropped(userData) }
            return
        }
        callback()
        end()
    }

    private func begin() -> Bool {
        condition.lock.withLock {
            guard !closed || !dropsCallbacks else { return false }
            running += 1
            return true
        }
    }

    private func end() {
        condition.lock.withLock {
            running -= 1
            if running == 0, closed { condition.broadcast() }
        }
    }
}

extension RequestTask {
    /// Its client has it from now on, and so does its scope. False when that is closed: the task is to end as canceled.
    func enterScope() -> Bool {
        guard let scope, !scope.add(self) else { return true }
        isEndedByScope.store(true, ordering: .relaxed)
        _ = markCanceled()
        return false
    }

    /// Runs a callback of the task's, unless its scope drops it.
    func deliver(isLast: Bool, _ callback: () -> Void) {
        guard let scope else { return callback() }
        scope.run(isLast: isLast, userData, callback)
    }

    /// Why it is canceled, where only the mark says that it is.
    var markedCause: NetcoreError.CancelCause { isEndedByScope.load(ordering: .relaxed) ? .scope : .application }
}
