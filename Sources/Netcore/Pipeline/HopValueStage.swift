internal import NetcoreHTTP

/// Asks a function of the application's for the value of a field, for each hop. It stands below *attempt*, so that it is asked once for
/// each time that the transport is.
final class HopValueStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let calls: FunctionCalls

    init(_ context: StageContext) {
        self.context = context
        calls = FunctionCalls(context, context.client.filterWorker, .queue)
    }

    override func down(_ exchange: Exchange) -> Descent {
        guard let function = context.client.settings.hopValue else { return .next }
        let wire = exchange.hop.wire()
        let description = Client.HopDescription(
            number: exchange.owner.observedTask?.eventNumber ?? 0, attempt: exchange.costs.attempts,
            hop: exchange.attempt.hops, method: wire.method, url: wire.url.string, value: wire.value(of: function.name),
            urlTemplate: exchange.redirects == 0 ? exchange.request.options.urlTemplate : nil)
        let isHeld = calls.hold(exchange, timeout: exchange.request.options.timeouts.total) {
            Result { () throws(NetcoreError) in
                let value = try ApplicationFunction.run { try function.call(description) }
                if let value { _ = try Request.Field(checking: function.name, Array(value.utf8)) }
                return value
            }
        } take: { [unowned self] result, _ in
            context.goOn(exchange) {
                switch result {
                case .failure(let error): return .end(Response(error: error))
                case .success(let value):
                    exchange.hop.set(function.name, value)
                    return .next
                }
            }
        }
        return isHeld ? .hold : .end(Response(error: .noThread))
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        calls.abandon(exchange)
        return nil
    }
}
