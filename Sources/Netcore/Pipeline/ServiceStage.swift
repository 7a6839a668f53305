internal import NetcoreHTTP
internal import NetcoreSupport

/// Sends an exchange on to another service, from the top of the list, so that filters, credentials and the cache are those of its new
/// server. What is to be moved is decided below: *retry* and *failover* say so by ``Exchange/move``.
final class ServiceStage: Stage {
    private unowned(unsafe) let context: StageContext

    init(_ context: StageContext) { self.context = context }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let move = exchange.move.take() else { return .next }
        guard !exchange.isCanceled, let route = exchange.route else {
            _ = exchange.tries.endInWait(.canceled)
            return .next
        }
        do throws(NetcoreError) {
            try exchange.go(by: route.leading(to: move.service))
        } catch {
            result.error = error
            return .next
        }
        guard move.due > context.now else { return .again }
        context.goOn(exchange, at: move.due)
        return .hold
    }

    /// Held until its next attempt is due.
    override func abandon(_ exchange: Exchange) -> Response? {
        _ = exchange.tries.endInWait(exchange.isCanceled ? .canceled : .deadline)
        return nil
    }
}

extension Exchange {
    /// Begins another attempt, at another service.
    fileprivate func go(by route: ServiceRoute) throws(NetcoreError) {
        let (hop, unfiltered) = try moved(to: route)
        self.unfiltered = unfiltered
        tryAgain(hop)
    }

    /// Its first hop at another service.
    func moved(to route: ServiceRoute) throws(NetcoreError) -> (hop: Hop, unfiltered: UnfilteredRequest?) {
        guard let unfiltered else { return (Hop(try request.moved(to: route)), nil) }
        let moved = try unfiltered.moved(to: route)
        return (Hop(moved.built), moved)
    }
}
