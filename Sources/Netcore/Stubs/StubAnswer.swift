public import NetcoreHTTP
internal import NetcoreSupport

/// What a stub answers: status, header fields and body, after a delay and whole, or with a fault.
public struct StubAnswer: Sendable {
    /// What goes wrong.
    public enum Fault: Sendable {
        /// The connection is reset before an answer: ``NetcoreError/Code/connectionLost``.
        case reset
        /// The connection is closed before an answer: ``NetcoreError/Code/connectionLost``.
        case empty
        /// Nothing comes: the first-byte timeout of the request ends it.
        case silence
        /// The connection ends after so many bytes of the body: ``NetcoreError/Code/truncated``.
        case cut(after: Int)
        /// Nothing more comes after so many bytes of the body: the idle timeout of the request ends it.
        case stall(after: Int)
        /// A chunk after so many bytes of the body is damaged: ``NetcoreError/Code/protocol``.
        case malformedChunk(after: Int)
        /// The hop ends with an error, as if the network had failed so.
        case error(NetcoreError.Code, String = "")
    }

    /// From 200 to 599.
    public var status: Int
    public var headers: [(name: String, value: String)]
    /// What the application gets: it is not decoded, whatever Content-Encoding says.
    public var body: [UInt8]
    /// Before the answer begins, by the clock of the client.
    public var delay = StubDelay.none
    /// The body comes in pieces of so many bytes; 0 for one piece.
    public var pieceSize = 0
    /// Before each piece except the first.
    public var pieceDelay = StubDelay.none
    public var fault: Fault?
    /// In place of the two above: what was recorded.
    package var pieces: [(wait: Duration, count: Int)]?

    public init(
        _ status: Int = 200, _ headers: [(name: String, value: String)] = [], body: [UInt8] = [],
        delay: StubDelay = .none, fault: Fault? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.fault = fault
    }

    /// The same with a text as the body, in UTF-8.
    public init(
        _ status: Int = 200, _ headers: [(name: String, value: String)] = [], text: String,
        delay: StubDelay = .none, fault: Fault? = nil
    ) {
        self.init(status, headers, body: Array(text.utf8), delay: delay, fault: fault)
    }

    /// One that is a fault only.
    public static func fault(_ fault: Fault, delay: StubDelay = .none) -> StubAnswer {
        StubAnswer(delay: delay, fault: fault)
    }

    /// Refuses what is no answer: before it is given, where the mistake is.
    package func check() throws(NetcoreError) {
        guard (200..<600).contains(status) else {
            throw NetcoreError(.invalidArgument, argument: "status", "must be from 200 to 599")
        }
        let block = FieldBlock()
        for (name, value) in headers { try TransportHop.add(name, Array(value.utf8), to: block) }
        try delay.check()
        try pieceDelay.check()
        guard pieceSize >= 0 else {
            throw NetcoreError(.invalidArgument, argument: "piece_size_bytes", "must not be negative")
        }
        switch fault {
        case .cut(let count), .stall(let count), .malformedChunk(let count):
            guard count >= 0 else {
                throw NetcoreError(.invalidArgument, argument: "fault_after_bytes", "must not be negative")
            }
        case .error(let code, _): try TransportHop.checkFailure(code)
        case .reset, .empty, .silence, nil: break
        }
    }

    /// As it comes.
    ///
    /// - Parameter hasBody: false for an answer to HEAD, and for one of 204 and 304.
    func played(hasBody: Bool, _ random: () -> Double) throws(NetcoreError) -> PlayedAnswer {
        try check()
        var result = PlayedAnswer()
        result.wait = delay.microseconds(random)
        switch fault {
        case .silence:
            result.ending = .silence
            return result
        case .reset, .empty:
            let text = fault.isReset ? "the connection was reset" : "the connection was closed before an answer"
            result.ending = .failure(NetcoreError(.connectionLost, "\(text), as the stub says", phase: .wait))
            return result
        case .error(let code, let message):
            let text = message.isEmpty ? code.summary : message
            result.ending = .failure(NetcoreError(code, text, phase: .wait))
            return result
        default: break
        }
        result.status = status
        let block = FieldBlock()
        for (name, value) in headers { try TransportHop.add(name, Array(value.utf8), to: block) }
        result.fields = block
        if hasBody { try setBody(of: &result, random) }
        return result
    }

    private func setBody(of result: inout PlayedAnswer, _ random: () -> Double) throws(NetcoreError) {
        var count = body.count
        result.length = body.count
        switch fault {
        case .cut(let limit):
            count = min(limit, count)
            let text = "the body has \(count) of \(body.count) bytes, as the stub says"
            result.ending = .failure(NetcoreError(.truncated, text, phase: .receive))
        case .stall(let limit):
            count = min(limit, count)
            result.ending = .silence
        case .malformedChunk(let limit):
            count = min(limit, count)
            let text = "a chunk is damaged, as the stub says"
            result.ending = .failure(NetcoreError(.protocol, text, phase: .receive))
        default: break
        }
        let copy = body.withUnsafeBytes { ByteBuffer(copying: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        guard let copy else { throw NetcoreError(.outOfMemory) }
        result.body = copy
        result.pieces = cut(count, random)
    }

    private func cut(_ count: Int, _ random: () -> Double) -> [PlayedAnswer.Piece] {
        var result: [PlayedAnswer.Piece] = []
        var left = count
        if let pieces {
            for piece in pieces where left > 0 {
                let size = min(piece.count, left)
                let wait = StubDelay.fixed(piece.wait).microseconds(random)
                result.append(PlayedAnswer.Piece(wait: wait, count: size))
                left -= size
            }
        }
        while left > 0 {
            let size = pieceSize > 0 ? min(pieceSize, left) : left
            let wait = result.isEmpty ? 0 : pieceDelay.microseconds(random)
            result.append(PlayedAnswer.Piece(wait: wait, count: size))
            left -= size
        }
        return result
    }
}

extension StubAnswer.Fault? {
    fileprivate var isReset: Bool { if case .reset = self { true } else { false } }
}
