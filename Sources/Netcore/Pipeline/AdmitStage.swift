internal import NetcoreSupport
internal import NetcoreTransport

/// Lets tasks through as the limits on transfers allow: in all, and for each host. Those that wait are taken in the order
/// of their coming for each host, and hosts in turn.
final class AdmitStage: Stage {
    private unowned(unsafe) let engine: Engine
    private var admission: Admission<RequestTask>

    init(engine: Engine, limits: ClientLimits) {
        self.engine = engine
        admission = Admission(transfers: limits.transfers, transfersPerHost: limits.transfersPerHost)
    }

    /// New limits may let more through.
    func setLimits(_ limits: ClientLimits) {
        admission.transfers = limits.transfers
        admission.transfersPerHost = limits.transfersPerHost
        startWaiting()
    }

    func down(_ task: RequestTask) -> Descent {
        guard let wire = task.call.wire else { return .next }
        if let error = refusal(task) { return .end(Response(error: error)) }
        let host = engine.host(for: wire)
        task.call.host = host
        if task.call.started != nil { task.call.queuedSince = engine.now }
        guard admission.admit(task, to: host, isFirst: task.call.started != nil) else { return .hold }
        admitted(task)
        return .next
    }

    func up(_ task: RequestTask, _ result: Response) -> Ascent {
        if let host = task.call.host {
            task.call.host = nil
            admission.release(host)
            startWaiting()
        }
        return .next
    }

    func abandon(_ task: RequestTask) -> Response {
        if let host = task.call.host { admission.forget(task, of: host) }
        task.call.host = nil
        return Response()
    }

    /// Why the network at hand may not be used.
    private func refusal(_ task: RequestTask) -> NetcoreError? {
        guard let network = engine.settings.network, let request = task.call.request else { return nil }
        return network.judge(request)
    }

    private func startWaiting() {
        while let task = admission.next() {
            if let error = refusal(task), let host = task.call.host {
                task.call.host = nil
                admission.release(host)
                engine.pipeline.end(task, Response(error: error))
                continue
            }
            admitted(task)
            engine.pipeline.resume(task)
        }
    }

    private func admitted(_ task: RequestTask) {
        guard let started = task.call.started else { return engine.begin(task) }
        // Time spent queued between hops is billed to no timeout.
        task.call.started = started.adding(
            microseconds: max(engine.now.microseconds(since: task.call.queuedSince), 0))
    }
}

extension RequestTask: AdmissionItem {
    var isInLine: Bool {
        get { call.isInLine }
        set { call.isInLine = newValue }
    }

    var priority: Priority { call.request?.priority ?? .default }

    /// Canceled: its cancel is on its way to the I/O thread.
    var hasGivenUp: Bool { isCanceled }
}
