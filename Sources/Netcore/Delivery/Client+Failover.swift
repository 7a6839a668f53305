public import NetcoreHTTP
internal import NetcoreSupport

extension Client {
    /// When the client goes from the selected service to the next because it fails; nil, the default, for never.
    public var failover: FailoverPolicy? { engine.parts.settings.current.delivery.failover?.policy }

    /// Sets ``failover`` for requests dispatched from now on. What was counted is forgotten.
    ///
    /// Requests that name a service themselves are neither counted nor moved. A switch is told to the function of
    /// ``onSelectionChange(_:)``, on a thread of the client's.
    ///
    /// - Throws: `invalidArgument`, with the name of the figure that is out of range.
    public func setFailover(_ policy: FailoverPolicy?) throws(NetcoreError) {
        let rule = try policy.map { policy throws(NetcoreError) in try FailoverRule(policy) }
        try change { $0.delivery.failover = rule }
    }
}

/// A ``FailoverPolicy``, checked, and what was counted for it. Confined to the client's loop, except for the policy.
final class FailoverRule: @unchecked Sendable {  // see above
    let policy: FailoverPolicy
    private var state: Failover?

    init(_ policy: FailoverPolicy) throws(NetcoreError) {
        try policy.validate()
        self.policy = policy
    }

    func with<Result>(now: Int64, _ body: (inout Failover) -> Result) -> Result {
        var state = state ?? Failover(policy, now: now)
        defer { self.state = state }
        return body(&state)
    }
}

extension ClientSettings.Values {
    var place: Failover.Place? {
        guard let service, let environment else { return nil }
        return Failover.Place(service: service, environment: environment)
    }

    /// The service after one, with a base URL in its environment that may be used; nil if there is no other.
    ///
    /// - Parameter random: a number of [0, 1), for those with weights.
    func service(after place: Failover.Place, random: Double, where mayUse: (HTTPURL) -> Bool) -> String? {
        guard let index = services.firstIndex(where: { $0.name == place.service }) else { return nil }
        let others = services[(index + 1)...] + services[..<index]
        let usable = others.filter { $0.bases[place.environment].map(mayUse) ?? false }
        return ServiceChoice.next(usable.map(\.weight), random: random).map { usable[$0].name }
    }

    /// Where a request goes if it is sent again: another service of its environment, if one is selected by now.
    func otherService(than place: Failover.Place) -> String? {
        guard let service, service != place.service, environment == place.environment,
            services.contains(where: { $0.name == service && $0.bases[place.environment] != nil })
        else { return nil }
        return service
    }
}
