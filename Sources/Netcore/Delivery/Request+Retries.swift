public import NetcoreHTTP
internal import NetcoreTransport

extension Request {
    /// Whether a request is sent again because of its answer or error.
    public enum Retries: Sendable {
        /// As its client says.
        case client
        case off
        case policy(RetryPolicy)
    }

    /// Whether this request is sent again because of its answer or error. Default: as its client says.
    public var retries: Retries {
        switch options.retries {
        case .client: .client
        case .off: .off
        case .rule(let rule): .policy(rule.policy)
        }
    }

    /// - Throws: `invalidArgument`, with the name of the figure that is out of range or contradicts another.
    public mutating func setRetries(_ retries: Retries) throws(NetcoreError) {
        switch retries {
        case .client: options.retries = .client
        case .off: options.retries = .off
        case .policy(let policy): options.retries = .rule(try RetryRule(policy))
        }
    }

    /// Whether sending it twice does no more than sending it once, though its method does not say so (RFC 9110 section 9.2.2): a
    /// ``RetryPolicy`` may then send it again. Off by default. A request with an `Idempotency-Key` field does not need it.
    public var isIdempotent: Bool {
        get { options.isIdempotent }
        set { options.isIdempotent = newValue }
    }
}

extension Client {
    /// When requests that do not say otherwise are sent again because of their answer or error; nil, the default, for never.
    public var retries: RetryPolicy? { engine.parts.settings.current.delivery.retries?.policy }

    /// Sets ``retries`` for requests dispatched from now on.
    ///
    /// - Throws: `invalidArgument`, with the name of the figure that is out of range or contradicts another.
    public func setRetries(_ policy: RetryPolicy?) throws(NetcoreError) {
        let rule = try policy.map { policy throws(NetcoreError) in try RetryRule(policy) }
        try change { (settings) throws(NetcoreError) in
            try settings.delivery.breaker?.policy.validate(
                attemptTimeout: policy?.attemptTimeout, "attempt_timeout_ms")
            settings.delivery.retries = rule
        }
    }
}

/// ``Request/Retries``, checked.
package enum RetryChoice: Sendable {
    case client
    case off
    case rule(RetryRule)
}

extension RequestOptions {
    /// The rule that holds for a request of a client's.
    ///
    /// - Throws: where it contradicts the request's timeouts or the client's breaker.
    func retryRule(of client: DeliveryPolicies) throws(NetcoreError) -> RetryRule? {
        let rule =
            switch retries {
            case .client: client.retries
            case .off: nil as RetryRule?
            case .rule(let rule): rule
            }
        try rule?.policy.validate(total: timeouts.total)
        try client.breaker?.policy.validate(attemptTimeout: rule?.policy.attemptTimeout, "attempt_timeout_ms")
        return rule
    }
}

extension Hop {
    /// Whether sending it twice does no more than sending it once.
    func mayRepeat(_ policy: RetryPolicy) -> Bool {
        guard !request.options.isSentOnce else { return false }
        return policy.methods.contains(target.method) || request.options.isIdempotent || hasIdempotencyKey
    }

    var hasIdempotencyKey: Bool { addsField("Idempotency-Key") || request.form.hasHeader("Idempotency-Key") }

    /// Whether its body can be sent from the beginning again.
    mutating func canRewind() -> Bool {
        guard case .streamed(let body) = wire().body else { return true }
        return body.canRewind
    }
}
