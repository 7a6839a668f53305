internal import NetcoreHTTP
internal import NetcoreSupport

/// The beginning and the end of tasks on the loop.
extension ClientLoop {
    func start(_ task: RequestTask, _ context: StageContext) {
        guard !task.onLoop.isEnded, !task.onLoop.isStarted else { return task.leaveQueue() }
        task.onLoop.isStarted = true
        running += 1
        task.reportQueued()
        // Several at once: who drives then stays for a while, since a hand-over takes longer than a wake-up.
        if running > 1 { watchUntil = now.adding(microseconds: Self.watchTime) }
        if task.isCanceled { return complete(task, canceledResult(task)) }
        switch task.work {
        case .request(let request, let unfiltered):
            let exchange =
                task.onLoop.exchange
                ?? Exchange(
                    Hop(request), owner: task, context: context, queuedSince: task.queuedSince, unfiltered: unfiltered)
            task.onLoop.exchange = exchange
            pipeline?.start(exchange)
        case .application(let resume, _):
            task.leaveQueue()
            task.markRunning()
            if let resume { deliveries.append(.application(task, resume)) }
        case .download(let run):
            task.leaveQueue()
            task.markRunning()
            if !run.begin(task) { complete(task, Response(error: NetcoreError(.outOfMemory))) }
        }
    }

    func cancel(_ task: RequestTask, _ cause: NetcoreError.CancelCause = .application) {
        guard !task.onLoop.isEnded else { return }
        if task.onLoop.isStarted, let exchange = task.onLoop.exchange {
            pipeline?.abandon(exchange, .canceled(.queue, cause))
        } else if case .application(_, let cancel) = task.work, task.onLoop.isStarted {
            // The application says when its work has ended.
            if let cancel, !task.onLoop.hasCanceledApplication {
                task.onLoop.hasCanceledApplication = true
                deliveries.append(.application(task, cancel))
            }
        } else if case .download(let run) = task.work, task.onLoop.isStarted {
            run.cancel()
        } else {
            complete(task, canceledResult(task, cause))
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
            if force, !task.onLoop.isEnded { complete(task, canceledResult(task, .client)) }
        }
        for group in groups where !group.progress.isDispatched { group.cancel() }
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
        if task.onLoop.isStarted {
            running -= 1
            task.leaveQueue()
        }
        if task.markFinished(), result.error?.code != .canceled {
            result.error = NetcoreError(.canceled, phase: .done)
        }
        if case .application = task.work { task.applicationCode = result.error?.code ?? .ok }
        intake.unregister(task)
        counters.countEnd(result.error?.code)
        if !task.onLoop.isStarted { task.reportQueued() }
        let received = result.isCopy ? 0 : task.onLoop.exchange?.costs.bytesReceived ?? 0
        task.reportEnd(result.status, result.error?.code, bytesReceived: received)
        task.reportEnd(result)
        deliver(task, response(task, result))
        if let group = task.group, group.memberDidEnd(result.error?.code ?? .ok) { end(group) }
    }

    private func response(_ task: RequestTask, _ result: Response) -> Response? {
        switch task.work {
        case .application: return nil
        case .download: return result
        case .request(let request, _):
            if let exchange = task.onLoop.exchange.take() {
                exchange.complete(result, .now)
            } else {
                // It never left the queue.
                result.userInfoBox = request.options.userInfo
                result.url = request.url
            }
            return result
        }
    }

    private func deliver(_ task: RequestTask, _ response: Response?) {
        if let stream = task.stream, let response { stream.finish(response) }
        switch task.sink {
        case .waiter(let waiter):
            if let response { waiter.deliver(response) }
        case .continuation(let continuation):
            task.releaseID()
            if let response { task.resume(continuation, returning: response) }
            watchUntil = now.adding(microseconds: Self.watchTime)
        case .discarded: break
        case .none where mode != .queue: task.releaseID()
        case .none, .callback: deliveries.append(.task(task, response))
        }
    }

    func end(_ group: RequestGroup) {
        group.removeMembers()
        intake.unregister(group)
        if case .none = group.sink, mode != .queue { return group.releaseID() }
        deliveries.append(.group(group))
    }
}

/// What the loop knows of a task.
struct TaskOnLoop {
    var isStarted = false
    var isEnded = false
    /// No longer counted in the queue's length.
    var hasLeftQueue = false
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
