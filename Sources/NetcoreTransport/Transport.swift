package import NetcoreHTTP
package import NetcoreSupport

/// Who asked for a hop. Called on the I/O thread.
package protocol TransferHandler: AnyObject {
    /// Whether the answer is no longer wanted.
    var isCanceled: Bool { get }

    /// Whether it is not to share a connection with what is under way to the host: it is sent beside one of those.
    var needsOtherConnection: Bool { get }

    /// Bytes of the body: received and expected (-1 when not known) as transferred, and sent.
    func transferDidProgress(received: Int, expected: Int, sent: Int)

    /// Whether anybody wants to know of its steps.
    var isObserved: Bool { get }

    /// The hop came so far.
    func transferDid(_ step: TransferStep)

    /// A 1xx answer came.
    func transferDidReceiveInterim(status: Int, _ fields: FieldBlock)

    /// What becomes of the body of an answer whose head has come.
    func transferUse(ofBody status: Int, _ fields: FieldBlock?) -> BodyUse

    /// The head of an answer whose body is streamed: no other answer follows. Returns where the body goes; nil: into memory.
    func transferDidReceiveHead(_ response: Response) -> (any BodySink)?

    /// An answer came that the transport follows up by itself: a 401 that asks for what Digest needs.
    func transferDidReceiveChallenge(_ fields: FieldBlock)

    /// The hop has ended; nothing follows. The next one may be started at once.
    func transferDidEnd(_ result: Response)
}

/// How far a hop has come. A hop that is sent on another connection has each step again.
package enum TransferStep {
    /// It has a new connection, which was begun at that time, and took so long; or none, since it failed after that.
    case connected(Timings, since: MonotonicTime)
    /// The request was handed over, with so many bytes of a body.
    case sent(Int)
    /// The first byte of an answer came.
    case receives
}

extension TransferHandler {
    package var needsOtherConnection: Bool { false }
    package var isObserved: Bool { false }
    package func transferDid(_ step: TransferStep) {}
}

/// What becomes of a received body.
package enum BodyUse: Sendable {
    /// The application gets it: a damaged one is an error.
    case delivered
    /// The same, piece by piece, after its head: see ``TransferHandler/transferDidReceiveHead(_:)``.
    case streamed
    /// A cache may keep it; a damaged one is dropped.
    case kept
    /// It will not be seen.
    case dropped

    /// Whether the application gets it.
    var isJudged: Bool { self == .delivered || self == .streamed }
}

/// A hop that a transport has taken.
package protocol TransferToken: AnyObject {
    /// Ends it without calling its handler. Returns what was known of it, with the error `canceled`.
    func cancel() -> Response

    /// The address that its connection went to, once it has ended; nil if that is not known.
    var address: String? { get }

    /// The port of that; 0 if it is not known.
    var port: Int { get }

    /// The sink of its body takes more. On the client's loop, outside of calls to the sink.
    func resumeReceiving()
}

extension TransferToken {
    package var address: String? { nil }
    package var port: Int { 0 }
    package func resumeReceiving() {}
}

/// Moves bytes. Confined to the client's loop; libcurl's is ``CurlTransport``, and tests have one without sockets.
package protocol Transport: AnyObject {
    /// The host of an origin, made when it is new.
    func host(for origin: String) -> Host

    /// Starts a hop. Its handler is called at its end, later and not within this call.
    func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> any TransferToken
}
