internal import NetcoreHTTP
internal import NetcoreSupport

/// Asks a function of the application's for the value of a field, for each hop. It stands below *attempt*, so that it is asked once for
/// each time that the transport is. The exchange waits here.
final class HopValueStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var runs: [Int: FunctionRun] = [:]

    init(_ context: StageContext) { self.context = context }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: .queue)
    }

    func down(_ exchange: Exchange) -> Descent {
        guard let function = context.client.settings.hopValue else { return .next }
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        let run = FunctionRun(since: context.now)
        let wire = exchange.hop.wire()
        let description = Client.HopDescription(
            number: exchange.owner.observedTask?.eventNumber ?? 0, attempt: exchange.costs.attempts,
            hop: exchange.attempt.hops, method: wire.method, url: wire.url.string, value: wire.value(of: function.name))
        let worker = context.client.filterWorker
        let isAdded = worker.add { [weak self, post = context.post] in
            guard run.begin(job: worker.currentJob) else { return }
            let result = Result { () throws(NetcoreError) in
                let value = try ApplicationFunction.run { try function.call(description) }
                if let value { _ = try Request.Field(checking: function.name, Array(value.utf8)) }
                return value
            }
            guard run.end() else { return }
            post { [weak self] in self?.goOn(exchange, number, function.name, result) }
        }
        guard isAdded else {
            context.release(exchange)
            return .end(Response(error: NetcoreError(.outOfMemory, argument: "client", "no thread can be started")))
        }
        runs[number] = run
        return .hold
    }

    private func goOn(
        _ exchange: Exchange, _ number: Int, _ name: String, _ result: Result<String?, NetcoreError>
    ) {
        guard context.isHeld(exchange, number) else { return }
        runs[number] = nil
        context.goOn(exchange) {
            switch result {
            case .failure(let error): return .end(Response(error: error))
            case .success(let value):
                exchange.hop.set(name, value)
                return .next
            }
        }
    }

    func abandon(_ exchange: Exchange) -> Response? {
        // What may never return is not to hold up the others.
        if let run = runs.removeValue(forKey: exchange.place.hold), run.giveUp() {
            context.client.filterWorker.replaceThread(at: run.job)
        }
        return nil
    }
}
