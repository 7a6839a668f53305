internal import NetcoreHTTP

/// Follows redirects: each hop goes down the rest of the list, with what it may carry.
final class FollowStage: Stage {
    private unowned(unsafe) let context: StageContext

    init(_ context: StageContext) { self.context = context }

    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        guard status >= 300, status < 400, exchange.redirects < context.limits(for: exchange.request).redirects else {
            return .passes
        }
        let follows = exchange.request.options.redirectPolicy.follows(status, location: Self.location(fields))
        return follows ? .replaces : .passes
    }

    private static func location(_ fields: FieldBlock?) -> UnsafeRawBufferPointer? {
        fields.flatMap { fields in fields.index(of: "location").map { fields.value(at: $0) } }
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard result.error == nil, result.status >= 300, result.status < 400, !exchange.isCanceled,
            !exchange.hasShownHead
        else { return .next }
        let decision = exchange.request.options.redirectPolicy.decide(
            status: result.status, location: Self.location(result.fieldBlock), method: exchange.hop.target.method,
            url: exchange.hop.url,
            redirects: exchange.redirects, limit: context.limits(for: exchange.request).redirects
        ) { [hsts = context.client.hsts] url throws(NetcoreError) in try hsts.upgraded(url) }
        switch decision {
        case .deliver: return .next
        case .fail(let error):
            result.error = error
            return .next
        case .follow(let step):
            exchange.follow(step, from: result)
            return .again
        }
    }
}
