public import NetcoreHTTP
package import NetcoreSupport
internal import NetcoreTransport

/// One request on the wire that a transport of the application's is to answer, once. For any thread.
///
/// When its task is canceled or its time is over before, an answer comes too late and is an error.
public final class TransportHop: @unchecked Sendable {
    // `isOpen`, `id`: under `lock`; `handler`, `play`: the loop's; `body`: set before the function is called.
    private let lock = Lock()
    private var isOpen = true
    /// For the C door; 0 for none.
    private var id: UInt64 = 0
    private var handler: Exchange?
    private let post: Post
    let limits: Limits
    /// HEAD: the answer has no body.
    let isHead: Bool
    let bytesSent: Int
    private let plays: Plays
    /// What comes piece by piece.
    private var play: AnswerPlay?
    private let worker: ApplicationWorker
    private let run: FunctionRun
    private let wire: WireRequest
    /// The whole body, read before the function is called.
    private var body: ByteBuffer?

    init(
        _ wire: WireRequest, _ handler: Exchange, _ limits: Limits, _ worker: ApplicationWorker, _ plays: Plays,
        post: @escaping Post
    ) {
        self.wire = wire
        self.worker = worker
        self.handler = handler
        self.limits = limits
        self.plays = plays
        self.post = post
        isHead = wire.method == "HEAD"
        bytesSent = wire.body?.length ?? 0
        run = FunctionRun(since: plays.now)
    }

    deinit { close() }

    /// Whether an answer is still awaited.
    public var isAwaited: Bool { lock.withLock { isOpen } }

    /// Gives the answer. The body is what the application gets: it is not decoded, whatever Content-Encoding says.
    ///
    /// - Parameter status: from 200 to 599.
    /// - Throws: ``NetcoreError/Code/invalidHandle`` if it was answered before, or is awaited no longer;
    ///   ``NetcoreError/Code/invalidArgument`` and ``NetcoreError/Code/invalidHeader`` for what is not an answer; the
    ///   hop then still waits for one.
    public func answer(
        _ status: Int = 200, _ headers: [(name: String, value: String)] = [], body: [UInt8] = []
    ) throws(NetcoreError) {
        let block = FieldBlock()
        for (name, value) in headers { try Self.add(name, Array(value.utf8), to: block) }
        guard let copy = body.withUnsafeBytes({ ByteBuffer(copying: $0) }) else { throw NetcoreError(.outOfMemory) }
        try answer(status, fields: block, body: copy)
    }

    /// Ends the hop with an error, as if the network had failed so: ``NetcoreError/Code/connect``, for example. A cache may then
    /// serve what it has.
    public func fail(_ code: NetcoreError.Code, _ message: String = "") throws(NetcoreError) {
        try Self.checkFailure(code)
        let text = message.isEmpty ? code.summary : message
        try end(Response(error: NetcoreError(code, text, phase: .wait)))
    }

    static func checkFailure(_ code: NetcoreError.Code) throws(NetcoreError) {
        // Those before are of calls, and of cancels.
        guard code.isKnown, code.rawValue >= 400 else {
            throw NetcoreError(
                .invalidArgument, argument: "status", "\(code.rawValue) is not an error that a hop can end with")
        }
    }

    /// Ends the hop with ``NetcoreError/Code/refused`` and a number of the application's.
    package func refuse(_ number: Int32, _ message: String) throws(NetcoreError) {
        let text = message.isEmpty ? NetcoreError.Code.refused.summary : message
        try end(Response(error: NetcoreError(.refused, text, phase: .wait, nativeCode: number)))
    }

    /// - Parameter lines: header fields, each "Name: value" and a line feed.
    package func answer(_ status: Int, lines: UnsafeRawBufferPointer, body: ByteBuffer) throws(NetcoreError) {
        try answer(status, fields: Self.fields(lines: lines), body: body)
    }

    /// - Parameter lines: header fields, each "Name: value" and a line feed.
    package static func fields(lines: UnsafeRawBufferPointer) throws(NetcoreError) -> FieldBlock {
        let block = FieldBlock()
        for line in lines.split(separator: 0x0A) {
            let text = line.last == 0x0D ? line.dropLast() : line
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
                throw NetcoreError(.invalidHeader, argument: "headers", "a line has no colon")
            }
            let name = String(decoding: text[..<colon], as: UTF8.self)
            try Self.add(name, Array(text[(colon + 1)...]), to: block)
        }
        return block
    }

    private func answer(_ status: Int, fields: FieldBlock, body: ByteBuffer) throws(NetcoreError) {
        guard (200..<600).contains(status) else {
            throw NetcoreError(.invalidArgument, argument: "status", "must be from 200 to 599")
        }
        let response = Response(
            status: status, version: .http1_1, fields: fields, trailers: nil, attempts: 1, bytesSent: bytesSent,
            bytesReceived: body.count, isConnectionReused: false, timings: Timings())
        if body.count > min(limits.bodyBytes, limits.decodedBytes) {
            response.error = NetcoreError(.limitBodyBytes, "the body is larger than the limit", phase: .receive)
        } else if !isHead, status != 204, status != 304 {
            response.bodyBuffer = body
        }
        try end(response)
    }

    /// Checks a field of an answer and adds it.
    static func add(_ name: String, _ value: [UInt8], to block: FieldBlock) throws(NetcoreError) {
        guard Syntax.isToken(name.utf8), Syntax.isFieldValue(value) else {
            throw NetcoreError(
                .invalidHeader, argument: "headers",
                "\"\(name)\" is not a field name, or its value has a control byte")
        }
        Request.Field(name: name, value: value.withUnsafeBytes { Array(Syntax.trimmed($0)) }).append(to: block)
    }

    /// Calls the application's function, on its thread.
    func run(_ function: Client.TransportFunction) {
        guard run.begin(job: worker.currentJob) else { return }
        defer { _ = run.end() }
        do throws(NetcoreError) {
            body = try wire.readBody()
            function(Request(wire, body: body), self)
        } catch {
            try? end(Response(error: error))
        }
    }

    /// Takes the answer, and sees to it that it is the only one.
    private func end(_ response: Response) throws(NetcoreError) {
        guard close() else { throw Self.isOver }
        post { [self] in
            guard let handler else { return }
            self.handler = nil
            handler.transferDidEnd(response)
        }
    }

    /// The same for one that comes piece by piece.
    func play(_ answer: PlayedAnswer) throws(NetcoreError) {
        guard close() else { throw Self.isOver }
        post { [self] in
            guard let handler else { return }
            let play = AnswerPlay(answer, self, handler, plays)
            self.play = play
            play.begin()
        }
    }

    /// Lets the network answer. `record` is called on the client's loop with what was sent and what came, unless the hop is canceled
    /// before its head.
    func forward(_ record: @escaping @Sendable (Recording) -> Void) throws(NetcoreError) {
        guard close() else { throw Self.isOver }
        post { [self] in
            guard let exchange = handler else { return }
            handler = nil
            var sent = wire
            if case .streamed = wire.body, let body { sent = wire.replacing(body: body) }
            plays.forward(self, exchange, sent, HopRecorder(exchange, wire, body, record))
        }
    }

    /// Whether its answer comes piece by piece, by the client's clock.
    var isPlaying: Bool { play != nil }

    /// It has come to its end.
    func playDidEnd(_ response: Response) {
        play = nil
        guard let handler else { return }
        self.handler = nil
        handler.transferDidEnd(response)
    }

    package static let isOver = NetcoreError(
        .invalidHandle, argument: "hop", "it has been answered, or is awaited no longer")

    /// Returns false when it was closed before.
    @discardableResult
    private func close() -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard isOpen else { return false }
        isOpen = false
        if id != 0 { HandleTable.shared.release(id, .hop) }
        return true
    }

    // MARK: For the C door

    /// Gives it a number, which is valid while an answer is awaited.
    package func makeID() throws(NetcoreError) -> UInt64 {
        lock.lock()
        defer { lock.unlock() }
        guard isOpen else { throw Self.isOver }
        id = HandleTable.shared.insert(self, .hop)
        guard id != 0 else { throw NetcoreError(.outOfMemory, "there are too many handles") }
        return id
    }
}

extension TransportHop: TransferToken {
    package func resumeReceiving() { play?.resume() }

    package func cancel() -> Response {
        close()
        handler = nil
        let result = play?.known() ?? Response()
        result.error = NetcoreError(.canceled, phase: play == nil ? .wait : .receive)
        play?.stop()
        play = nil
        // What may never return is not to hold up the others.
        if run.giveUp() { worker.replaceThread(at: run.job) }
        return result
    }
}
