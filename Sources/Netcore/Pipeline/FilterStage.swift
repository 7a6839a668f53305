internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// Calls the functions of the application's that change requests: values of the time, and filters; again for each attempt at the first
/// hop. They run on a thread of the client's; the exchange waits here.
final class FilterStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var runs: [Int: FilterRun] = [:]

    init(_ context: StageContext) { self.context = context }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: .queue)
    }

    func down(_ exchange: Exchange) -> Descent {
        guard let unfiltered = exchange.unfiltered else { return .next }
        let end = exchange.times.end(unfiltered.built.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        let run = FilterRun(since: context.now)
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

/// Functions of the application's that an exchange waits for.
final class FilterRun: Sendable {
    private enum State {
        static let waiting: UInt8 = 0
        static let running: UInt8 = 1
        static let ended: UInt8 = 2
    }

    let since: MonotonicTime
    private let number = Atomic<Int>(0)
    private let state = Atomic<UInt8>(State.waiting)

    init(since: MonotonicTime) { self.since = since }

    /// The functions are about to run. False when nobody waits for them.
    ///
    /// - Parameter job: the worker's number for it.
    func begin(job: Int) -> Bool {
        number.store(job, ordering: .relaxed)
        return move(from: State.waiting, to: State.running)
    }

    var job: Int { number.load(ordering: .relaxed) }

    /// They have returned. False when nobody waits for them.
    func end() -> Bool { move(from: State.running, to: State.ended) }

    /// Nobody waits for them any more. Returns whether they are running.
    func giveUp() -> Bool { state.exchange(State.ended, ordering: .acquiringAndReleasing) == State.running }

    private func move(from: UInt8, to: UInt8) -> Bool {
        state.compareExchange(expected: from, desired: to, ordering: .acquiringAndReleasing).exchanged
    }
}
