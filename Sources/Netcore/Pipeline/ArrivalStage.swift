internal import NetcoreHTTP

/// Lets filters of the application's see and change what comes from the network, before it is judged and stored. One that they refuse goes
/// up as it came, for the stages that may have another hop sent in its place; stage *delivery* makes it an error.
final class ArrivalStage: Stage {
    private let run: ResponseFilterRun

    init(_ context: StageContext) { run = ResponseFilterRun(context, .network) }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let filters = exchange.request.options.responseFilters?.network, !filters.isEmpty, result.error == nil,
            !result.lacksBody, !exchange.isCanceled, exchange.move == nil
        else { return .next }
        // A part is not what filters know, and one that is streamed goes by without them: neither is to serve others.
        guard !exchange.request.options.isStreamed, !exchange.hasShownHead, result.status != 206 else {
            result.filterTrace = FilterTrace(isUnfiltered: true)
            return .next
        }
        guard exchange.isForApplication(result) else { return .next }
        return run.pass(exchange, result, filters) { $0.filterTrace = FilterTrace(refusal: $1) }
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        run.abandon(exchange)
        return nil
    }
}
