internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Stands between a transfer and its exchange, and keeps what passes. Confined to the client's loop.
final class HopRecorder {
    private var exchange: Exchange?
    /// What it records. Its own handler keeps it alive until it ends.
    var transfer: (any TransferToken)?
    private var recording = Recording()
    private let record: @Sendable (Recording) -> Void
    private let began = MonotonicTime.now
    private var headTime: MonotonicTime?
    /// Its body was not asked for.
    private var isUnwanted = false
    private var stream: StreamRecorder?

    init(
        _ exchange: Exchange, _ wire: WireRequest, _ body: ByteBuffer?,
        _ record: @escaping @Sendable (Recording) -> Void
    ) {
        self.exchange = exchange
        self.record = record
        recording.method = wire.method
        recording.url = wire.url.string
        recording.requestFields = Self.fields(wire.fields)
        recording.requestBody = body.map { Array($0.bytes) }
        recording.started = Timestamp.now.wall
    }

    private static func fields(_ block: FieldBlock?) -> [Recording.Field] {
        Headers(block ?? FieldBlock()).map { ($0.name, $0.value) }
    }

    /// Hands over what was kept.
    private func finish(_ result: Response, _ ending: Recording.Ending) {
        let now = MonotonicTime.now
        recording.wait = (headTime ?? now).microseconds(since: began)
        recording.receive = headTime.map { now.microseconds(since: $0) } ?? 0
        recording.status = result.status
        recording.version = result.version?.description ?? ""
        recording.fields = Self.fields(result.fieldBlock)
        recording.body = stream.map { Array($0.body.bytes) } ?? result.body
        recording.pieces = stream?.pieces ?? []
        recording.ending = ending
        record(recording)
        exchange = nil
        transfer = nil
    }
}

extension HopRecorder: TransferHandler {
    var isCanceled: Bool { exchange?.isCanceled ?? true }
    var isObserved: Bool { exchange?.isObserved ?? false }

    func transferDid(_ step: TransferStep) { exchange?.transferDid(step) }

    func transferDidProgress(received: Int, expected: Int, sent: Int) {
        exchange?.transferDidProgress(received: received, expected: expected, sent: sent)
    }

    func transferDidReceiveInterim(status: Int, _ fields: FieldBlock) {
        exchange?.transferDidReceiveInterim(status: status, fields)
    }

    func transferUse(ofBody status: Int, _ fields: FieldBlock?) -> BodyUse {
        headTime = .now
        let use = exchange?.transferUse(ofBody: status, fields) ?? .dropped
        isUnwanted = use == .dropped
        // Who replays it may want it.
        return isUnwanted ? .kept : use
    }

    func transferDidReceiveHead(_ response: Response) -> (any BodySink)? {
        guard let sink = exchange?.transferDidReceiveHead(response) else { return nil }
        let made = StreamRecorder(sink)
        stream = made
        return made
    }

    func transferDidReceiveChallenge(_ fields: FieldBlock) { exchange?.transferDidReceiveChallenge(fields) }

    func transferDidEnd(_ result: Response) {
        guard let exchange else { return }
        if let error = result.error {
            finish(result, .failure(error.code, error.message))
        } else {
            finish(result, .whole)
        }
        if isUnwanted {
            result.bodyBuffer = nil
            result.lacksBody = true
        }
        exchange.transferDidEnd(result)
    }
}

extension HopRecorder: TransferToken {
    var address: String? { transfer?.address }

    var port: Int { transfer?.port ?? 0 }

    func resumeReceiving() { transfer?.resumeReceiving() }

    /// A stream that the application closes is recorded so far.
    func cancel() -> Response {
        let result = transfer?.cancel() ?? Response(error: NetcoreError(.canceled))
        if stream != nil { finish(result, .open) }
        exchange = nil
        transfer = nil
        return result
    }
}

/// Passes a streamed body on, and keeps it with its pauses.
private final class StreamRecorder: BodySink {
    private let sink: any BodySink
    let body = ByteBuffer()
    private(set) var pieces: [Recording.Piece] = []
    private var last = MonotonicTime.now

    init(_ sink: any BodySink) { self.sink = sink }

    func take(_ bytes: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow {
        let now = MonotonicTime.now
        body.append(bytes)
        pieces.append(Recording.Piece(wait: now.microseconds(since: last), count: bytes.count))
        last = now
        return try sink.take(bytes)
    }

    func show() { sink.show() }
}
