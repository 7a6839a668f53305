public import NetcoreHTTP
internal import NetcoreSupport

extension Client {
    /// When requests to an origin that fails are refused for a while; nil, the default, for never.
    public var breaker: BreakerPolicy? { engine.parts.settings.current.delivery.breaker?.policy }

    /// Sets ``breaker`` for requests dispatched from now on. What was known of origins is forgotten.
    ///
    /// - Throws: `invalidArgument`, with the name of the figure that is out of range or contradicts another.
    public func setBreaker(_ policy: BreakerPolicy?) throws(NetcoreError) {
        let rule = try policy.map { policy throws(NetcoreError) in try BreakerRule(policy) }
        try change { (settings) throws(NetcoreError) in
            try policy?.validate(attemptTimeout: settings.delivery.retries?.policy.attemptTimeout, "window_ms")
            settings.delivery.breaker = rule
        }
        engine.parts.breakers.clear()
    }

    /// The breakers of the origins that were asked of late, sorted by origin. Those that are closed and have seen nothing for a while
    /// may be missing.
    public var breakers: [BreakerInfo] { engine.parts.breakers.infos(now: engine.parts.now) }
}

/// A ``BreakerPolicy``, checked.
final class BreakerRule: Sendable {
    let policy: BreakerPolicy

    init(_ policy: BreakerPolicy) throws(NetcoreError) {
        try policy.validate()
        self.policy = policy
    }
}

/// What a client says of the attempts of its requests.
struct DeliveryPolicies: Sendable {
    /// For requests that do not say otherwise.
    var retries: RetryRule?
    var breaker: BreakerRule?
    var failover: FailoverRule?
    var hedging: HedgeTerms?
}

/// The breakers of a client. For any thread: the loop uses them, and the application reads them.
final class BreakerStates: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var breakers = Breakers()

    func admit(_ origin: String, _ rule: BreakerRule, now: Int64, attemptTimeout: Int64?) -> Breaker.Verdict {
        lock.withLock { breakers.admit(origin, rule.policy, now: now, attemptTimeout: attemptTimeout) }
    }

    func record(_ origin: String, _ permit: Breaker.Permit, _ health: TryHealth, now: Int64, random: Double) {
        lock.withLock { breakers.record(origin, permit, health, now: now, random: random) }
    }

    /// Whether it lets all, none, or one through, as the last try left it.
    func state(_ origin: String) -> BreakerState { lock.withLock { breakers.state(origin) } }

    /// Milliseconds until a try goes through, at the latest.
    func wait(_ origin: String, now: Int64) -> Int64 { lock.withLock { breakers.wait(origin, now: now) } }

    func infos(now: MonotonicTime) -> [BreakerInfo] {
        lock.withLock { breakers.infos(now: Int64(now.microseconds / 1000)) }
    }

    func clear() { lock.withLock { breakers.clear(nil) } }
}
