package import NetcoreHTTP
package import NetcoreSupport

extension Client {
    /// Sends a request, and returns as the head of its answer has come; the body is read from what is returned.
    ///
    /// Redirects and challenges are answered before. From then on nothing is sent again: a connection that is lost is an error where
    /// the body is read. The transfer is paused when a window of the body waits to be read. That time counts only to the total
    /// timeout, and to no minimum rate. A cache answers such a request, and stores its answer up to
    /// ``Cache/Options/streamedBytes``.
    ///
    /// - Parameters:
    ///   - window: bytes of the body that may wait to be read, from 1 to 2^30. Besides, one piece of up to 64 KiB may wait, and what is
    ///     in the receive buffer, up to 256 KiB.
    /// - Throws: ``NetcoreError``, or `CancellationError` as ``perform(_:)`` does.
    public func stream(
        _ request: Request, window: Int = 1 << 20
    ) async throws -> StreamedResponse {
        let stream = try openStream(request, window: window)
        let head = await withTaskCancellationHandler {
            await stream.head()
        } onCancel: {
            stream.cancel()
        }
        do throws(NetcoreError) {
            return StreamedResponse(try head.get(), stream)
        } catch {
            throw error.inSurroundingTask
        }
    }

    /// The same for a caller that blocks, until a time: the response owns the stream, or is what the task ended with before there was
    /// a head. When the time comes first there is a task in its place: it has an id, and ``RequestTask/wait(until:)`` gets the response.
    package func performStreamed(
        _ request: Request, window: Int, until deadline: MonotonicTime
    ) throws(NetcoreError) -> (response: Response?, task: RequestTask?) {
        let deadline = try engine.checkedWait(until: deadline)
        let task = try makeStreamedTask(request, window: window)
        let drives = deadline > .now && !engine.driver.isApplicationDriven && engine.driver.take()
        do throws(NetcoreError) {
            try start(streamed: task)
        } catch {
            if drives { engine.driver.giveBack() }
            throw error
        }
        if drives { task.stream?.driveToHead(until: deadline) } else { engine.wakeNow() }
        if let response = try task.stream?.opening(until: deadline) { return (response, nil) }
        guard engine.intake.keepAwaited(task) else {
            task.stream?.cancel()
            return (try task.stream?.opening(until: .never), nil)
        }
        return (nil, task)
    }

    /// Dispatches a request whose answer is read from what is returned.
    package func openStream(
        _ request: Request, window: Int, isOfDownload: Bool = false
    ) throws(NetcoreError) -> ResponseStream {
        var request = request
        // The whole of a file twice is too much.
        if isOfDownload { request.options.hedging = .off }
        let task = try makeStreamedTask(request, window: window)
        task.isOfDownload = isOfDownload
        if isOfDownload { task.scope = nil }
        guard let stream = task.stream else { throw NetcoreError(.internal) }
        try start(streamed: task)
        return stream
    }

    /// Makes a task whose answer goes to its stream.
    ///
    /// - Parameter sink: is notified of head, bytes and end; without one, a caller waits for them.
    package func makeStreamedTask(
        _ request: Request, window: Int, sink: RequestTask.Sink = .discarded, userData: UInt = 0
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        let isAnnounced = if case .discarded = sink { false } else { true }
        let stream = try ResponseStream(engine, window: window, isAnnounced: isAnnounced)
        var request = request
        request.options.isStreamed = true
        let task = try makeTask(request, sink, userData: userData, hasID: isAnnounced)
        task.stream = stream
        if case .request(let built, _) = task.work { stream.setDigest(built.options.rules.digest) }
        return task
    }

    /// Dispatches a task that ``makeStreamedTask(_:window:sink:userData:)`` made.
    package func start(streamed task: RequestTask) throws(NetcoreError) {
        task.stream?.begin(task)
        do throws(NetcoreError) {
            try start(task)
        } catch {
            task.stream?.forget()
            throw error
        }
    }
}

/// Ends the reading of a stream when it is released.
final class StreamOwner: Sendable {
    let stream: ResponseStream

    init(_ stream: ResponseStream) { self.stream = stream }

    deinit { stream.abandon() }
}

extension Response {
    /// What its body is read from; nil if it has it.
    package var stream: ResponseStream? { (streamOwner as? StreamOwner)?.stream }
}
