import NetcoreHTTP
import Testing

@Suite struct RetryRuleTests {
    private let rule: RetryRule

    init() throws { rule = try RetryRule(.standard) }

    private func ended(
        _ outcome: RetryRule.Outcome, number: Int = 1, _ change: (inout RetryRule.Attempt) -> Void = { _ in }
    ) -> RetryRule.Attempt {
        var attempt = RetryRule.Attempt(number: number, outcome: outcome)
        change(&attempt)
        return attempt
    }

    @Test("the statuses that are tried again", arguments: [408, 429, 500, 502, 503, 504, 425])
    func retried(status: Int) {
        #expect(rule.decide(ended(.answer(status: status)), random: 0) == .retry(after: 0))
    }

    @Test("no other status is", arguments: [200, 204, 301, 304, 400, 401, 403, 404, 409, 410, 413, 501, 505, 599])
    func delivered(status: Int) {
        #expect(rule.decide(ended(.answer(status: status)), random: 0) == .end(.outcome))
    }

    @Test("413 is tried again only when it says when")
    func contentTooLarge() {
        let attempt = ended(.answer(status: 413)) { $0.retryAfter = 2_000 }
        #expect(rule.decide(attempt, random: 0) == .retry(after: 2_000))
    }

    @Test("425 is tried again only once (RFC 8470)")
    func tooEarly() {
        let attempt = ended(.answer(status: 425), number: 2) { $0.hadTooEarly = true }
        #expect(rule.decide(attempt, random: 0) == .end(.outcome))
    }

    @Test(
        "errors of the network are tried again",
        arguments: [
            NetcoreError.Code.resolve, .resolveProxy, .connect, .connectProxy, .connectionLost, .truncated,
            .timeoutConnect, .timeoutFirstByte, .timeoutIdle, .timeoutAttempt,
        ])
    func retried(code: NetcoreError.Code) {
        #expect(rule.decide(ended(.failure(code)), random: 0) == .retry(after: 0))
    }

    @Test(
        "errors that would come again are not",
        arguments: [
            NetcoreError.Code.tlsCertificate, .tlsConfig, .protocol, .redirect, .redirectInsecure, .limitBodyBytes,
            .limitHeaderBytes, .limitDecodedBytes, .limitRedirects, .contentCoding, .canceled, .timeoutTotal, .refused,
            .body, .invalidURL, .outOfMemory, .limitQueueLength, .tls, .timeoutRate,
        ])
    func final(code: NetcoreError.Code) {
        #expect(rule.decide(ended(.failure(code)), random: 0) == .end(.outcome))
    }

    @Test("what may not be repeated, cannot be read again, or was tried often enough ends, with the reason")
    func reasons() {
        let busy = RetryRule.Outcome.answer(status: 503)
        #expect(rule.decide(ended(busy) { $0.mayRepeat = false }, random: 0) == .end(.notIdempotent))
        #expect(rule.decide(ended(busy) { $0.canRewind = false }, random: 0) == .end(.body))
        #expect(rule.decide(ended(busy, number: 2), random: 0) == .retry(after: 0))
        #expect(rule.decide(ended(busy, number: 3), random: 0) == .end(.attempts))
        #expect(rule.decide(ended(busy) { $0.retryAfter = 60_001 }, random: 0) == .end(.retryAfter))
    }

    @Test(
        "the wait is at most the base, doubled for each attempt, up to 20 s",
        arguments: [
            (500, 1, 100), (500, 2, 200), (500, 3, 400), (500, 8, 12_800), (500, 9, 20_000), (500, 90, 20_000),
            (503, 1, 1_000), (429, 2, 2_000), (429, 5, 16_000), (429, 6, 20_000),
        ])
    func bounds(status: Int, number: Int, bound: Int64) throws {
        var policy = RetryPolicy.standard
        policy.attempts = 100
        let rule = try RetryRule(policy)
        let attempt = ended(.answer(status: status), number: number)
        #expect(rule.decide(attempt, random: 0) == .retry(after: 0))
        #expect(rule.decide(attempt, random: 0.5) == .retry(after: bound / 2))
        #expect(rule.decide(attempt, random: 1.0.nextDown) == .retry(after: bound - 1))
    }

    @Test("full jitter: over evenly spread random numbers the mean wait is half of the bound")
    func mean() {
        let attempt = ended(.failure(.connect), number: 2)
        let waits = (0..<1000).map { step -> Int64 in
            guard case .retry(let wait) = rule.decide(attempt, random: Double(step) / 1000) else { return -1 }
            return wait
        }
        #expect(waits.allSatisfy { (0..<200).contains($0) })
        #expect(abs(waits.reduce(0, +) / 1000 - 100) <= 1)
    }

    @Test("Retry-After is never undercut, and exceeded by a tenth at most", arguments: [0.0, 0.25, 0.999])
    func retryAfter(random: Double) {
        let attempt = ended(.answer(status: 503)) { $0.retryAfter = 30_000 }
        guard case .retry(let wait) = rule.decide(attempt, random: random) else {
            Issue.record("no retry")
            return
        }
        #expect((30_000...33_000).contains(wait))
    }

    @Test("no wait begins that ends at or after the deadline; the reason names what was too long")
    func deadline() {
        let slow = ended(.failure(.connect), number: 2) { $0.timeLeft = 100 }
        #expect(rule.decide(slow, random: 0.49) == .retry(after: 98))
        #expect(rule.decide(slow, random: 0.5) == .end(.deadline))
        let told = ended(.answer(status: 503)) {
            $0.timeLeft = 5_000
            $0.retryAfter = 5_000
        }
        #expect(rule.decide(told, random: 0) == .end(.retryAfter))
    }

    @Test("a figure of the policy's own takes the place of the preset's")
    func figures() throws {
        var policy = RetryPolicy.standard
        policy.statuses = [418]
        policy.errors = [.connect]
        policy.maximumRetryAfter = .seconds(5)
        let rule = try RetryRule(policy)
        #expect(rule.decide(ended(.answer(status: 418)), random: 0) == .retry(after: 0))
        #expect(rule.decide(ended(.answer(status: 503)), random: 0) == .end(.outcome))
        #expect(rule.decide(ended(.failure(.connectProxy)), random: 0) == .retry(after: 0))
        #expect(rule.decide(ended(.failure(.connectionLost)), random: 0) == .end(.outcome))
        #expect(rule.decide(ended(.answer(status: 418)) { $0.retryAfter = 5_001 }, random: 0) == .end(.retryAfter))
    }

    @Test("what the application decides holds within attempts, budget, Retry-After and deadline")
    func verdicts() {
        let missing = ended(.answer(status: 404))
        #expect(rule.decide(missing, as: .standard, random: 0) == .end(.outcome))
        #expect(rule.decide(missing, as: .stop, random: 0) == .end(.application))
        #expect(rule.decide(missing, as: .retry(after: nil), random: 0.5) == .retry(after: 50))
        #expect(rule.decide(missing, as: .retry(after: .seconds(3)), random: 0.5) == .retry(after: 3_000))
        let late = ended(.answer(status: 404)) { $0.timeLeft = 3_000 }
        #expect(rule.decide(late, as: .retry(after: .seconds(3)), random: 0) == .end(.deadline))
        let asked = ended(.answer(status: 404)) { $0.retryAfter = 4_000 }
        #expect(rule.decide(asked, as: .retry(after: .seconds(3)), random: 0) == .retry(after: 4_000))
        let last = ended(.answer(status: 404), number: 3)
        #expect(rule.decide(last, as: .retry(after: nil), random: 0) == .end(.attempts))
    }

    private func argument(_ change: (inout RetryPolicy) -> Void) -> String? {
        var policy = RetryPolicy.standard
        change(&policy)
        do throws(NetcoreError) {
            try policy.validate()
            return nil
        } catch {
            return error.code == .invalidArgument ? error.argument : "\(error)"
        }
    }

    @Test("a policy says which figure is out of range or contradicts another")
    func validation() {
        #expect(argument { _ in } == nil)
        #expect(argument { $0.attempts = 0 } == "attempts" && argument { $0.attempts = 101 } == "attempts")
        #expect(argument { $0.baseDelay = .zero } == "base_delay_ms")
        #expect(argument { $0.baseDelay = .seconds(21) } == "base_delay_ms")
        #expect(argument { $0.throttledDelay = .seconds(21) } == "throttled_delay_ms")
        #expect(argument { $0.maximumDelay = .seconds(3601) } == "max_delay_ms")
        #expect(argument { $0.maximumRetryAfter = .seconds(-1) } == "max_retry_after_ms")
        #expect(argument { $0.statuses = [200] } == "statuses" && argument { $0.statuses = [600] } == "statuses")
        #expect(argument { $0.methods = ["get"] } == "methods" && argument { $0.methods = ["A B"] } == "methods")
        #expect(argument { $0.errors = .init(rawValue: 32) } == "errors")
        #expect(argument { $0.attemptTimeout = .zero } == "attempt_timeout_ms")
        #expect(argument { $0.budget?.tokens = 0 } == "budget_tokens")
        #expect(argument { $0.budget?.perSuccess = 1.5 } == "budget_success_percent")
        #expect(argument { $0.budget?.perSuccess = .nan } == "budget_success_percent")
        #expect(argument { $0.budget?.perSecond = -1 } == "budget_per_second")
    }

    @Test(
        "an attempt may take as long as the task, and no longer", arguments: [(0, true), (2_000, true), (1_999, false)])
    func attemptTimeout(total: Int, isFine: Bool) {
        var policy = RetryPolicy.standard
        policy.attemptTimeout = .seconds(2)
        #expect(((try? policy.validate(total: total)) != nil) == isFine)
    }
}
