public import NetcoreHTTP
package import NetcoreSupport

/// A client: connections, limits, settings, and the threads that it needs. Any thread may use it.
///
/// When the last reference goes, tasks and groups go on to their end, and the threads end after them; in the pump and
/// queue modes, where only the client hands over completions, they end as canceled.
public final class Client: Sendable {
    package let engine: Engine

    /// Makes a client. It opens no connection, and starts its threads when they are first needed.
    public init(_ options: Options = Options()) throws(NetcoreError) {
        engine = try Fork.afterFirstUse(of: .client) { _ throws(NetcoreError) in try Engine(options) }
    }

    /// The same within ``Fork/afterFirstUse(of:_:)``.
    package init(withinFirstUse options: Options) throws(NetcoreError) { engine = try Engine(options) }

    deinit { engine.finish() }

    /// Takes no more requests; tasks that have not ended end as canceled, and are delivered as always. Does not wait.
    public func shutDown() { engine.shutDown() }

    /// Shuts down and waits until every callback has returned; inside a callback, it does not wait.
    public func destroy() { engine.destroy() }

    /// Dispatches a request. The functions run on the client's callback thread or inside ``process(maximum:)``.
    ///
    /// - Parameters:
    ///   - onEarlyResponse: is called with what comes before the end: a stored answer, with ``CacheMode/cacheThenNetwork``, and
    ///     interim answers, with ``Request/receivesInterim``.
    ///   - onProgress: is called with bytes that were sent and received, where ``Request/progressInterval`` is set.
    ///   - onCompletion: runs once, at the end.
    @discardableResult
    public func dispatch(
        _ request: Request, onEarlyResponse: (@Sendable (Response) -> Void)? = nil,
        onProgress: (@Sendable (RequestTask.Progress) -> Void)? = nil,
        onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void
    ) throws(NetcoreError) -> RequestTask {
        let task = try makeTask(request, .callback(onEarlyResponse, onProgress, onCompletion))
        try start(task)
        return task
    }

    /// Makes a task without dispatching it; see ``dispatch(_:)-(RequestTask)``.
    public func makeTask(
        _ request: Request, onEarlyResponse: (@Sendable (Response) -> Void)? = nil,
        onProgress: (@Sendable (RequestTask.Progress) -> Void)? = nil,
        onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void
    ) throws(NetcoreError) -> RequestTask {
        let task = try makeTask(request, .callback(onEarlyResponse, onProgress, onCompletion))
        try register(task)
        return task
    }

    /// Dispatches a task made by ``makeTask(_:onCompletion:)``.
    public func dispatch(_ task: RequestTask) throws(NetcoreError) {
        try engine.checkUsable()
        guard task.engine === engine else {
            throw NetcoreError(.invalidArgument, argument: "task", "belongs to another client")
        }
        try engine.submitting { () throws(NetcoreError) in try engine.intake.dispatchCreated(task) }
    }

    /// Sends a request and waits for its end on this thread. Inside a callback it holds the callbacks up.
    public func performBlocking(_ request: Request) throws(NetcoreError) -> Response {
        try performAndWait(request).result.get()
    }

    /// Sends a request. Canceling the surrounding task cancels the transfer.
    ///
    /// - Throws: ``NetcoreError``, or `CancellationError` if the surrounding task was canceled and the request with it. A request
    ///   that was canceled otherwise, by id or by tag, throws ``NetcoreError`` with code `canceled`.
    public func perform(_ request: Request) async throws -> Response {
        if let response = try fresh(request) { return response }
        return try await end(of: makeTask(request, .none, hasID: false)) { .continuation($0) }
    }

    /// The same, with reports of how far it has come.
    ///
    /// - Parameter onProgress: is called with bytes that were sent and received, each 100 ms unless ``Request/progressInterval`` says
    ///   otherwise, where callbacks run: on the client's callback thread or inside ``process(maximum:)``. Not for an answer that the cache
    ///   has at once, and no more once this has returned.
    /// - Throws: also ``NetcoreError/Code/invalidState`` for a client that runs no callbacks.
    public func perform(
        _ request: Request, onProgress: @escaping @Sendable (RequestTask.Progress) -> Void
    ) async throws -> Response {
        guard !engine.options.completions.isTaken else {
            throw NetcoreError(.invalidState, argument: "onProgress", "the client runs no callbacks")
        }
        if let response = try fresh(request) { return response }
        var request = request
        if request.progressInterval == nil { request.progressInterval = .milliseconds(100) }
        return try await end(of: makeTask(request, .none, hasID: false)) { .reporting($0, onProgress) }
    }

    /// Dispatches a task, and waits for its end without a thread.
    private func end(
        of task: RequestTask, sink: (UnsafeContinuation<Response, Never>) -> RequestTask.Sink
    ) async throws -> Response {
        let response = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                task.sink = sink(continuation)
                do throws(NetcoreError) {
                    try start(task)
                } catch {
                    continuation.resume(returning: Response(error: error))
                }
            }
        } onCancel: {
            // Before the dispatch a mark is enough: the task then ends at its start.
            if let marked = task.markCanceled(), marked.state != .created { task.engine.intake.submit(.cancel(task)) }
        }
        task.seeEnd()
        if let error = response.failure { throw error.inSurroundingTask }
        return response
    }

    /// A group of this client's.
    public func makeGroup() throws(NetcoreError) -> RequestGroup {
        try engine.checkUsable()
        return try RequestGroup(engine: engine)
    }

    /// Cancels a task by its id. False: it has ended, or never was one of this client's.
    @discardableResult
    public func cancel(id: UInt64) -> Bool {
        guard let task = RequestTask.with(id: id), task.engine === engine else { return false }
        return task.cancel()
    }

    /// Cancels all tasks that have not ended, or those whose request has a tag. Returns their number.
    @discardableResult
    public func cancelAll(tag: String? = nil) -> Int {
        guard Fork.count == engine.forkCount else { return 0 }
        return engine.intake.cancelAll(tag: tag)
    }

    /// The limits as they are now.
    public var limits: ClientLimits { engine.intake.currentLimits }

    /// Changes limits: for tasks dispatched from now on; those for transfers and the queue at once.
    public func setLimits(_ change: (inout ClientLimits) -> Void) throws(NetcoreError) {
        try engine.checkUsable()
        try engine.intake.setLimits(change)
    }

    /// Readable while completions wait, and in loop mode while there is something to do; nil in callback mode. Watch it, and
    /// neither read nor close it.
    public var descriptor: Int32? { engine.descriptor }

    /// Runs callbacks that are due on this thread, in pump and loop mode. In loop mode it moves the bytes of the client's requests
    /// before. Returns how many ran.
    @discardableResult
    public func process(maximum: Int = .max) throws(NetcoreError) -> Int {
        try engine.checkUsable()
        let mode = engine.options.completions
        guard mode.isPumped, Thread.mayWait || mode == .pump, let count = engine.completions.run(maximum: maximum)
        else {
            throw NetcoreError(
                .invalidState, argument: "client", "not in pump or loop mode, or callbacks are running already")
        }
        return count
    }
}

extension Client {
    package func makeTask(
        _ request: Request, _ sink: RequestTask.Sink, userData: UInt = 0, hasID: Bool = true
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        // A thread that waits drives the loop itself.
        if case .waiter = sink {} else { try engine.startThreads() }
        return try RequestTask(
            engine: engine, work: .built(request, for: engine), sink: sink, userData: userData, hasID: hasID)
    }

    /// Dispatches a task that was just made; on failure its id is invalid again. A fresh answer in memory is its end.
    package func start(_ task: RequestTask) throws(NetcoreError) {
        do throws(NetcoreError) {
            if let response = freshResponse(to: task) {
                engine.parts.observers.reportFresh(response, task, task.eventFunctions)
                if let request = task.work.request { engine.parts.requestLog.noteFresh(request, response, engine) }
                guard engine.intake.deliver(task, response) else { throw Intake.shutDownError }
                return
            }
            try engine.submitting { () throws(NetcoreError) in try engine.intake.dispatch(task) }
        } catch {
            task.releaseID()
            throw error
        }
    }

    /// What ends a task without its way through the pipeline.
    private func freshResponse(to task: RequestTask) -> Response? {
        guard let cache = engine.cache, task.isDeliverable, !(task.scope?.isClosed ?? false),
            case .request(let request, nil) = task.work,
            let request = try? engine.parts.hsts.upgraded(request), !engine.parts.identities.awaitToken(request),
            request.options.rules.areEmpty, !request.options.filtersDelivery,
            let response = cache.freshResponse(engine.parts.identities.query(request, cache))
        else { return nil }
        response.url = request.url
        return response
    }

    package func register(_ task: RequestTask) throws(NetcoreError) {
        guard engine.intake.register(task) else {
            task.releaseID()
            throw Intake.shutDownError
        }
    }

    /// A fresh answer that the cache has: found on this thread, without a task.
    ///
    /// - Parameter blocks: whether to look on disk too. What is there, and not fresh, is in memory afterwards.
    private func fresh(_ request: Request, blocks: Bool = false) throws(NetcoreError) -> Response? {
        guard let cache = engine.cache else { return nil }
        try engine.checkUsable()
        guard engine.intake.isOpen, !engine.asksApplication(request),
            !(request.options.taskScope?.isClosed ?? false)
        else { return nil }
        let request = try engine.parts.hsts.upgraded(request.built(for: engine))
        guard request.options.rules.areEmpty, !request.options.filtersDelivery,
            !engine.parts.identities.awaitToken(request)
        else { return nil }
        let query = engine.parts.identities.query(request, cache)
        var response = cache.freshResponse(query)
        if response == nil, blocks { response = cache.loadFreshResponse(query) }
        response?.url = request.url
        if let response {
            engine.parts.observers.reportFresh(response, nil, request.options.eventFunctions)
            engine.parts.requestLog.noteFresh(request, response, engine)
        }
        return response
    }

    /// Sends a request and waits for its end until a time. When that comes first there is a task in place of the response: it
    /// has an id, and ``RequestTask/wait(until:)`` gets the response.
    package func perform(
        _ request: Request, until deadline: MonotonicTime
    ) throws(NetcoreError) -> (response: Response?, task: RequestTask?) {
        let deadline = try engine.checkedWait(until: deadline)
        if let response = try fresh(request, blocks: deadline > .now) { return (response, nil) }
        let waiter = Waiter()
        return try dispatch(makeTask(request, .waiter(waiter), hasID: false), waiter, until: deadline)
    }

    /// Dispatches a task that was just made, without an id, and waits for its end until a time.
    func dispatch(
        _ task: RequestTask, _ waiter: Waiter, until deadline: MonotonicTime
    ) throws(NetcoreError) -> (response: Response?, task: RequestTask?) {
        if let response = try engine.dispatch(task, waiter, until: deadline) { return (response, task) }
        guard engine.driver.startThread(), engine.intake.keepAwaited(task) else {
            task.cancel()
            return (try engine.wait(for: waiter, until: .never), task)
        }
        return (nil, task)
    }

    package func performAndWait(_ request: Request) throws(NetcoreError) -> Response {
        try perform(request, until: .never).response ?? Response(error: NetcoreError(.internal))
    }
}

extension Response? {
    /// As ``Response/result``; for a request there always is a response.
    var ended: Result<Response, NetcoreError> { self?.result ?? .failure(NetcoreError(.internal)) }
}

extension Response {
    /// The response, or why there is none.
    package var result: Result<Response, NetcoreError> {
        failure.map { .failure($0) } ?? .success(self)
    }

    /// Its error as it is thrown: with the answer, if that was rejected.
    package var failure: NetcoreError? {
        guard var error else { return nil }
        if error.isRejection, status != 0 { error.response = self }
        return error
    }
}
