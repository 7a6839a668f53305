internal import NetcoreHTTP
internal import NetcoreSupport

/// Counts what comes of the tries of the selected service, and selects the next one when too many fail. It stands below *retry*, whose next
/// attempt then goes to that, and above *breaker*, whose refusals it sees.
final class FailoverStage: Stage {
    private unowned(unsafe) let context: StageContext
    /// How often a request that breakers refuse may go on to another service.
    private static let mostMoves = 8
    private let probes: ProbeStage

    init(_ context: StageContext, _ probes: ProbeStage) {
        self.context = context
        self.probes = probes
    }

    private var milliseconds: Int64 { Int64(context.now.microseconds / 1000) }
    private var settings: ClientSettings { context.client.settings }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let route = exchange.route, route.counts, !exchange.isCanceled else { return .next }
        if result.error?.code == .breakerOpen {
            leave(exchange, route) { $0.refused(of: route.place, selected: $1) }
            moveRefused(exchange, route)
        } else if result.error?.phase != .queue, let isFailure = Self.isFailure(result),
            context.client.reachability.isReachable
        {
            let now = milliseconds
            leave(exchange, route) { $0.record(isFailure: isFailure, of: route.place, selected: $1, now: now) }
        }
        return .next
    }

    /// Nil for what says nothing of the service. A name without an address is a failure: with another service it has one.
    private static func isFailure(_ result: Response) -> Bool? {
        let outcome = result.error.map { .failure($0.code) } ?? RetryRule.Outcome.answer(status: result.status)
        if outcome == .failure(.resolve) { return true }
        let health = TryHealth(outcome)
        return health == .unknown ? nil : health.isFailure
    }

    /// Does what the count says.
    private func leave(
        _ exchange: Exchange, _ route: ServiceRoute, _ count: (inout Failover, Failover.Place) -> Failover.Action?
    ) {
        guard let selected = settings.snapshot.values.place else { return }
        let now = milliseconds
        switch route.rule.with(now: now, { count(&$0, selected) }) {
        case nil: break
        case .comeBack(let service):
            try? settings.change(tellingOn: context.client.noticeWorker) { values throws(NetcoreError) in
                if values.place == selected { try values.select(service: service) }
            }
        case .leave:
            let breakers = context.client.breakers
            let random = Double.random(in: 0..<1)
            var next: String?
            try? settings.change(tellingOn: context.client.noticeWorker) { values in
                guard values.place == selected else { return }
                next = values.service(after: selected, random: random) { breakers.wait($0.origin, now: now) == 0 }
                if let next { values.service = next }
            }
            guard let next else { return }
            context.client.counters.failovers.add()
            exchange.report(.failover)
            let place = Failover.Place(service: next, environment: selected.environment)
            route.rule.with(now: now) { $0.left(for: place, now: now) }
            probes.begin(route.rule)
        }
    }

    /// Nothing of it was sent: it goes to the service that is selected now, whatever it is.
    private func moveRefused(_ exchange: Exchange, _ route: ServiceRoute) {
        guard exchange.refusedMoves < Self.mostMoves,
            let service = settings.snapshot.values.otherService(than: route.place)
        else { return }
        exchange.refusedMoves += 1
        exchange.move = Move(service: service, due: context.now)
    }
}
