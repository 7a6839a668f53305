internal import NetcoreHTTP

/// Judges answers by the rules of their requests, for the stage that has this. Confined to the loop.
final class Judge {
    private unowned(unsafe) let context: StageContext
    private let calls: FunctionCalls

    init(_ context: StageContext) {
        self.context = context
        calls = FunctionCalls(context, context.client.validationWorker, .done)
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
        let seen = Response(seen: result, at: exchange.hop.url)
        let isHeld = calls.hold(exchange, timeout: exchange.request.options.timeouts.total) {
            validator.objection(to: seen)
        } take: { [unowned self] error, _ in
            result.verdict = Verdict(rules, error)
            finish(result)
            context.end(exchange, result)
        }
        guard isHeld else {
            result.verdict = Verdict(rules, NetcoreError(.outOfMemory, "no thread can be started", phase: .done))
            finish(result)
            return .next
        }
        return .hold
    }

    /// A held exchange ends before its time.
    func abandon(_ exchange: Exchange) { calls.abandon(exchange) }
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
