package import NetcoreHTTP
package import NetcoreSupport

/// Who asked for a hop. Called on the I/O thread.
package protocol TransferHandler: AnyObject {
    /// Whether nobody wants the answer any more.
    var isCanceled: Bool { get }

    /// Bytes of the body: received and expected (-1 when not known) as transferred, and sent.
    func transferDidProgress(received: Int, expected: Int, sent: Int)

    /// A 1xx answer came.
    func transferDidReceiveInterim(status: Int, _ fields: FieldBlock)

    /// What becomes of the body of an answer whose head has come.
    func transferUse(ofBody status: Int, _ fields: FieldBlock?) -> BodyUse

    /// An answer came that the transport follows up by itself: a 401 that asks for what Digest needs.
    func transferDidReceiveChallenge(_ fields: FieldBlock)

    /// The hop has ended; nothing follows. The next one may be started at once.
    func transferDidEnd(_ result: Response)
}

/// What becomes of a received body.
package enum BodyUse: Sendable {
    /// The application gets it: a damaged one is an error.
    case delivered
    /// A cache may keep it; a damaged one is dropped.
    case kept
    /// Nobody will see it.
    case dropped
}

/// A hop that a transport has taken.
package protocol TransferToken: AnyObject {
    /// Ends it without a word to its handler. Returns what was known of it, with the error `canceled`.
    func cancel() -> Response
}

/// Moves bytes. Confined to the client's loop; libcurl's is ``CurlTransport``, and tests have one without sockets.
package protocol Transport: AnyObject {
    /// The host of an origin, made when it is new.
    func host(for origin: String) -> Host

    /// Starts a hop. Its handler hears of its end later, not within this call.
    func start(
        _ wire: WireRequest, host: Host, limits: Limits, taskStart: MonotonicTime, handler: any TransferHandler
    ) -> any TransferToken
}
