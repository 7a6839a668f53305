internal import NetcoreHTTP
internal import NetcoreTransport

/// What the transport tells of a hop.
extension Exchange: TransferHandler {
    var isCanceled: Bool { owner.isCanceled }

    func transferDidProgress(received: Int, expected: Int, sent: Int) {
        owner.exchangeDidProgress(received: received, expected: expected, sent: sent, now: context.now)
    }

    func transferDidReceiveInterim(status: Int, _ fields: FieldBlock) {
        guard request.options.receivesInterim else { return }
        let response = Response()
        response.status = status
        response.fieldBlock = fields
        deliverEarly(response)
    }

    /// The body of a redirect that is followed is used only by a cache.
    func transferUse(ofBody status: Int, _ fields: FieldBlock?) -> BodyUse {
        guard status >= 300, status < 400, redirects < context.limits(for: request).redirects else { return .delivered }
        let location = fields.flatMap { fields in fields.index(of: "location").map { fields.value(at: $0) } }
        guard request.options.redirectPolicy.follows(status, location: location) else { return .delivered }
        return hop.caching == nil ? .dropped : .kept
    }

    func transferDidReceiveChallenge(_ fields: FieldBlock) { receiveCookies(fields) }

    func transferDidEnd(_ result: Response) { context.end(self, result) }

    /// Takes the cookies of an answer from the network.
    func receiveCookies(_ fields: FieldBlock) {
        guard context.client.identities.keepsCookies, request.options.usesCookies, !request.options.isBare else {
            return
        }
        context.client.identities.receiveCookies(fields, from: hop.url)
    }
}
