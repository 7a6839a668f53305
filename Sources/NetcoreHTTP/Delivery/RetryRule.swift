internal import NetcoreSupport

/// Whether an attempt that ended is followed by another one: a pure rule. Clock and random numbers are handed in.
package final class RetryRule: Sendable {
    package let policy: RetryPolicy

    /// Throws ``NetcoreError/Code/invalidArgument`` with the name of the figure that is wrong.
    package convenience init(_ policy: RetryPolicy) throws(NetcoreError) {
        try policy.validate()
        self.init(unchecked: policy)
    }

    /// For ``RetryPolicy/validate()`` later.
    package init(unchecked policy: RetryPolicy) { self.policy = policy }

    /// An attempt that ended, and what another one would need.
    package struct Attempt: Sendable {
        /// 1 for the first.
        package var number: Int
        package var outcome: Outcome
        /// Milliseconds that the answer asks to wait (``RetryAfter``).
        package var retryAfter: Int64?
        /// To send it twice does no more than to send it once, or nothing of it was sent.
        package var mayRepeat = true
        /// The body can be sent from its beginning again; true without a body.
        package var canRewind = true
        /// An earlier attempt ended with 425.
        package var hadTooEarly = false
        /// Milliseconds until the deadline of the task, nil without one.
        package var timeLeft: Int64?
        /// Milliseconds for which the breaker of the origin lets nothing through.
        package var refusedFor: Int64 = 0

        package init(number: Int, outcome: Outcome) {
            self.number = number
            self.outcome = outcome
        }
    }

    package enum Outcome: Sendable, Hashable {
        case answer(status: Int)
        case failure(NetcoreError.Code)
    }

    package enum Decision: Sendable, Hashable {
        /// Another attempt after so many milliseconds, if ``RetryBudget/draw(now:)`` has a token for it.
        case retry(after: Int64)
        case end(RetryReason)
    }

    /// - Parameter random: a number of [0, 1).
    package func decide(_ attempt: Attempt, random: Double) -> Decision {
        guard isRetryable(attempt) else { return .end(.outcome) }
        if let obstacle = obstacle(attempt) { return .end(obstacle) }
        return schedule(attempt, after: nil, random: random)
    }

    /// The same as a function of the application's decided.
    package func decide(_ attempt: Attempt, as verdict: RetryPolicy.Verdict, random: Double) -> Decision {
        switch verdict {
        case .standard: decide(attempt, random: random)
        case .stop: .end(.application)
        case .retry(let delay):
            obstacle(attempt).map { .end($0) } ?? schedule(attempt, after: delay?.milliseconds, random: random)
        }
    }

    /// Why no other attempt may follow, whatever this one brought.
    package func obstacle(_ attempt: Attempt) -> RetryReason? {
        guard attempt.mayRepeat else { return .notIdempotent }
        guard attempt.canRewind else { return .body }
        return attempt.number < policy.attempts ? nil : .attempts
    }

    /// Whether the outcome is one that is tried again.
    package func isRetryable(_ attempt: Attempt) -> Bool {
        switch attempt.outcome {
        case .answer(let status):
            guard policy.statuses.contains(status) else { return false }
            return status == 425 ? !attempt.hadTooEarly : status != 413 || attempt.retryAfter != nil
        case .failure(let code): return !policy.errors.isDisjoint(with: RetryPolicy.Errors(code))
        }
    }

    private func schedule(_ attempt: Attempt, after delay: Int64?, random: Double) -> Decision {
        if let asked = attempt.retryAfter {
            let isTooLong = asked > policy.maximumRetryAfter.milliseconds || asked >= attempt.timeLeft ?? .max
            if isTooLong { return .end(.retryAfter) }
        }
        let wait = wait(after: attempt, delay, random: random)
        guard wait >= attempt.refusedFor else { return .end(.breaker) }
        return wait < attempt.timeLeft ?? .max ? .retry(after: wait) : .end(.deadline)
    }

    /// Full jitter: random between 0 and a bound that doubles; at least what Retry-After says, with up to a tenth more, so that clients
    /// that were told the same do not come back at the same moment.
    private func wait(after attempt: Attempt, _ delay: Int64?, random: Double) -> Int64 {
        let wait = delay ?? Int64(random * Double(bound(after: attempt)))
        guard let asked = attempt.retryAfter else { return wait }
        return max(wait, asked.adding(saturating: Int64(random * Double(asked) / 10)))
    }

    private func bound(after attempt: Attempt) -> Int64 {
        let base = attempt.outcome.isThrottled ? policy.throttledDelay : policy.baseDelay
        let doublings = min(attempt.number - 1, 40)
        return min(policy.maximumDelay.milliseconds, base.milliseconds.multiplied(saturating: 1 << doublings))
    }
}

extension RetryRule.Outcome {
    fileprivate var isThrottled: Bool { self == .answer(status: 429) || self == .answer(status: 503) }
}

extension NetcoreError.Code {
    /// Whether nothing of a request was sent that ended so: any method may then be sent again.
    package var leavesRequestUnsent: Bool {
        [.resolve, .resolveProxy, .connect, .connectProxy, .timeoutConnect].contains(self)
    }
}

extension Duration {
    /// Saturates.
    package var milliseconds: Int64 {
        components.seconds.multiplied(saturating: 1000)
            .adding(saturating: components.attoseconds / 1_000_000_000_000_000)
    }

    /// Saturates.
    package var microseconds: Int {
        Int(
            components.seconds.multiplied(saturating: 1_000_000)
                .adding(saturating: components.attoseconds / 1_000_000_000_000))
    }
}
