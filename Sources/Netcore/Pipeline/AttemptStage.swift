internal import NetcoreHTTP
internal import NetcoreTransport

/// Counts what a request costs on the network, and sends it another way where its connection could not be made.
///
/// It stands below all that sends again, and is the only one that counts attempts; docs/architecture.md has the table.
final class AttemptStage: Stage {
    private unowned(unsafe) let context: StageContext

    init(_ context: StageContext) { self.context = context }

    override func down(_ exchange: Exchange) -> Descent {
        exchange.countHop()
        return .next
    }

    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        status == 421 && exchange.hop.alternative != nil ? .mayReplace : .passes
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        exchange.count(result)
        guard let alternative = exchange.hop.alternative, fails(alternative, exchange, result) else { return .next }
        exchange.noteTry(result, .alternative)
        exchange.tryAgain(exchange.hop.repeated)
        exchange.countHop()
        return .again
    }

    /// Whether the host itself is to be asked, since its alternative service cannot be reached, or does not answer for it (RFC 7838
    /// sections 2.4 and 6).
    private func fails(_ alternative: AlternativeService, _ exchange: Exchange, _ result: Response) -> Bool {
        let isLost = result.error.map { $0.phase == .connect && $0.code != .timeoutTotal } ?? false
        let isRefused = result.error == nil && result.status == 421
        let isOther = result.version.map { ($0 == .http2) != alternative.speaksHTTP2 } ?? false
        guard isLost || isRefused || isOther else { return false }
        context.client.alternatives?.noteFailure(of: alternative, for: exchange.hop.url, isRefused: isRefused)
        return (isLost || isRefused) && !exchange.isCanceled && !exchange.hasShownHead
    }
}
