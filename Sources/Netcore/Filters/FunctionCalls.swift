internal import NetcoreHTTP
internal import NetcoreSupport

/// Calls functions of the application's for a stage, on a thread of the client's. The exchange waits in the stage, at the latest until its
/// total timeout is over. Confined to the loop.
final class FunctionCalls: @unchecked Sendable {  // see above
    private unowned(unsafe) let context: StageContext
    private let worker: ApplicationWorker
    private let phase: NetcoreError.Phase
    /// Those that an exchange waits for, by the numbers of their holds.
    private var runs: [Int: FunctionRun] = [:]

    /// - Parameter phase: of an exchange that waits for too long.
    init(_ context: StageContext, _ worker: ApplicationWorker, _ phase: NetcoreError.Phase) {
        self.context = context
        self.worker = worker
        self.phase = phase
    }

    /// Holds an exchange until a function has returned. False if no thread can be started: nothing is called then.
    ///
    /// - Parameters:
    ///   - timeout: the total timeout, in milliseconds; 0 for none.
    ///   - take: what goes on with the exchange, on the loop. Not called for one that has ended meanwhile.
    func hold<Value: Sendable>(
        _ exchange: Exchange, timeout: Int, for function: @escaping @Sendable () -> Value,
        take: @escaping (_ value: Value, _ since: MonotonicTime) -> Void
    ) -> Bool {
        let end = exchange.times.end(timeout, now: context.now)
        let number = context.hold(
            exchange, until: end,
            else: NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: phase))
        let run = FunctionRun(since: context.now)
        nonisolated(unsafe) let take = take  // on the loop only
        let isAdded = worker.add { [weak self, worker, post = context.post] in
            guard run.begin(job: worker.currentJob) else { return }
            let value = function()
            guard run.end() else { return }
            post { [weak self] in
                guard let self, self.context.isHeld(exchange, number) else { return }
                self.runs[number] = nil
                take(value, run.since)
            }
        }
        guard isAdded else {
            context.release(exchange)
            return false
        }
        runs[number] = run
        return true
    }

    /// A held exchange ends before its time.
    func abandon(_ exchange: Exchange) {
        // What may never return is not to hold up the others.
        if let run = runs.removeValue(forKey: exchange.place.hold), run.giveUp() { worker.replaceThread(at: run.job) }
    }
}
