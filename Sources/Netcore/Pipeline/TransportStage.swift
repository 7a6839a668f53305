internal import NetcoreHTTP
internal import NetcoreTransport

/// The end of the way down: hands the hop to the transport, and takes what its answer says of the host on the way up.
final class TransportStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let transport: any Transport

    init(_ context: StageContext, _ transport: any Transport) {
        self.context = context
        self.transport = transport
    }

    func down(_ exchange: Exchange) -> Descent {
        let wire = exchange.hop.wire()
        guard let host = exchange.slot else {
            return .end(Response(error: NetcoreError(.internal, "a hop without a slot")))
        }
        if let cache = context.client.cache { exchange.hop.caching?.fetch?.requestTime = cache.now }
        host.alternative = alternative(for: wire)
        exchange.hop.alternative = host.alternative
        exchange.owner.exchangeWillSend(wire.body?.length ?? 0)
        exchange.hop.transfer = transport.start(
            wire, host: host, limits: context.limits(for: exchange.request),
            taskStart: exchange.times.started ?? context.now, handler: exchange)
        return .hold
    }

    func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        exchange.hop.transfer = nil
        guard let fields = result.fieldBlock else { return .next }
        exchange.receiveCookies(fields)
        let client = context.client
        if let hsts = client.hsts, client.verifiesPeer { hsts.receive(fields, from: exchange.hop.url) }
        client.alternatives?.receive(fields, status: result.status, from: exchange.hop.url)
        return .next
    }

    func abandon(_ exchange: Exchange) -> Response? { exchange.hop.transfer?.cancel() }

    /// Where the connection of a hop goes; nil: to the host itself. What is read while it is sent may not be read twice.
    private func alternative(for wire: WireRequest) -> AlternativeService? {
        if case .streamed = wire.body { return nil }
        guard let service = context.client.alternatives?.service(for: wire.url) else { return nil }
        return service.speaksHTTP2 && wire.avoidsHTTP2 ? nil : service
    }
}
