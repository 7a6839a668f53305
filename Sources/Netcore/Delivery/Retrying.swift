internal import NetcoreHTTP
internal import NetcoreSupport

/// What stage *retry* knows of an exchange. Confined to the client's loop.
final class Retrying {
    var rule: RetryRule
    /// The attempt that is under way, from 1 on.
    var number = 1
    /// A server answered 425.
    var hadTooEarly = false
    /// Made once, for all attempts.
    var idempotencyKey: Request.Field?
    /// What was decided when the head of the answer came: its body is dropped then.
    var early: Early?
    /// The application's function, while it runs.
    var question: Question?

    struct Early {
        let attempt: RetryRule.Attempt
        let due: MonotonicTime
        /// Whose budget gave the token.
        let origin: String

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

    /// For a hedge: within the same attempt.
    init(beside other: Retrying) {
        rule = other.rule
        number = other.number
        idempotencyKey = other.idempotencyKey
    }

    /// When the hop that is sent now is to end at the latest.
    func hopEnd(_ now: MonotonicTime) -> MonotonicTime? {
        rule.policy.attemptTimeout.map { now.adding(milliseconds: Int($0.milliseconds)) }
    }
}
