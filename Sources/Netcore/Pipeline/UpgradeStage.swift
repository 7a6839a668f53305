internal import NetcoreHTTP

/// Sends each hop by https whose host asked for that (HSTS, RFC 6797 section 8.3).
final class UpgradeStage: Stage {
    private let hsts: HSTSStore?

    init(_ context: StageContext) { hsts = context.client.hsts }

    override func down(_ exchange: Exchange) -> Descent {
        guard !exchange.hop.url.isSecure else { return .next }
        do throws(NetcoreError) {
            let url = try hsts.upgraded(exchange.hop.url)
            if url !== exchange.hop.url { exchange.hop = try exchange.hop.going(to: url) }
            return .next
        } catch {
            return .end(Response(error: error))
        }
    }
}
