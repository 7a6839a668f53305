internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// Calls the functions of the host's that have a say in requests: values of the time, and filters; again for each attempt. They run
/// on a thread of the client's; the task waits here.
final class ResolveStage: Stage {
    private unowned(unsafe) let engine: Engine
    /// The total timeouts of those that wait.
    private var timers = Timers()

    init(engine: Engine) { self.engine = engine }

    func down(_ task: RequestTask) -> Descent {
        guard case .unresolved(let given, let built, let settings) = task.work else { return .next }
        let resolving = Resolving(since: engine.now)
        let isAdded = engine.filterWorker.add { [engine] in
            guard resolving.begin(job: engine.filterWorker.currentJob) else { return }
            let result = Result { () throws(NetcoreError) in
                try ResolvedRequest(given, built: built, settings.values, for: engine)
            }
            guard resolving.end() else { return }
            engine.intake.submit(.run { engine in engine.resolveStage?.resume(task, result) })
        }
        guard isAdded else {
            return .end(Response(error: NetcoreError(.outOfMemory, "client: no thread can be started")))
        }
        if built.timeoutSet.total > 0 {
            let start = task.call.started ?? resolving.since
            resolving.timer = timers.add(task, at: start.adding(milliseconds: built.timeoutSet.total))
        }
        task.call.resolving = resolving
        return .hold
    }

    fileprivate func resume(_ task: RequestTask, _ result: Result<ResolvedRequest, NetcoreError>) {
        guard !task.call.isEnded, let resolving = leave(task) else { return }
        task.call.hostTime = max(engine.now.microseconds(since: resolving.since), 0)
        switch result {
        case .failure(let error): engine.pipeline.end(task, Response(error: error))
        case .success(let resolved):
            task.call.request = resolved.request
            task.call.wire = resolved.wire
            let hasShownProvisional = task.call.cache?.hasShownProvisional ?? false
            task.call.cache = resolved.query.map(CacheState.init)
            task.call.cache?.hasShownProvisional = hasShownProvisional
            engine.pipeline.resume(task)
        }
    }

    func up(_ task: RequestTask, _ result: Response) -> Ascent { .next }

    func abandon(_ task: RequestTask) -> Response {
        // What may never return is not to hold up the others.
        if let resolving = leave(task), resolving.giveUp() { engine.filterWorker.replaceThread(at: resolving.job) }
        return Response()
    }

    private func leave(_ task: RequestTask) -> Resolving? {
        defer { task.call.resolving = nil }
        if let timer = task.call.resolving?.timer { timers.remove(timer) }
        return task.call.resolving
    }

    var nextDeadline: MonotonicTime { timers.next }

    /// Ends those that waited too long.
    func expire(_ now: MonotonicTime) {
        while let object = timers.popDue(now) {
            guard let task = object as? RequestTask, !task.call.isEnded else { continue }
            _ = abandon(task)
            let error = NetcoreError(.timeoutTotal, "a function of the host's did not return in time", phase: .queue)
            engine.pipeline.end(task, Response(error: error))
        }
    }
}

/// What the stage knows of a task that waits for functions of the host's.
final class Resolving: Sendable {
    private enum State {
        static let waiting: UInt8 = 0
        static let running: UInt8 = 1
        static let ended: UInt8 = 2
    }

    let since: MonotonicTime
    private let number = Atomic<Int>(0)
    private let state = Atomic<UInt8>(State.waiting)
    /// For the I/O thread.
    nonisolated(unsafe) var timer: Int?

    init(since: MonotonicTime) { self.since = since }

    /// The functions are about to run. False when nobody waits for them.
    ///
    /// - Parameter job: the worker's number for it.
    func begin(job: Int) -> Bool {
        number.store(job, ordering: .relaxed)
        return move(from: State.waiting, to: State.running)
    }

    var job: Int { number.load(ordering: .relaxed) }

    /// They have returned. False when nobody waits for them.
    func end() -> Bool { move(from: State.running, to: State.ended) }

    /// Nobody waits for them any more. Returns whether they are running.
    func giveUp() -> Bool { state.exchange(State.ended, ordering: .acquiringAndReleasing) == State.running }

    private func move(from: UInt8, to: UInt8) -> Bool {
        state.compareExchange(expected: from, desired: to, ordering: .acquiringAndReleasing).exchanged
    }
}
