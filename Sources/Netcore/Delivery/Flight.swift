internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Equal requests that are in flight: one that goes by itself, or several tasks that wait for one transfer, whose owner this is then.
/// Confined to the client's loop.
final class Flight {
    let key: RequestKey
    /// The one that is sent.
    var exchange: Exchange?
    /// Whether tasks may join.
    let isShared: Bool
    /// In the order of their coming; those that left are passed over.
    private var all: [Exchange] = []
    private(set) var count = 0
    private(set) var hasBegun = false
    var isCanceled = false
    /// It is on its way down for the first time.
    var isStarting = false
    /// What it ended with.
    var end: Response?
    private let whenDone: (Flight, Response) -> Void
    private let whenBegun: (Flight) -> Void

    init(
        key: RequestKey, isShared: Bool, begun: @escaping (Flight) -> Void = { _ in },
        done: @escaping (Flight, Response) -> Void = { _, _ in }
    ) {
        self.key = key
        self.isShared = isShared
        whenBegun = begun
        whenDone = done
    }

    /// Those that wait, from the first on.
    var members: [Exchange] { all.filter { $0.flight === self } }

    var firstMember: Exchange? { all.first { $0.flight === self } }

    func board(_ exchange: Exchange) {
        exchange.flight = self
        all.append(exchange)
        count += 1
    }

    func leave(_ exchange: Exchange) {
        guard exchange.flight === self else { return }
        exchange.flight = nil
        count -= 1
        // Those that left hold memory; not more than the others do.
        if all.count > 64, count < all.count / 2 { all.removeAll { $0.flight !== self } }
    }
}

extension Flight: ExchangeOwner {
    func exchangeDidBegin() {
        hasBegun = true
        whenBegun(self)
    }

    func exchangeWillSend(_ length: Int?) {
        for member in members { member.owner.exchangeWillSend(length) }
    }

    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime) {
        for member in all where member.flight === self {
            member.owner.exchangeDidProgress(received: received, expected: expected, sent: sent, now: now)
        }
    }

    func deliverEarly(_ response: Response) -> Bool {
        guard let kind = response.early else { return false }
        var isReceived = false
        for member in members {
            if kind == .provisional { member.hasShownProvisional = true }
            let copy = Response(copying: response)
            copy.userInfoBox = member.request.options.userInfo
            isReceived = member.owner.deliverEarly(copy) || isReceived
        }
        return isReceived
    }

    /// What is streamed is not joined.
    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)? { nil }

    func validateBesides(_ exchange: Exchange) { members.first?.owner.validateBesides(exchange) }

    func exchangeDidEnd(_ result: Response) { whenDone(self, result) }
}
