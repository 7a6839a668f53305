internal import NetcoreHTTP
internal import NetcoreSupport

/// The beginning and the end of tasks on the loop.
extension ClientLoop {
    func start(_ task: RequestTask, _ context: StageContext) {
        guard !task.onLoop.isEnded, !task.onLoop.isStarted else { return task.leaveQueue() }
        task.onLoop.isStarted = true
        running += 1
        task.beginOwnEvents()
        task.reportQueued()
        context.client.requestLog.noteBegin(task)
        // Several at once: who drives then stays for a while, since a hand-over takes longer than a wake-up.
        if running > 1 { watchUntil = machineNow.adding(microseconds: Self.watchTime) }
        if task.isCanceled { return endUnstarted(task, canceledResult(task, task.markedCause)) }
        switch task.work {
        case .request(let request, let unfiltered):
            let exchange =
                task.onLoop.exchange
                ?? Exchange(
                    Hop(request), owner: task, context: context, queuedSince: task.queuedSince, unfiltered: unfiltered)
            task.onLoop.exchange = exchange
            if let changed = task.changedPriority { exchange.priority = changed }
            if waiting != nil, task.canBeDropped { waiting?.add(task) }
            pipeline?.start(exchange)
        case .application(let resume, _):
            task.leaveQueue()
            task.markRunning()
            if resume != nil || isSignaled(task) { deliveries.append(.application(task, .start)) }
        case .download(let run):
            task.leaveQueue()
            task.markRunning()
            if !run.begin(task) { complete(task, Response(error: NetcoreError(.outOfMemory))) }
        case .group(let group):
            task.leaveQueue()
            task.markRunning()
            // The client ends, and will have it end with all others.
            if !group.beginAsMember() { endUnstarted(task, canceledResult(task, .client)) }
        }
    }

    func cancel(_ task: RequestTask, _ cause: NetcoreError.CancelCause = .application) {
        guard !task.onLoop.isEnded else { return }
        if task.onLoop.isStarted, let exchange = task.onLoop.exchange {
            pipeline?.abandon(exchange, .canceled(.queue, cause))
        } else if case .application(_, let cancel) = task.work, task.onLoop.isStarted {
            // The application says when its work has ended.
            if cancel != nil || isSignaled(task), !task.onLoop.hasCanceledApplication {
                task.onLoop.hasCanceledApplication = true
                deliveries.append(.application(task, .stop))
            }
        } else if case .group(let group) = task.work, task.onLoop.isStarted {
            group.cancel()
        } else if case .download(let run) = task.work, task.onLoop.isStarted {
            run.cancel()
        } else {
            endUnstarted(task, canceledResult(task, cause))
        }
    }

    /// For a task that never came to be queued, or never left the queue.
    private func canceledResult(
        _ task: RequestTask, _ cause: NetcoreError.CancelCause = .application
    ) -> Response {
        Response(error: .canceled(task.state == .created ? .none : .queue, cause))
    }

    func cancelEverything(force: Bool) {
        let (tasks, groups) = intake.everything
        for task in tasks {
            _ = task.markCanceled()
            cancel(task, .client)
            if force, !task.work.isGroup, !task.onLoop.isEnded { complete(task, canceledResult(task, .client)) }
        }
        for group in groups where !group.progress.isDispatched { group.cancel() }
        // No completion may come to say that the callbacks have returned.
        if force {
            for group in groups {
                for task in group.allMembers where task.onLoop.isEnded { countEnd(of: task) }
                // It has no members, and its start is not looked at any more.
                if group.endsAtDispatch() { end(group) }
            }
        }
    }

    // MARK: Those that wait

    /// The application gave a task another priority.
    func setPriority(of task: RequestTask) {
        guard !task.onLoop.isEnded else { return }
        if case .download(let run) = task.work { return run.setPriority(task.priority) }
        waiting?.move(task)
        if let exchange = task.onLoop.exchange { pipeline?.setPriority(exchange, task.priority) }
    }

    /// Watches those that wait, if the client drops the lowest of them when its queue is full.
    func watchWaiting(_ limits: ClientLimits) {
        guard limits.queueOverflow == .dropLowest else {
            for task in intake.everything.tasks { task.onLoop.isWatched = false }
            waiting = nil
            return
        }
        guard waiting == nil else { return }
        waiting = WaitingTasks()
        for task in intake.everything.tasks where task.onLoop.isStarted && task.canBeDropped { waiting?.add(task) }
    }

    /// Ends those that are beyond the queue's length.
    func dropLowest() {
        while waiting?.count ?? 0 > context.limits.queueLength, let task = waiting?.lowest() {
            if let exchange = task.onLoop.exchange {
                pipeline?.abandon(exchange, NetcoreError(.dropped, "the queue was full", phase: .queue))
            }
            // A stage may have found an answer, and not yet have it.
            if task.onLoop.isWatched { waiting?.remove(task) }
        }
    }

    /// The application said that its work has ended.
    func end(_ task: RequestTask, _ code: NetcoreError.Code) {
        guard !task.onLoop.isEnded else { return }
        let result = Response()
        if code != .ok { result.error = NetcoreError(code) }
        complete(task, result)
    }

    // MARK: Complete: the end of the way up

    /// Ends a task: exactly once.
    func complete(_ task: RequestTask, _ result: Response) {
        guard !task.onLoop.isEnded else { return }
        task.onLoop.isEnded = true
        task.stream?.judge(result)
        if task.onLoop.isStarted {
            running -= 1
            task.leaveQueue()
        }
        if task.markFinished(), result.error?.code != .canceled {
            result.error = .canceled(.done, task.markedCause)
        }
        if case .application = task.work { task.applicationCode = result.error?.code ?? .ok }
        intake.unregister(task)
        if !task.work.isGroup { counters.countEnd(result.error?.code) }
        if !task.onLoop.isStarted { task.reportQueued() }
        let received = result.isCopy ? 0 : task.onLoop.exchange?.costs.bytesReceived ?? 0
        task.reportEnd(result.status, result.error?.code, bytesReceived: received)
        context.client.requestLog.noteEnd(task, result)
        task.reportEnd(result)
        let response = response(task, result)
        task.group?.keep(task, result.error?.code ?? .ok, response)
        deliver(task, response)
        guard let group = task.group else { return }
        guard group.waitsForCallbacks, !isEnding else { return countEnd(of: task) }
        deliveries.append(.returned(task))
    }

    private func response(_ task: RequestTask, _ result: Response) -> Response? {
        switch task.work {
        case .application:
            guard let exchange = task.onLoop.exchange.take() else { return nil }
            exchange.complete(result, context.client.now)
            return result
        case .group: return nil
        case .download: return result
        case .request(let request, _):
            if let exchange = task.onLoop.exchange.take() {
                exchange.complete(result, context.client.now)
            } else {
                // It never left the queue.
                result.userInfoBox = request.options.userInfo
                result.url = request.url
            }
            return result
        }
    }

    private func deliver(_ task: RequestTask, _ response: Response?) {
        if task.work.isGroup { return task.releaseID() }
        if let stream = task.stream, let response { stream.finish(response) }
        switch task.sink {
        case .waiter(let waiter):
            if let response { waiter.deliver(response) }
        case .continuation(let continuation):
            task.releaseID()
            if let response { task.resume(continuation, returning: response) }
            watchUntil = machineNow.adding(microseconds: Self.watchTime)
        case .discarded: break
        case .none where !mode.isTaken: task.releaseID()
        case .none, .callback, .events, .reporting: deliveries.append(.task(task, response))
        }
    }
}

extension RequestTask {
    /// Whether it may have to make room in the queue.
    fileprivate var canBeDropped: Bool {
        if case .request = work { group == nil && !onLoop.hasLeftQueue } else { false }
    }
}

/// What the loop knows of a task.
struct TaskOnLoop {
    var isStarted = false
    var isEnded = false
    /// How it ended, and whether its group has counted that.
    var endCode = NetcoreError.Code.ok
    var isCounted = false
    /// No longer counted in the queue's length.
    var hasLeftQueue = false
    /// One of ``WaitingTasks``, and at which level.
    var isWatched = false
    var level = 0
    /// The function of a task of the application's was called: the task is no longer wanted.
    var hasCanceledApplication = false
    /// Until its end.
    var exchange: Exchange?
    /// Of reports on progress.
    var nextReport = MonotonicTime(microseconds: 0)
    /// What its events have, and the time of the last one, in nanoseconds.
    var number: UInt64 = 0
    var lastEvent = 0
}
