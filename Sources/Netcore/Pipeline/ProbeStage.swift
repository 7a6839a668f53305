internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Asks the service that a client left whether it is well again, by requests of its own, and selects it when it is. It stands above
/// *network*, so that probes count to rates and slots, and below all that sends again or stores.
final class ProbeStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let random: () -> Double
    private var rule: FailoverRule?
    private var probe: Probe?
    private var isPlanned = false

    /// - Parameter random: gives numbers of [0, 1).
    init(_ context: StageContext, random: @escaping () -> Double = { .random(in: 0..<1) }) {
        self.context = context
        self.random = random
    }

    private var settings: ClientSettings { context.client.settings }

    /// A service was left.
    func begin(_ rule: FailoverRule) {
        guard rule.policy.probe != nil else { return }
        self.rule = rule
        plan()
    }

    private func plan() {
        guard !isPlanned, probe == nil, let interval = rule?.policy.probe?.interval.milliseconds else { return }
        isPlanned = true
        context.plan(self, at: context.now.adding(milliseconds: Int(Double(interval) * (1 + random() / 10))))
    }

    override func wake() {
        isPlanned = false
        let values = settings.current
        guard let rule, values.delivery.failover === rule, let place = values.place,
            let service = rule.with(now: 0, { $0.probed(selected: place) }),
            let base = values.services.first(where: { $0.name == service })?.bases[place.environment],
            let request = try? Self.request(rule, base, context.client.additions, values.delivery)
        else { return rule = nil }
        guard context.client.reachability.isReachable else { return plan() }
        let probe = Probe { [unowned self] in end($0, of: service) }
        self.probe = probe
        let exchange = Exchange(Hop(request), owner: probe, context: context, queuedSince: context.now)
        probe.exchange = exchange
        context.start(exchange, below: self)
    }

    private static func request(
        _ rule: FailoverRule, _ base: HTTPURL, _ additions: ClientAdditions, _ policies: DeliveryPolicies
    ) throws(NetcoreError) -> BuiltRequest {
        guard let probe = rule.policy.probe else { throw NetcoreError(.internal) }
        let url = probe.path.isEmpty ? base : try base.joining(probe.path, adding: [])
        var request = try Request(probe.method, url.string)
        request.isBare = true
        request.usesCookies = false
        request.timeouts.total = probe.timeout
        return try BuiltRequest(settled: request, additions, policies)
    }

    private func end(_ result: Response, of service: String) {
        probe?.exchange = nil
        probe = nil
        let isSuccess = result.error == nil && (200..<300).contains(result.status)
        guard let rule, let selected = settings.current.place else { return }
        guard rule.with(now: 0, { $0.probe(of: service, isSuccess: isSuccess, selected: selected) }) != nil else {
            return plan()
        }
        self.rule = nil
        try? settings.change(tellingOn: context.client.noticeWorker) { values throws(NetcoreError) in
            if values.place == selected { try values.select(service: service) }
        }
    }

    override func close() {
        rule = nil
        probe = nil
    }
}

/// The owner of a probe. Confined to the client's loop.
private final class Probe: ExchangeOwner {
    var exchange: Exchange?
    private let whenDone: (Response) -> Void

    init(done: @escaping (Response) -> Void) { whenDone = done }

    var isCanceled: Bool { false }
    var observedTask: RequestTask? { nil }

    func exchangeDidBegin() {}
    func exchangeWillSend(_ length: Int?) {}
    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime) {}
    func deliverEarly(_ response: Response) -> Bool { false }
    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)? { nil }
    func validateBesides(_ exchange: Exchange) {}
    func exchangeDidEnd(_ result: Response) { whenDone(result) }
}
