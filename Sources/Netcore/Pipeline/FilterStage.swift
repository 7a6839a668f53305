internal import NetcoreHTTP

/// Calls the functions of the application's that change requests: values of the time, and filters; again for each attempt at the first
/// hop.
final class FilterStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let calls: FunctionCalls

    init(_ context: StageContext) {
        self.context = context
        calls = FunctionCalls(context, context.client.filterWorker, .queue)
    }

    override func down(_ exchange: Exchange) -> Descent {
        guard let unfiltered = exchange.unfiltered else { return .next }
        let client = context.client
        let isHeld = calls.hold(exchange, timeout: unfiltered.built.options.timeouts.total) {
            Result { () throws(NetcoreError) in try unfiltered.filtered(for: client) }
        } take: { [unowned self] result, since in
            exchange.times.noteFunction(since: since, context.now)
            context.goOn(exchange) {
                switch result {
                case .failure(let error): return .end(Response(error: error))
                case .success(let request):
                    exchange.hop = exchange.hop.sending(request)
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

extension NetcoreError {
    /// For a function of the application's.
    static let noThread = NetcoreError(.outOfMemory, argument: "client", "no thread can be started")
}
