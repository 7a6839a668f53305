internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Lets hops through as the limits on transfers allow: in all, and for each host. Who waits, and who goes next, is up to ``Admission``.
final class AdmitStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let transport: any Transport
    private var admission: Admission<Exchange>
    /// Slots given back meanwhile are given away by the same loop: each may be given back at once.
    private var isStarting = false

    init(_ context: StageContext, _ transport: any Transport) {
        self.context = context
        self.transport = transport
        admission = Admission(
            transfers: context.limits.transfers, transfersPerHost: context.limits.transfersPerHost)
    }

    override func limitsDidChange() {
        admission.transfers = context.limits.transfers
        admission.transfersPerHost = context.limits.transfersPerHost
        startWaiting()
    }

    override func down(_ exchange: Exchange) -> Descent {
        if let error = refusal(exchange) { return .end(Response(error: error)) }
        let host = host(for: exchange.hop.wire())
        exchange.slot = host
        let isFirst = exchange.times.started == nil
        if !isFirst { exchange.times.enterQueue(context.now) }
        let since = exchange.times.dispatched.microseconds
        guard admission.admit(exchange, to: host, since: since, isFirst: !isFirst) else {
            exchange.reportWait(.slot)
            return .hold
        }
        admitted(exchange)
        return .next
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let host = exchange.slot else { return .next }
        exchange.slot = nil
        admission.release(host)
        startWaiting()
        return .next
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        if let host = exchange.slot { admission.forget(exchange, of: host) }
        exchange.slot = nil
        return nil
    }

    override func setPriority(_ exchange: Exchange, _ set: () -> Void) {
        admission.change(exchange, of: exchange.slot, since: exchange.times.dispatched.microseconds, set)
    }

    /// The host as the transport knows it, kept with what is sent.
    private func host(for wire: WireRequest) -> Host {
        if let host = wire.host, !host.isRetired { return host }
        let host = transport.host(for: wire.url.origin)
        wire.host = host
        return host
    }

    /// Why the network at hand may not be used.
    private func refusal(_ exchange: Exchange) -> NetcoreError? {
        context.client.settings.network?.judge(exchange.request.options.network)
    }

    private func startWaiting() {
        guard !isStarting else { return }
        isStarting = true
        defer { isStarting = false }
        while let exchange = admission.next(now: context.now.microseconds) {
            if let error = refusal(exchange) {
                context.end(exchange, Response(error: error))
                continue
            }
            admitted(exchange)
            context.goOn(exchange)
        }
    }

    private func admitted(_ exchange: Exchange) {
        exchange.reportWaitEnd()
        if exchange.times.started == nil {
            exchange.begin(context.now)
        } else {
            exchange.times.leaveQueue(context.now)
        }
    }
}

extension Exchange: LineItem {
    /// Canceled: its cancel is on its way to the loop.
    var hasGivenUp: Bool { isCanceled }
}
