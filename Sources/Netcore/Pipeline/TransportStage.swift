internal import NetcoreHTTP
internal import NetcoreTransport

/// The end of the way down: hands the hop to the transport, and takes what its answer says of the host on the way up.
final class TransportStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let transport: any Transport
    private lazy var plays = Plays(context, self)
    /// Hops that functions of the application's are to answer.
    private var awaited: [ObjectIdentifier: TransportHop] = [:]

    init(_ context: StageContext, _ transport: any Transport) {
        self.context = context
        self.transport = transport
    }

    override func down(_ exchange: Exchange) -> Descent {
        let wire = exchange.hop.sentWire()
        guard let host = exchange.slot else {
            return .end(Response(error: NetcoreError(.internal, "a hop without a slot")))
        }
        if let cache = context.client.cache { exchange.hop.caching?.fetch?.requestTime = cache.now }
        exchange.tries.begin(context.now, isHedge: exchange.isHedge)
        if let function = context.client.settings.transport { return hand(exchange, wire, to: function) }
        exchange.owner.exchangeWillSend(wire.body?.length ?? 0)
        exchange.report(.hopBegan, value: wire.body.map { $0.length ?? -1 } ?? 0)
        exchange.hop.transfer = start(exchange, wire, host, handler: exchange)
        return .hold
    }

    /// Starts a hop to the network.
    private func start(
        _ exchange: Exchange, _ wire: WireRequest, _ host: Host, handler: any TransferHandler
    ) -> any TransferToken {
        host.alternative = alternative(for: wire)
        exchange.hop.alternative = host.alternative
        if let end = exchange.retrying?.hopEnd(context.now) {
            _ = context.hold(exchange, until: end, else: late(.timeoutAttempt, wire))
        }
        return transport.start(
            wire, host: host, limits: context.limits(for: exchange.request),
            taskStart: context.machineTime(exchange.times.started ?? context.now), handler: handler)
    }

    /// Starts a hop to the network that a function was to answer.
    func forward(_ hop: TransportHop, _ exchange: Exchange, _ wire: WireRequest, _ recorder: HopRecorder) {
        awaited[ObjectIdentifier(hop)] = nil
        context.release(exchange)
        guard let host = exchange.slot else { return }  // never: `down` saw it
        recorder.transfer = start(exchange, wire, host, handler: recorder)
        exchange.hop.transfer = recorder
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        if let transfer = exchange.hop.transfer { exchange.reportHopEnd(result, transfer) }
        exchange.tries.address = exchange.hop.transfer?.address
        if !awaited.isEmpty, let hop = exchange.hop.transfer { awaited[ObjectIdentifier(hop)] = nil }
        exchange.hop.transfer = nil
        result.sent = exchange.hop.sentWire().sent
        guard let fields = result.fieldBlock else { return .next }
        if !exchange.hasShownHead { exchange.receiveCookies(fields) }
        let client = context.client
        if let hsts = client.hsts, client.verifiesPeer { hsts.receive(fields, from: exchange.hop.url) }
        client.alternatives?.receive(fields, status: result.status, from: exchange.hop.url)
        return .next
    }

    override func abandon(_ exchange: Exchange) -> Response? { exchange.hop.transfer?.cancel() }

    /// Lets a function of the application's answer in place of the network.
    private func hand(
        _ exchange: Exchange, _ wire: WireRequest, to function: @escaping Client.TransportFunction
    ) -> Descent {
        exchange.owner.exchangeWillSend(wire.body?.length ?? 0)
        let limits = context.limits(for: exchange.request)
        let worker = context.client.transportWorker
        let hop = TransportHop(wire, exchange, limits, worker, plays, post: context.post)
        guard worker.add({ hop.run(function) }) else {
            return .end(Response(error: NetcoreError(.outOfMemory, "client: no thread can be started")))
        }
        exchange.report(.hopBegan, value: wire.body.map { $0.length ?? -1 } ?? 0)
        exchange.hop.transfer = hop
        awaited[ObjectIdentifier(hop)] = hop
        var timing = HopTime(start: context.now, taskStart: exchange.times.started ?? context.now)
        timing.step = .waiting
        watch(exchange, timing)
        return .hold
    }

    /// Holds an exchange whose hop a function answers until that is late.
    func watch(_ exchange: Exchange, _ timing: HopTime) {
        context.release(exchange)
        let wire = exchange.hop.wire()
        var (time, code) = timing.deadline(wire.timeouts)
        if let end = exchange.retrying?.hopEnd(context.now), end < time { (time, code) = (end, .timeoutAttempt) }
        guard time != .never else { return }
        _ = context.hold(exchange, until: time, else: late(code, wire))
    }

    /// Whether a hop waits for a function of the application's.
    override var isBusy: Bool { awaited.values.contains { !$0.isPlaying } }

    /// Those of no task have to be told, too: an exchange and its hop keep each other.
    override func close() {
        for hop in awaited.values { _ = hop.cancel() }
        awaited.removeAll()
    }

    /// Answers that come piece by piece.
    override func wake() { plays.wake() }

    private func late(_ code: NetcoreError.Code, _ wire: WireRequest) -> NetcoreError {
        NetcoreError(code, "\(code.summary): \(wire.url.display)", phase: .wait)
    }

    /// Where the connection of a hop goes; nil: to the host itself. What is read while it is sent may not be read twice.
    private func alternative(for wire: WireRequest) -> AlternativeService? {
        if case .streamed = wire.body { return nil }
        guard let service = context.client.alternatives?.service(for: wire.url) else { return nil }
        return service.speaksHTTP2 && wire.avoidsHTTP2 ? nil : service
    }
}
