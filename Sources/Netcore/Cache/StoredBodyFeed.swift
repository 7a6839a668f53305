internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Streams a stored body from its file: reads a piece on the cache's reading thread, hands it to the sink on the client's loop, and
/// reads on when that takes more.
///
/// Confined to the client's loop.
final class StoredBodyFeed: TransferToken, @unchecked Sendable {  // see above
    /// Bytes that are read at a time.
    private static let pieceSize = 256 << 10

    private let run: BodyRun
    private let sink: any BodySink
    /// Has work done on the reading thread; false if that takes none.
    private let start: (@escaping @Sendable () -> Void) -> Bool
    private let post: Post
    /// Called with the error, or nil at the end of the body.
    private var didEnd: ((NetcoreError?) -> Void)?
    private var position: Int
    private var isReading = false
    private var isFull = false

    init(
        _ run: BodyRun, to sink: any BodySink, on start: @escaping (@escaping @Sendable () -> Void) -> Bool,
        post: @escaping Post, didEnd: @escaping (NetcoreError?) -> Void
    ) {
        self.run = run
        self.sink = sink
        self.start = start
        self.post = post
        self.didEnd = didEnd
        position = run.range.lowerBound
    }

    func read() {
        guard !isReading, !isFull, didEnd != nil else { return }
        let part = position..<min(position + Self.pieceSize, run.range.upperBound)
        isReading = start { [run, post, self] in
            let piece = run.read(part)
            post { self.take(piece) }
        }
        if !isReading { end(NetcoreError(.canceled, phase: .done)) }
    }

    private func take(_ piece: Result<ByteBuffer, NetcoreError>) {
        isReading = false
        guard didEnd != nil else { return }
        do throws(NetcoreError) {
            let bytes = try piece.get()
            position += bytes.count
            isFull = try sink.take(bytes.bytes) == .full
            sink.show()
        } catch {
            return end(error)
        }
        if position == run.range.upperBound { end(nil) } else { read() }
    }

    private func end(_ error: NetcoreError?) { didEnd.take()?(error) }

    func resumeReceiving() {
        isFull = false
        read()
    }

    func cancel() -> Response {
        didEnd = nil
        return Response()
    }
}
