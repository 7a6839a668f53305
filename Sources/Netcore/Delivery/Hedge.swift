internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// A second try of an exchange's hop, in an exchange of its own that no task owns. Confined to the client's loop.
final class Hedge: @unchecked Sendable {  // see above
    /// The exchange whose first try may be under way still; nil when the hedge is over.
    private(set) var first: Exchange?
    /// Nil before it is sent.
    private(set) var exchange: Exchange?
    private(set) var state = State.due
    /// What the first try ended with, while the hedge may still bring something better.
    var failure: Response?
    /// What the hedge ended with.
    var end: Response?
    /// The stage gives the first try up: it ends by no cancel of the task's.
    var isGivingUpFirst = false
    /// The last progress of the hedge's body.
    private var progress: (received: Int, expected: Int, sent: Int)?
    private let whenHead: (Hedge) -> Void
    private let whenDone: (Hedge, Response) -> Void

    enum State {
        /// Waits for its time.
        case due
        case underWay
        /// The head of its answer was shown.
        case hasWon
        case over
    }

    /// - Parameters:
    ///   - head: the head of its answer was shown.
    ///   - done: it has ended.
    init(_ first: Exchange, head: @escaping (Hedge) -> Void, done: @escaping (Hedge, Response) -> Void) {
        self.first = first
        whenHead = head
        whenDone = done
    }

    func begin(_ exchange: Exchange) {
        self.exchange = exchange
        state = .underWay
    }

    /// Its exchange is as canceled from now on; what it ends with is of no use.
    func cancel() { state = .over }

    /// Neither side keeps the other any more.
    func finish() {
        state = .over
        first = nil
        exchange = nil
    }

    /// Its answer is the exchange's: so is its progress.
    func handOverProgress(to owner: any ExchangeOwner, _ now: MonotonicTime) {
        guard let progress else { return }
        owner.exchangeDidProgress(
            received: progress.received, expected: progress.expected, sent: progress.sent, now: now)
    }
}

extension Hedge: ExchangeOwner {
    var isCanceled: Bool { state == .over || first?.owner.isCanceled ?? true }

    func exchangeDidBegin() {}

    func exchangeWillSend(_ length: Int?) {}

    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime) {
        progress = (received, expected, sent)
        if state == .hasWon, let first { handOverProgress(to: first.owner, now) }
    }

    /// What comes before the end is shown of the first try only.
    func deliverEarly(_ response: Response) -> Bool { false }

    /// The first head that is shown wins: nothing else can follow it.
    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)? {
        guard state == .underWay, let first, let sink = first.handOverHead(response) else { return nil }
        state = .hasWon
        first.isGivenUp = true
        whenHead(self)
        return sink
    }

    func validateBesides(_ exchange: Exchange) {}

    var observedTask: RequestTask? { first?.owner.observedTask }

    func exchangeDidEnd(_ result: Response) { whenDone(self, result) }
}
