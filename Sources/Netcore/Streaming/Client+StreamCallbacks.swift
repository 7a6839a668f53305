public import NetcoreHTTP
internal import NetcoreSupport

/// What a function that receives a streamed answer wants next.
public enum StreamStep: Sendable {
    /// What follows.
    case next
    /// Nothing more: the request is canceled.
    case cancel
}

extension Client {
    /// Dispatches a request whose answer goes to functions: its head, then its body piece by piece, then its end.
    ///
    /// They run one at a time, on the client's callback thread or inside ``process(maximum:)``. The next piece comes when `onData` has
    /// returned; when a window of the body waits meanwhile, the transfer is paused. A function that takes long holds the client's other
    /// callbacks up: ``stream(_:window:)`` does not.
    ///
    /// - Parameters:
    ///   - window: as in ``stream(_:window:)``.
    ///   - onEarlyResponse, onProgress: as in ``dispatch(_:onEarlyResponse:onProgress:onCompletion:)``.
    ///   - onHead: is called once with status and header fields, unless the request fails before.
    ///   - onData: is called with each piece of the body, decoded, of 1 byte or more.
    ///   - onCompletion: runs once, after all others: with trailers and timings, or why the body is not whole.
    @discardableResult
    public func dispatchStreamed(
        _ request: Request, window: Int = 1 << 20, onEarlyResponse: (@Sendable (Response) -> Void)? = nil,
        onProgress: (@Sendable (RequestTask.Progress) -> Void)? = nil,
        onHead: @escaping @Sendable (Response) -> StreamStep = { _ in .next },
        onData: @escaping @Sendable (BodyChunk) -> StreamStep,
        onCompletion: @escaping @Sendable (Result<Response, NetcoreError>) -> Void
    ) throws(NetcoreError) -> RequestTask {
        let delivery = StreamDelivery(onHead, onData)
        let task = try makeStreamedTask(
            request, window: window,
            sink: .callback { task, response in
                switch response?.early {
                case .head?, .readable?: delivery.go(on: task, response)
                case .progress?: onProgress?(task.progress)
                case .interim?, .provisional?: if let response { onEarlyResponse?(response) }
                case nil:
                    delivery.go(on: task, nil)
                    onCompletion(response.ended)
                }
            })
        try start(streamed: task)
        return task
    }
}

/// Hands a streamed answer to functions as its task's events come. Used by one callback at a time.
private final class StreamDelivery: @unchecked Sendable {  // see above
    private let onHead: @Sendable (Response) -> StreamStep
    private let onData: @Sendable (BodyChunk) -> StreamStep
    /// Who reads the stream; the request is canceled when it goes before the end.
    private var owner: AnyObject?

    init(
        _ onHead: @escaping @Sendable (Response) -> StreamStep, _ onData: @escaping @Sendable (BodyChunk) -> StreamStep
    ) {
        self.onHead = onHead
        self.onData = onData
    }

    /// - Parameter response: the head if it has come.
    func go(on task: RequestTask, _ response: Response?) {
        if let response, response.early == .head {
            owner = response.streamOwner
            response.streamOwner = nil
            response.early = nil
            act(onHead(response), task)
        }
        while let stream = (owner as? StreamOwner)?.stream, let chunk = Self.next(of: stream) {
            act(onData(BodyChunk(buffer: chunk)), task)
        }
    }

    private func act(_ step: StreamStep, _ task: RequestTask) {
        guard case .cancel = step else { return }
        owner = nil
        task.cancel()
    }

    /// A piece that has come. Nil if there is none for now, in which case another event follows, and at the end.
    private static func next(of stream: ResponseStream) -> ByteBuffer? {
        if case .chunk(let chunk)? = try? stream.nextChunk(until: .now) { chunk } else { nil }
    }
}
