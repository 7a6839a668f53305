internal import NetcoreHTTP

/// Lets filters of the application's see and change an answer before its task ends. It stands above all that may send another hop in
/// its place, and above the verdict, so that what the request does not accept does not get here.
final class DeliveryStage: Stage {
    private let run: ResponseFilterRun

    init(_ context: StageContext) { run = ResponseFilterRun(context, .delivery) }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard result.error == nil, !exchange.isCanceled else { return .next }
        if let refusal = result.filterTrace?.refusal {
            result.error = refusal
            return .next
        }
        guard exchange.request.options.filtersDelivery,
            let filters = exchange.request.options.responseFilters?.delivery, !exchange.isValidation,
            !isForSeveral(exchange)
        else { return .next }
        return run.pass(exchange, result, filters) { $0.error = $1 }
    }

    /// Whether it is the one that tasks wait for which joined: each of these has filters of its own.
    private func isForSeveral(_ exchange: Exchange) -> Bool {
        guard let flight = exchange.flight else { return false }
        return flight.isShared && flight.exchange === exchange
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        run.abandon(exchange)
        return nil
    }
}
