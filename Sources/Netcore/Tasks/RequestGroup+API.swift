public import NetcoreHTTP

extension RequestGroup {
    /// Adds a request, which the group will dispatch.
    @discardableResult
    public func add(_ request: Request) throws(NetcoreError) -> RequestTask {
        try add(request) { _ in }
    }

    /// Adds a request, which the group will dispatch. The functions are those of
    /// ``Client/dispatch(_:onEarlyResponse:onCompletion:)``.
    @discardableResult
    public func add(
        _ request: Request, onEarlyResponse: (@Sendable (Response) -> Void)? = nil,
        onProgress: (@Sendable (RequestTask.Progress) -> Void)? = nil,
        // Without a default: else a closure after the call would be taken for `onEarlyResponse`.
        onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void
    ) throws(NetcoreError) -> RequestTask {
        try add(try work(request), sink: .callback(onEarlyResponse, onProgress, onCompletion))
    }

    /// Adds work of the application's own. `resume` starts it when the group is dispatched; `cancel` is called, at most once
    /// and after `resume`, when it is no longer wanted. It ends with ``RequestTask/complete(_:)``.
    @discardableResult
    public func addApplicationTask(
        resume: (@Sendable (RequestTask) -> Void)? = nil, cancel: (@Sendable (RequestTask) -> Void)? = nil
    ) throws(NetcoreError) -> RequestTask {
        try add(.application(resume: resume, cancel: cancel), sink: .none)
    }

    /// Dispatches all members. `notify` runs once, after the callback of every member has returned.
    public func dispatch(notify: @escaping @Sendable (RequestGroup) -> Void = { _ in }) throws(NetcoreError) {
        try dispatch(.callback(notify))
    }

    /// Dispatches all members and waits for the notification. Canceling the surrounding task cancels the members, which then end
    /// as canceled, each with its callback.
    ///
    /// - Throws: ``NetcoreError`` if the group is not dispatched. How its members ended is no reason to throw.
    public func dispatchAndWait() async throws(NetcoreError) {
        let failure: NetcoreError? = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                do throws(NetcoreError) {
                    try dispatch(.callback { _ in continuation.resume(returning: nil) })
                } catch {
                    continuation.resume(returning: error)
                }
            }
        } onCancel: {
            cancel()
        }
        if let failure { throw failure }
    }
}

extension RequestTask {
    /// Says that an application task has ended, with nil for success. After a cancel, canceled is reported whatever is given.
    public func complete(_ failure: NetcoreError.Code? = nil) throws(NetcoreError) {
        try checkRunning()
        guard claimApplicationEnd() else { throw Self.hasEnded }
        engine.intake.submit(.applicationTaskEnded(self, failure ?? .ok))
    }

    /// Sends a request as the work of an application task, in place of ``complete(_:)``: the task ends as the request does, with its
    /// response. Canceling the task cancels the request.
    public func send(_ request: Request) throws(NetcoreError) {
        try checkRunning()
        guard case .request(let built, let unfiltered) = try Work.built(request, for: engine) else { return }
        guard claimApplicationEnd() else { throw Self.hasEnded }
        engine.intake.submit(.run { $0.send(self, built, unfiltered) })
    }

    private static let hasEnded = NetcoreError(
        .invalidHandle, argument: "task", "has ended, or has sent its request")

    private func checkRunning() throws(NetcoreError) {
        try engine.checkUsable()
        guard case .application = work else {
            throw NetcoreError(.invalidState, argument: "task", "not an application task")
        }
        switch state {
        case .created: throw NetcoreError(.invalidState, argument: "task", "its group has not started it")
        case .finished: throw Self.hasEnded
        case .queued, .running: return
        }
    }
}
