internal import NetcoreHTTP

/// Makes an answer that its request does not accept an error, which still has the answer. It stands at the top, so that redirects,
/// credentials and other services see the answer as it came, and so that what the cache serves is judged too.
final class VerdictStage: Stage {
    private let judge: Judge

    init(_ context: StageContext) { judge = Judge(context) }

    /// One that is rejected for its head is not streamed: the error has it.
    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        let rules = exchange.request.options.rules
        guard !rules.acceptAll, rules.objection(status: status, fields) != nil else { return .passes }
        return .mayReplace
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard !exchange.request.options.rules.areEmpty, result.error == nil, !exchange.isCanceled,
            !exchange.hasShownHead, result.filterTrace?.refusal == nil
        else { return .next }
        let rules = exchange.request.rules
        let isJudged = result.verdict?.rules.judgeAs(rules) ?? rules.acceptAll
        let dropsNulls = rules.dropsNulls
        guard isJudged else { return judge.judge(exchange, result, rules) { Self.apply($0, dropsNulls) } }
        Self.apply(result, dropsNulls)
        return .next
    }

    private static func apply(_ result: Response, _ dropsNulls: Bool) {
        if let error = result.verdict?.error {
            result.error = error
        } else if dropsNulls {
            result.dropNulls()
        }
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        judge.abandon(exchange)
        return nil
    }
}
