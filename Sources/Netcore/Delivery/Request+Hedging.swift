public import NetcoreHTTP

extension Request {
    /// Whether a request gets a hedge.
    public enum Hedging: Sendable {
        /// As its client says.
        case client
        case off
        case policy(HedgePolicy)
    }

    /// Whether a second try of this request is sent while the first is still under way. Default: as its client says.
    ///
    /// Only requests that may be repeated get one: by their method, or as ``isIdempotent`` says. Those with a body that is read while it
    /// is sent get none, nor do downloads, nor a streamed response from its first byte on.
    public var hedging: Hedging {
        switch options.hedging {
        case .client: .client
        case .off: .off
        case .terms(let terms): .policy(terms.policy)
        }
    }

    /// - Throws: `invalidArgument`, with the name of the figure that is out of range or contradicts another.
    public mutating func setHedging(_ hedging: Hedging) throws(NetcoreError) {
        switch hedging {
        case .client: options.hedging = .client
        case .off: options.hedging = .off
        case .policy(let policy): options.hedging = .terms(try HedgeTerms(policy))
        }
    }
}

extension Client {
    /// When requests that do not say otherwise get a hedge; nil, the default, for never.
    public var hedging: HedgePolicy? { engine.parts.settings.current.delivery.hedging?.policy }

    /// Sets ``hedging`` for requests dispatched from now on.
    ///
    /// - Throws: `invalidArgument`, with the name of the figure that is out of range or contradicts another.
    public func setHedging(_ policy: HedgePolicy?) throws(NetcoreError) {
        let terms = try policy.map { policy throws(NetcoreError) in try HedgeTerms(policy) }
        try change { $0.delivery.hedging = terms }
    }
}

/// A ``HedgePolicy``, checked.
package final class HedgeTerms: Sendable {
    let policy: HedgePolicy

    init(_ policy: HedgePolicy) throws(NetcoreError) {
        try policy.validate()
        self.policy = policy
    }
}

/// ``Request/Hedging``, checked.
package enum HedgeChoice: Sendable {
    case client
    case off
    case terms(HedgeTerms)
}

extension RequestOptions {
    /// What holds for a request of a client's; nil if it gets no hedge.
    func hedgeTerms(of client: DeliveryPolicies) -> HedgeTerms? {
        switch hedging {
        case .client: client.hedging
        case .off: nil
        case .terms(let terms): terms
        }
    }
}
