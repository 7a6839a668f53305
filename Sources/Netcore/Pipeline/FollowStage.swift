internal import NetcoreHTTP

/// Follows redirects: each hop goes down the rest of the list, with what it may carry.
final class FollowStage: Stage {
    private unowned(unsafe) let context: StageContext

    init(_ context: StageContext) { self.context = context }

    func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard result.error == nil, result.status >= 300, result.status < 400, !exchange.isCanceled else { return .next }
        let location = result.fieldBlock.flatMap { fields in
            fields.index(of: "location").map { fields.value(at: $0) }
        }
        let decision = exchange.request.options.redirectPolicy.decide(
            status: result.status, location: location, method: exchange.hop.target.method, url: exchange.hop.url,
            redirects: exchange.redirects, limit: context.limits(for: exchange.request).redirects
        ) { [hsts = context.client.hsts] url throws(NetcoreError) in try hsts.upgraded(url) }
        switch decision {
        case .deliver: return .next
        case .fail(let error):
            result.error = error
            return .next
        case .follow(let step):
            exchange.follow(step)
            return .again
        }
    }
}
