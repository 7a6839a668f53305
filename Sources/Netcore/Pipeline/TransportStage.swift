internal import NetcoreHTTP
internal import NetcoreTransport

/// The end of the way down: hands the hop to the transport, and counts what it cost on the way up.
final class TransportStage: Stage {
    private unowned(unsafe) let engine: Engine
    private let transport: any Transport

    init(engine: Engine, transport: any Transport) {
        self.engine = engine
        self.transport = transport
    }

    func down(_ task: RequestTask) -> Descent {
        guard let wire = task.call.wire, let request = task.call.request, let host = task.call.host else {
            let result = Response()
            result.error = NetcoreError(.internal, "a hop without a request")
            return .end(result)
        }
        if let cache = engine.cache { task.call.cache?.fetch?.requestTime = cache.now }
        host.alternative = alternative(for: wire)
        task.call.alternative = host.alternative
        task.willSend(wire.body?.length ?? 0)
        task.call.token = transport.start(
            wire, host: host, limits: engine.limits(for: request), taskStart: task.call.started ?? engine.now,
            handler: task)
        return .hold
    }

    /// Called by the engine for a hop that the transport ended, before the way up begins.
    func account(_ task: RequestTask, _ result: Response) {
        task.call.token = nil
        task.call.attempts += result.attempts
        task.call.bytesSent += result.bytesSent
        task.call.bytesReceived += result.bytesReceived
        guard let wire = task.call.wire, let fields = result.fieldBlock else { return }
        engine.receiveCookies(task, fields)
        if let hsts = engine.hsts, engine.options.verifiesPeer { hsts.receive(fields, from: wire.url) }
        engine.alternatives?.receive(fields, status: result.status, from: wire.url)
    }

    /// Where the connection of a hop goes; nil: to the host itself. What is read while it is sent may not be read twice.
    private func alternative(for wire: WireRequest) -> AlternativeService? {
        if case .streamed = wire.body { return nil }
        return engine.alternatives?.service(for: wire.url)
    }

    /// Asks the host itself where its alternative service cannot be reached, or does not answer for it (RFC 7838 sections 2.4
    /// and 6). Called before the way up begins.
    func retryWithoutAlternative(_ task: RequestTask, _ result: Response) -> Bool {
        guard let alternative = task.call.alternative.take(), let wire = task.call.wire else { return false }
        let isLost = result.error.map { $0.phase == .connect && $0.code != .timeoutTotal } ?? false
        let isRefused = result.error == nil && result.status == 421
        let isOther = result.version.map { ($0 == .http2) != alternative.speaksHTTP2 } ?? false
        guard isLost || isRefused || isOther else { return false }
        engine.alternatives?.noteFailure(of: alternative, for: wire.url, isRefused: isRefused)
        guard isLost || isRefused, !task.isCanceled, case .hold = down(task) else { return false }
        return true
    }

    func up(_ task: RequestTask, _ result: Response) -> Ascent { .next }

    func abandon(_ task: RequestTask) -> Response {
        guard let token = task.call.token else { return Response() }
        let result = transport.cancel(token)
        account(task, result)
        return result
    }
}
