internal import NetcoreHTTP

/// Judges answers by the rules of their requests. A function of the application's runs on a thread of the client's; the exchange waits in
/// the stage that has this. Confined to the loop.
final class Judge: @unchecked Sendable {  // see above
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var runs: [Int: FunctionRun] = [:]

    init(_ context: StageContext) { self.context = context }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: .done)
    }

    /// Gives an answer its verdict, or holds the exchange until it has one.
    ///
    /// - Parameter finish: called with the verdict in place, before a held exchange goes on.
    func judge(
        _ exchange: Exchange, _ result: Response, _ rules: ResponseRules, finish: @escaping (Response) -> Void
    ) -> Ascent {
        if let error = rules.objection(to: result) {
            result.verdict = Verdict(rules, error)
        } else if let validator = rules.validator {
            return ask(validator, exchange, result, rules, finish)
        } else {
            result.verdict = Verdict(rules, nil)
        }
        finish(result)
        return .next
    }

    private func ask(
        _ validator: ResponseRules.Validator, _ exchange: Exchange, _ result: Response, _ rules: ResponseRules,
        _ finish: @escaping (Response) -> Void
    ) -> Ascent {
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        let run = FunctionRun(since: context.now)
        let worker = context.client.validationWorker
        let seen = Response(seen: result, at: exchange.hop.url)
        // Used on the loop only.
        nonisolated(unsafe) let finish = finish
        let isAdded = worker.add { [weak self, post = context.post] in
            guard run.begin(job: worker.currentJob) else { return }
            let error = validator.objection(to: seen)
            guard run.end() else { return }
            post { [weak self] in
                guard let self, self.context.isHeld(exchange, number) else { return }
                self.runs[number] = nil
                result.verdict = Verdict(rules, error)
                finish(result)
                self.context.end(exchange, result)
            }
        }
        guard isAdded else {
            context.release(exchange)
            result.verdict = Verdict(rules, NetcoreError(.outOfMemory, "no thread can be started", phase: .done))
            finish(result)
            return .next
        }
        runs[number] = run
        return .hold
    }

    /// A held exchange ends before its time.
    func abandon(_ exchange: Exchange) {
        // What may never return is not to hold up the others.
        if let run = runs.removeValue(forKey: exchange.place.hold), run.giveUp() {
            context.client.validationWorker.replaceThread(at: run.job)
        }
    }
}

extension ResponseRules.Validator {
    /// Why the application rejects an answer; nil if it does not.
    fileprivate func objection(to response: Response) -> NetcoreError? {
        do throws(NetcoreError) {
            try check(response)
            return nil
        } catch {
            return error
        }
    }
}
