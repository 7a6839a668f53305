internal import NetcoreHTTP
internal import NetcoreSupport

/// What stage *retry* knows of an exchange. Confined to the client's loop.
final class Retrying {
    var rule: RetryRule
    private(set) var tries: [Try] = []
    /// The attempt that is under way, from 1 on.
    private(set) var number = 1
    /// Milliseconds that were waited before it.
    private var delay: Int64 = 0
    /// The address that the last hop's connection went to.
    var address: String?
    /// Made once, for all attempts.
    var idempotencyKey: Request.Field?
    /// What was decided when the head of the answer came: its body is dropped then.
    var early: Early?
    /// The application's function, while it runs.
    var question: Question?

    struct Early {
        let attempt: RetryRule.Attempt
        let due: MonotonicTime

        /// Whether it was decided about this answer: the transport may have sent the hop again by itself since.
        func isOf(_ result: Response) -> Bool { attempt.outcome == .answer(status: result.status) }
    }

    struct Question {
        let attempt: RetryRule.Attempt
        let result: Response
        let random: Double
        let run: FunctionRun
    }

    init(_ rule: RetryRule) { self.rule = rule }

    var hadTooEarly: Bool { tries.contains { $0.status == 425 } }

    /// Lists a try.
    func note(
        _ result: Response, _ attempt: RetryRule.Attempt, of hop: Hop, _ reason: RetryReason, nextAfter wait: Int64 = 0
    ) {
        tries.append(
            Try(
                server: hop.url.origin, address: address, status: result.error == nil ? result.status : 0,
                error: result.error?.code, delay: .milliseconds(delay),
                retryAfter: attempt.retryAfter.map { .milliseconds($0) }, reason: reason))
        address = nil
        delay = wait
        if reason == .retried { number += 1 }
    }

    /// The attempt that was to follow will not. Returns whether one was.
    @discardableResult
    func endInWait(_ reason: RetryReason) -> Bool {
        guard let last = tries.indices.last, tries[last].reason == .retried else { return false }
        tries[last].reason = reason
        return true
    }

    /// When the hop that is sent now is to end at the latest.
    func hopEnd(_ now: MonotonicTime) -> MonotonicTime? {
        rule.policy.attemptTimeout.map { now.adding(milliseconds: Int($0.milliseconds)) }
    }
}
