import NetcoreHTTP
import Testing

/// What becomes of an attempt when one of its two tries has ended.
@Suite struct HedgeRuleTests {
    /// The five kinds of answers of gRPC's proposal A6, "Summary of Retry and Hedging Logic".
    enum Answer: CaseIterable {
        case good, fatal, failure, failureThatForbidsMore, failureThatAsksToWait

        var attempt: RetryRule.Attempt {
            let status =
                switch self {
                case .good: 200
                case .fatal: 404
                case .failure, .failureThatForbidsMore, .failureThatAsksToWait: 503
                }
            var attempt = RetryRule.Attempt(number: 1, outcome: .answer(status: status))
            if self == .failureThatForbidsMore { attempt.retryAfter = 3_600_000 }
            if self == .failureThatAsksToWait { attempt.retryAfter = 700 }
            return attempt
        }
    }

    @Test(
        "the decision table of gRPC A6",
        arguments: [
            (.good, .end(.outcome), .decide),
            (.fatal, .end(.outcome), .decide),
            (.failure, .retry(after: 500), .hedge(after: 0)),
            (.failureThatForbidsMore, .end(.retryAfter), .decide),
            (.failureThatAsksToWait, .retry(after: 735), .hedge(after: 700)),
        ] as [(Answer, RetryRule.Decision, HedgeRule.Decision)])
    func a6(_ answer: Answer, _ retry: RetryRule.Decision, _ hedge: HedgeRule.Decision) {
        let rule = RetryRule(unchecked: .standard)
        #expect(rule.decide(answer.attempt, random: 0.5) == retry)
        let end = HedgeRule.End(answer.attempt, rule)
        let longestWait = rule.policy.maximumRetryAfter.milliseconds
        #expect(HedgeRule.first(end, .possible, longestWait: longestWait) == hedge)
        // A success and a fatal status cancel the hedge; any other leaves it a chance.
        let isDecided = answer == .good || answer == .fatal
        #expect(HedgeRule.first(end, .inFlight, longestWait: longestWait) == (isDecided ? .decide : .wait))
        #expect(HedgeRule.hedge(end, isFirstInFlight: true) == (isDecided ? .decide : .wait))
    }

    @Test(
        "what the first try brings",
        arguments: [
            (.answer, .possible, .decide), (.answer, .none, .decide), (.answer, .inFlight, .decide),
            (.answer, .failed, .decide), (.error, .possible, .decide), (.error, .none, .decide),
            (.error, .inFlight, .decide), (.error, .failed, .decide),
            (.failure(retryAfter: nil), .possible, .hedge(after: 0)), (.failure(retryAfter: nil), .none, .decide),
            (.failure(retryAfter: nil), .inFlight, .wait), (.failure(retryAfter: nil), .failed, .decide),
            (.failure(retryAfter: 1000), .possible, .hedge(after: 1000)),
            (.failure(retryAfter: 1001), .possible, .decide), (.failure(retryAfter: 1001), .inFlight, .wait),
        ] as [(HedgeRule.End, HedgeRule.Hedge, HedgeRule.Decision)])
    func first(_ end: HedgeRule.End, _ hedge: HedgeRule.Hedge, _ decision: HedgeRule.Decision) {
        #expect(HedgeRule.first(end, hedge, longestWait: 1000) == decision)
    }

    @Test(
        "what the hedge brings",
        arguments: [
            (.answer, true, .decide), (.answer, false, .decide), (.error, true, .wait), (.error, false, .fail),
            (.failure(retryAfter: nil), true, .wait), (.failure(retryAfter: 1), false, .fail),
        ] as [(HedgeRule.End, Bool, HedgeRule.Decision)])
    func hedge(_ end: HedgeRule.End, _ isFirstInFlight: Bool, _ decision: HedgeRule.Decision) {
        #expect(HedgeRule.hedge(end, isFirstInFlight: isFirstInFlight) == decision)
    }

    @Test("an error is a failure if a policy of retries says so")
    func errors() {
        let rule = RetryRule(unchecked: .standard)
        func end(_ code: NetcoreError.Code) -> HedgeRule.End {
            HedgeRule.End(RetryRule.Attempt(number: 1, outcome: .failure(code)), rule)
        }
        #expect(end(.connectionLost) == .failure(retryAfter: nil) && end(.timeoutAttempt) == .failure(retryAfter: nil))
        #expect(end(.tls) == .error && end(.timeoutTotal) == .error && end(.breakerOpen) == .error)
    }
}
