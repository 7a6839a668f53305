internal import NetcoreHTTP
internal import NetcoreSupport

/// Sends a hop again because of its answer or error, after a wait, as ``RetryRule`` decides. It stands above *admit*, so that what waits
/// here has no slot, and below *cache*, which sees the last answer only.
final class RetryStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    private let random: () -> Double
    private let wallClock: () -> Int64

    /// - Parameters:
    ///   - random: gives numbers of [0, 1).
    ///   - wallClock: gives seconds since 1970; nil for the client's clock.
    init(
        _ context: StageContext, random: @escaping () -> Double = { .random(in: 0..<1) },
        wallClock: (() -> Int64)? = nil
    ) {
        self.context = context
        self.random = random
        self.wallClock = wallClock ?? { [unowned(unsafe) context] in context.wallSeconds }
    }

    override func down(_ exchange: Exchange) -> Descent {
        guard let rule = exchange.request.retryRule else { return .next }
        let retrying = exchange.retrying ?? Retrying(rule)
        retrying.rule = rule
        exchange.retrying = retrying
        if rule.policy.makesIdempotencyKeys, !exchange.hop.mayRepeat(rule.policy), !exchange.request.options.isBare {
            let key = retrying.idempotencyKey ?? IdempotencyKey.make()
            retrying.idempotencyKey = key
            exchange.hop.add(key)
        }
        return .next
    }

    // MARK: Up

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let retrying = exchange.retrying else {
            exchange.noteTry(result)
            return .next
        }
        // What did not come to the network was no try.
        guard result.error?.phase != .queue else {
            if result.error?.code == .breakerOpen, exchange.move == nil { breakerRefused(exchange, retrying) }
            return .next
        }
        let early = retrying.early.take()
        guard !exchange.isCanceled, result.error?.code != .canceled else {
            giveBack(early, retrying)
            note(result, attempt(of: exchange, retrying, result), of: exchange, .canceled)
            return .next
        }
        if let early, early.isOf(result), result.error?.code != .timeoutTotal {
            return goOn(exchange, retrying, result, early)
        }
        giveBack(early, retrying)
        let attempt = attempt(of: exchange, retrying, result)
        // What was streamed is never tried again.
        if exchange.hasShownHead { return act(on: .end(.outcome), exchange, retrying, result, attempt) }
        let random = random()
        if let decide = retrying.rule.policy.decide, retrying.rule.obstacle(attempt) == nil,
            ask(decide, exchange, retrying, result, attempt, random)
        {
            return .hold
        }
        return act(on: retrying.rule.decide(attempt, random: random), exchange, retrying, result, attempt)
    }

    /// What is decided here is done when the answer has ended. A function of the application's sees the whole answer.
    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        guard let retrying = exchange.retrying, !exchange.isHedge else { return .passes }
        guard retrying.rule.policy.decide == nil else { return status >= 400 ? .mayReplace : .passes }
        return goesOn(exchange, retrying, after: status, fields) ? .replaces : .passes
    }

    /// Whether another attempt follows the answer that begins so.
    private func goesOn(
        _ exchange: Exchange, _ retrying: Retrying, after status: Int, _ fields: FieldBlock?
    ) -> Bool {
        retrying.early = nil
        guard !exchange.isCanceled else { return false }
        var attempt = attempt(of: exchange, retrying, .answer(status: status), fields)
        attempt.mayRepeat = exchange.hop.mayRepeat(retrying.rule.policy)
        guard case .retry(let wait) = retrying.rule.decide(attempt, random: random()), draw(exchange, retrying) else {
            return false
        }
        retrying.early = Retrying.Early(
            attempt: attempt, due: context.now.adding(milliseconds: Int(wait)), origin: exchange.hop.url.origin)
        return true
    }

    private func act(
        on decision: RetryRule.Decision, _ exchange: Exchange, _ retrying: Retrying, _ result: Response,
        _ attempt: RetryRule.Attempt
    ) -> Ascent {
        switch decision {
        case .retry(let wait) where draw(exchange, retrying):
            let due = context.now.adding(milliseconds: Int(wait))
            let next = Retrying.Early(attempt: attempt, due: due, origin: exchange.hop.url.origin)
            return goOn(exchange, retrying, result, next)
        case .retry:
            context.client.counters.budgetRefusals.add()
            note(result, attempt, of: exchange, .budget)
        case .end(let reason):
            if result.error == nil, result.status < 500, !retrying.rule.isRetryable(attempt) {
                noteSuccess(of: exchange.hop.url.origin, retrying.rule.policy.budget)
            }
            note(result, attempt, of: exchange, reason)
        }
        return .next
    }

    /// Begins another attempt, or holds the exchange until it is due.
    private func goOn(
        _ exchange: Exchange, _ retrying: Retrying, _ result: Response, _ next: Retrying.Early
    ) -> Ascent {
        let wait = max((next.due.microseconds(since: context.now) + 999) / 1000, 0)
        note(result, next.attempt, of: exchange, .retried, nextAfter: Int64(wait))
        retrying.number += 1
        context.client.counters.retries.add()
        exchange.report(
            .retry, result, value: wait * 1_000_000, detail: Int(clamping: next.attempt.retryAfter ?? 0) * 1_000_000)
        if let service = otherService(exchange) {
            exchange.move = Move(service: service, due: next.due)
            return .next
        }
        exchange.tryAgain(exchange.hop.repeated)
        guard wait > 0 else { return .again }
        context.goOn(exchange, at: next.due)
        return .hold
    }

    private func note(
        _ result: Response, _ attempt: RetryRule.Attempt, of exchange: Exchange, _ reason: RetryReason,
        nextAfter wait: Int64 = 0
    ) {
        if result.error == nil, result.status == 425 { exchange.retrying?.hadTooEarly = true }
        exchange.tries.note(
            result, at: exchange.hop.url, attempt: exchange.costs.attempts, retryAfter: attempt.retryAfter, reason,
            nextAfter: wait, now: context.now)
    }

    /// The breaker opened while the attempt waited: it did not take place.
    private func breakerRefused(_ exchange: Exchange, _ retrying: Retrying) {
        guard exchange.tries.endInWait(.breaker) else { return }
        context.client.counters.retries.add(-1)
        context.client.budgets.with { $0.giveBack(to: exchange.hop.url.origin, retrying.rule.policy.budget) }
    }

    /// What was decided when the head had come did not take place: the answer is another one.
    private func giveBack(_ early: Retrying.Early?, _ retrying: Retrying) {
        guard let early else { return }
        context.client.budgets.with { $0.giveBack(to: early.origin, retrying.rule.policy.budget) }
    }

    /// The service that the next attempt goes to, if it is not the same.
    private func otherService(_ exchange: Exchange) -> String? {
        exchange.route.flatMap { context.client.settings.snapshot.values.otherService(than: $0.place) }
    }

    private func draw(_ exchange: Exchange, _ retrying: Retrying) -> Bool {
        let now = milliseconds
        return context.client.budgets.with {
            $0.draw(for: exchange.hop.url.origin, retrying.rule.policy.budget, now: now)
        }
    }

    private func noteSuccess(of origin: String, _ figures: RetryPolicy.Budget?) {
        let now = milliseconds
        context.client.budgets.with { $0.noteSuccess(of: origin, figures, now: now) }
    }

    private var milliseconds: Int64 { Int64(context.now.microseconds / 1000) }

    // MARK: What came of an attempt

    private func attempt(of exchange: Exchange, _ retrying: Retrying, _ result: Response) -> RetryRule.Attempt {
        let outcome = result.error.map { .failure($0.code) } ?? RetryRule.Outcome.answer(status: result.status)
        var attempt = attempt(of: exchange, retrying, outcome, result.error == nil ? result.fieldBlock : nil)
        let isUnsent = result.bytesSent == 0 && result.error?.code.leavesRequestUnsent ?? false
        attempt.mayRepeat = isUnsent || exchange.hop.mayRepeat(retrying.rule.policy)
        return attempt
    }

    private func attempt(
        of exchange: Exchange, _ retrying: Retrying, _ outcome: RetryRule.Outcome, _ fields: FieldBlock?
    ) -> RetryRule.Attempt {
        var attempt = RetryRule.Attempt(number: retrying.number, outcome: outcome)
        attempt.retryAfter = fields.flatMap { fields in
            fields.index(of: "retry-after").flatMap { RetryAfter.parse(fields.value(at: $0), now: wallClock()) }
        }
        attempt.canRewind = exchange.hop.canRewind()
        attempt.hadTooEarly = retrying.hadTooEarly
        if exchange.request.breaker != nil, otherService(exchange) == nil {
            attempt.refusedFor = context.client.breakers.wait(exchange.hop.url.origin, now: milliseconds)
        }
        attempt.timeLeft = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
            .map { Int64($0.microseconds(since: context.now) / 1000) }
        return attempt
    }

    // MARK: A function of the application's

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "a function of the application's did not return in time", phase: .done)
    }

    /// Asks the application whether to go on. False when no thread can be started: the policy decides then.
    private func ask(
        _ decide: @escaping RetryPolicy.Decide, _ exchange: Exchange, _ retrying: Retrying, _ result: Response,
        _ attempt: RetryRule.Attempt, _ random: Double
    ) -> Bool {
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let number = context.hold(exchange, until: end, else: Self.tooLate)
        let run = FunctionRun(since: context.now)
        let worker = context.client.retryWorker
        let outcome = RetryPolicy.Outcome(
            attempt: attempt.number, response: Response(seen: result, at: exchange.hop.url), error: result.error,
            retryAfter: attempt.retryAfter.map { .milliseconds($0) },
            proposal: proposal(retrying.rule.decide(attempt, random: random)))
        let isAdded = worker.add { [weak self, post = context.post] in
            guard run.begin(job: worker.currentJob) else { return }
            let verdict = decide(outcome)
            guard run.end() else { return }
            post { [weak self] in self?.answered(exchange, number, verdict) }
        }
        guard isAdded else {
            context.release(exchange)
            return false
        }
        retrying.question = Retrying.Question(attempt: attempt, result: result, random: random, run: run)
        return true
    }

    private func proposal(_ decision: RetryRule.Decision) -> Duration? {
        if case .retry(let wait) = decision { .milliseconds(wait) } else { nil }
    }

    private func answered(_ exchange: Exchange, _ number: Int, _ verdict: RetryPolicy.Verdict) {
        guard context.isHeld(exchange, number), let retrying = exchange.retrying,
            let question = retrying.question.take()
        else { return }
        context.release(exchange)
        var attempt = question.attempt
        attempt.timeLeft = attempt.timeLeft.map { left in
            left - Int64(context.now.microseconds(since: question.run.since) / 1000)
        }
        let decision = retrying.rule.decide(attempt, as: verdict, random: question.random)
        switch act(on: decision, exchange, retrying, question.result, attempt) {
        case .next, .anew: context.end(exchange, question.result)
        case .again: context.goOn(exchange)
        case .hold: break
        }
    }

    /// Held on the way up: until another attempt is due, or until a function has returned.
    override func abandon(_ exchange: Exchange) -> Response? {
        guard let retrying = exchange.retrying else { return nil }
        let reason: RetryReason = exchange.isCanceled ? .canceled : .deadline
        guard let question = retrying.question.take() else {
            _ = exchange.tries.endInWait(reason)
            return nil
        }
        // What may never return is not to hold up the others.
        if question.run.giveUp() { context.client.retryWorker.replaceThread(at: question.run.job) }
        note(question.result, question.attempt, of: exchange, reason)
        return nil
    }
}

/// A field that tells a server which requests are one (draft-ietf-httpapi-idempotency-key-header): a random UUID (RFC 9562 section 5.4).
enum IdempotencyKey {
    static func make() -> Request.Field {
        var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = "\""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return Request.Field(name: "Idempotency-Key", value: Array("\(text)\"".utf8))
    }
}
