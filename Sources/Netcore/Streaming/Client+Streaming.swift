package import NetcoreHTTP

extension Client {
    /// Sends a request, and returns as the head of its answer has come; the body is read from what is returned.
    ///
    /// Redirects and challenges are answered before. From then on nothing is sent again: a connection that is lost is an error where
    /// the body is read. The transfer is paused when a window of the body waits to be read. That time counts only to the total
    /// timeout, and to no minimum rate. A cache answers such a request, and does not store its answer.
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

    /// The same for a caller that blocks: what is returned owns the stream.
    package func performStreamed(_ request: Request, window: Int) throws(NetcoreError) -> Response {
        _ = try engine.checkedWait(until: .never)
        let stream = try openStream(request, window: window)
        guard let head = try stream.head(until: .never) else { throw NetcoreError(.internal) }
        head.streamOwner = StreamOwner(stream)
        return head
    }

    /// Dispatches a request whose answer is read from what is returned.
    package func openStream(_ request: Request, window: Int) throws(NetcoreError) -> ResponseStream {
        try engine.checkUsable()
        let stream = try ResponseStream(engine, window: window)
        var request = request
        request.options.isStreamed = true
        let task = try makeTask(request, .stream(stream), hasID: false)
        stream.begin(task)
        do throws(NetcoreError) {
            try start(task)
        } catch {
            stream.forget()
            throw error
        }
        return stream
    }
}

/// Ends the reading of a stream when it is released.
private final class StreamOwner: Sendable {
    let stream: ResponseStream

    init(_ stream: ResponseStream) { self.stream = stream }

    deinit { stream.abandon() }
}

extension Response {
    /// What its body is read from; nil if it has it.
    package var stream: ResponseStream? { (streamOwner as? StreamOwner)?.stream }
}
