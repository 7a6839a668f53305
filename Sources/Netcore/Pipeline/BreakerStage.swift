internal import NetcoreHTTP
internal import NetcoreSupport

/// Refuses hops to origins that fail, as their breakers say, and tells these what comes of the others. It stands below *admit*, so that
/// what waited in a line is refused, too, and above *attempt*, since what is refused is no attempt.
final class BreakerStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let random: () -> Double

    /// - Parameter random: gives numbers of [0, 1).
    init(_ context: StageContext, random: @escaping () -> Double = { .random(in: 0..<1) }) {
        self.context = context
        self.random = random
    }

    private var milliseconds: Int64 { Int64(context.now.microseconds / 1000) }

    override func down(_ exchange: Exchange) -> Descent {
        guard let rule = exchange.request.breaker else { return .next }
        let verdict = reporting(exchange) {
            context.client.breakers.admit(
                exchange.hop.url.origin, rule, now: milliseconds,
                attemptTimeout: exchange.retrying?.rule.policy.attemptTimeout?.milliseconds)
        }
        switch verdict {
        case .pass(let permit):
            exchange.breakerPermit = permit
            return .next
        case .refuse(let wait):
            context.client.counters.breakerRefusals.add()
            exchange.report(.breaker, value: Int(wait) * 1_000_000)
            return .end(Response(error: Self.refusal(exchange.hop.url.origin, wait)))
        }
    }

    private static func refusal(_ origin: String, _ wait: Int64) -> NetcoreError {
        var error = NetcoreError(
            .breakerOpen, "the breaker of \(origin) is open, for \(wait) ms at most", phase: .queue)
        error.retryAfter = .milliseconds(wait)
        return error
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let permit = exchange.breakerPermit.take() else { return .next }
        let outcome = result.error.map { .failure($0.code) } ?? RetryRule.Outcome.answer(status: result.status)
        let health: TryHealth = exchange.isCanceled ? .unknown : TryHealth(outcome)
        reporting(exchange) {
            context.client.breakers.record(
                exchange.hop.url.origin, permit, health, now: milliseconds, random: random())
        }
        return .next
    }

    /// Does something to the breaker of a hop, and tells observers if its state changes.
    private func reporting<Result>(_ exchange: Exchange, _ change: () -> Result) -> Result {
        guard exchange.isObserved else { return change() }
        let breakers = context.client.breakers
        let origin = exchange.hop.url.origin
        let before = breakers.state(origin)
        let result = change()
        let state = breakers.state(origin)
        if state != before {
            let wait = Int(breakers.wait(origin, now: milliseconds)) * 1_000_000
            exchange.report(.breakerState, value: Int(state.rawValue), detail: wait)
        }
        return result
    }
}
