internal import NetcoreHTTP

/// Judges what comes from the network before the cache stores it. The answer goes on as it came, with the verdict: the stages above
/// may have another hop sent in its place.
final class ValidationStage: Stage {
    private let judge: Judge

    init(_ context: StageContext) { judge = Judge(context) }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        let rules = exchange.request.rules
        guard !rules.acceptAll, result.error == nil, !result.lacksBody, !exchange.hasShownHead, !exchange.isCanceled,
            exchange.move == nil, result.filterTrace?.refusal == nil, exchange.isForApplication(result)
        else { return .next }
        return judge.judge(exchange, result, rules) { _ in }
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        judge.abandon(exchange)
        return nil
    }
}

extension Exchange {
    /// Whether an answer from the network may be what the task ends with, not what the cache or a redirect takes the place of.
    func isForApplication(_ result: Response) -> Bool {
        let fetch = hop.caching?.fetch
        switch result.status {
        case 304: return fetch?.validation?.isEmpty ?? true
        case 206, 416: return fetch?.completed == nil
        case 300..<400:
            return result.fieldBlock?.index(of: "location") == nil || !request.options.redirectPolicy.isFollowing
        default: return true
        }
    }
}
