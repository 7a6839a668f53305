internal import NetcoreHTTP
internal import NetcoreSupport

/// Calls the functions of the application's that change requests: values of the time, and filters; again for each attempt at the first
/// hop. They run on a thread of the client's; the exchange waits here.
final class FilterStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var runs: [Int: FunctionRun] = [:]

    init(_ context: StageContext) { self.context = context }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: .queue)
    }

    func down(_ exchange: Exchange) -> Descent {
        guard let unfiltered = exchange.unfiltered else { return .next }
        let end = exchange.times.end(unfiltered.built.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        let run = FunctionRun(since: context.now)
        let client = context.client
        let isAdded = client.filterWorker.add { [weak self, post = context.post] in
            guard run.begin(job: client.filterWorker.currentJob) else { return }
            let result = Result { () throws(NetcoreError) in try unfiltered.filtered(for: client) }
            guard run.end() else { return }
            post { [weak self] in self?.goOn(exchange, number, result) }
        }
        guard isAdded else {
            context.release(exchange)
            return .end(Response(error: NetcoreError(.outOfMemory, argument: "client", "no thread can be started")))
        }
        runs[number] = run
        return .hold
    }

    private func goOn(_ exchange: Exchange, _ number: Int, _ result: Result<BuiltRequest, NetcoreError>) {
        guard context.isHeld(exchange, number), let run = runs.removeValue(forKey: number) else { return }
        exchange.times.noteFunction(since: run.since, context.now)
        context.goOn(exchange) {
            switch result {
            case .failure(let error): return .end(Response(error: error))
            case .success(let request):
                exchange.hop = exchange.hop.sending(request)
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
