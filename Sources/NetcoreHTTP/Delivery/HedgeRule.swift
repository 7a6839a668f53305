/// What becomes of an attempt when one of its tries has ended, the first one or its hedge: a pure rule, as in gRPC's proposal A6.
package enum HedgeRule {
    /// How a try ended.
    package enum End: Sendable, Hashable {
        /// With an answer that no other try would better: a success, or a status that is not tried again.
        case answer
        /// With an answer or error that is tried again, perhaps after so many milliseconds (Retry-After).
        case failure(retryAfter: Int64?)
        /// With any other error.
        case error

        /// - Parameter retries: says what is tried again.
        package init(_ attempt: RetryRule.Attempt, _ retries: RetryRule) {
            if retries.isRetryable(attempt) {
                self = .failure(retryAfter: attempt.retryAfter)
            } else if case .answer = attempt.outcome {
                self = .answer
            } else {
                self = .error
            }
        }
    }

    /// The hedge, when the first try ends.
    package enum Hedge: Sendable, Hashable {
        /// May be sent.
        case possible
        /// May not be sent.
        case none
        case inFlight
        case failed
    }

    package enum Decision: Sendable, Hashable {
        /// The attempt ends with this try; the other one is canceled.
        case decide
        /// The other try may still bring an answer.
        case wait
        /// The hedge is sent after so many milliseconds.
        case hedge(after: Int64)
        /// The attempt ends as the first try did.
        case fail
    }

    /// The first try has ended.
    ///
    /// - Parameter longestWait: milliseconds that a Retry-After may ask for.
    package static func first(_ end: End, _ hedge: Hedge, longestWait: Int64) -> Decision {
        guard case .failure(let retryAfter) = end else { return .decide }
        switch hedge {
        case .inFlight: return .wait
        case .none, .failed: return .decide
        case .possible:
            let wait = retryAfter ?? 0
            return wait <= longestWait ? .hedge(after: wait) : .decide
        }
    }

    /// The hedge has ended. Its errors end no try that may still succeed.
    package static func hedge(_ end: End, isFirstInFlight: Bool) -> Decision {
        if end == .answer { return .decide }
        return isFirstInFlight ? .wait : .fail
    }
}
