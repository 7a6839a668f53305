internal import NetcoreHTTP

/// Members of groups on the loop: how they end unstarted, are counted, and end their group.
extension ClientLoop {
    /// Ends a task that has not started. A group that is a member ends with its own members, each as the task would have.
    func endUnstarted(_ task: RequestTask, _ result: Response) {
        guard !task.onLoop.isEnded else { return }
        guard case .group(let group) = task.work else { return complete(task, result) }
        let code = result.error?.code ?? .canceled
        guard let members = group.beginEnding(as: code) else { return }
        for member in members { endUnstarted(member, Response(error: NetcoreError(code))) }
        if group.endsAtDispatch() { end(group) }
    }

    /// Counts a member that has ended, once, and does what its group makes of it.
    func countEnd(of task: RequestTask) {
        guard let group = task.group, !task.onLoop.isCounted else { return }
        task.onLoop.isCounted = true
        if group.memberDidEnd(task) { end(group) }
    }

    func end(_ group: RequestGroup) {
        group.stopTimer { groupTimers.remove($0) }
        let owner = group.removeMembers()
        intake.unregister(group)
        if case .none = group.sink, !mode.isTaken { group.releaseID() } else { deliveries.append(.group(group)) }
        guard let owner else { return }
        let result = Response()
        let outcome = group.outcome
        if outcome != .ok { result.error = NetcoreError(outcome) }
        complete(owner, result)
    }

    /// Starts the work of an application task: it ends with the response of this request.
    func send(_ task: RequestTask, _ request: BuiltRequest, _ unfiltered: UnfilteredRequest?) {
        guard !task.onLoop.isEnded else { return }
        guard !task.isCanceled else {
            return complete(task, Response(error: .canceled(.queue, .application)))
        }
        let exchange = Exchange(
            Hop(request), owner: task, context: context, queuedSince: now, unfiltered: unfiltered)
        if let changed = task.changedPriority { exchange.priority = changed }
        task.onLoop.exchange = exchange
        pipeline?.start(exchange)
    }

    /// Whether completions tell the application when to start and to stop a task of its own.
    func isSignaled(_ task: RequestTask) -> Bool { mode.isTaken && task.group?.hasOrder ?? false }
}

extension RequestTask.Work {
    /// Whether it stands for a group within another one.
    var isGroup: Bool {
        if case .group = self { true } else { false }
    }
}
