internal import NetcoreHTTP
internal import NetcoreTransport

/// What the transport tells of a hop.
extension Exchange: TransferHandler {
    var isCanceled: Bool { isGivenUp || owner.isCanceled }

    var needsOtherConnection: Bool { isHedge }

    func transferDidProgress(received: Int, expected: Int, sent: Int) {
        owner.exchangeDidProgress(received: received, expected: expected, sent: sent, now: context.now)
    }

    func transferDidReceiveInterim(status: Int, _ fields: FieldBlock) {
        guard request.options.receivesInterim else { return }
        let response = Response()
        response.status = status
        response.fieldBlock = fields
        deliverEarly(response, .interim)
    }

    /// The body of an answer that another hop takes the place of is used only by a cache, and only if it is a redirect. One that is
    /// streamed has to be the last.
    func transferUse(ofBody status: Int, _ fields: FieldBlock?) -> BodyUse {
        guard status >= 300 || streams || retrying != nil else { return .delivered }
        switch context.foresee(self, status, fields) {
        case .passes: return streams ? .streamed : .delivered
        case .mayReplace: return .delivered
        case .replaces: return hop.caching == nil || status >= 400 || status < 300 ? .dropped : .kept
        }
    }

    private var streams: Bool { request.options.isStreamed && !isValidation }

    func transferDidReceiveHead(_ response: Response) -> (any BodySink)? {
        if let fields = response.fieldBlock { receiveCookies(fields) }
        return showHead(response)
    }

    /// Shows the head of the answer that it ends with. Returns where the body goes; nil if it is not streamed.
    func showHead(_ response: Response) -> (any BodySink)? {
        response.url = hop.url
        guard let sink = handOverHead(response) else { return nil }
        return context.sink(for: self, response, sink)
    }

    /// Gives the owner the head of the answer that it ends with. Returns where the owner wants the body.
    func handOverHead(_ response: Response) -> (any BodySink)? {
        guard !isGivenUp, !hasShownHead else { return nil }
        response.redirects = redirects
        response.history = history
        response.userInfoBox = request.options.userInfo
        response.timings.queue = times.queued
        guard let sink = owner.exchangeDidReceiveHead(response) else { return nil }
        hasShownHead = true
        return sink
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
