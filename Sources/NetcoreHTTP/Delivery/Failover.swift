internal import NetcoreSupport

/// When a client goes from one service to the next because the selected one fails. Off unless a client sets one; docs/delivery.md has the
/// reason for each default.
public struct FailoverPolicy: Sendable, Hashable {
    /// The preset `standard`.
    public static let standard = FailoverPolicy()

    /// How far back tries count: 100 ms to 24 h. Default 60 s.
    public var window = Duration.seconds(60)
    /// Parts of the window; the oldest is dropped at a time: 1 to 100. Default 10.
    public var buckets = 10
    /// With fewer tries in the window the share of failures says nothing: 1 to 1,000,000. Default 40.
    public var minimumTries = 40
    /// The share of failed tries in the window from which on it switches: 0.01 to 1. Default 0.1.
    public var failureRatio = 0.1
    /// How long after a switch the service that was left is selected again: 1 ms to 24 h; nil for never. Default 300 s.
    public var coolDown: Duration? = .seconds(300)
    /// How the service that was left is asked whether it is well again, in place of ``coolDown``. Nil, the default, for not at all.
    public var probe: HealthProbe?

    public init() {}
}

extension FailoverPolicy {
    /// Throws ``NetcoreError/Code/invalidArgument`` with the name of the member that is out of range.
    package func validate() throws(NetcoreError) {
        try Self.require(
            (.milliseconds(100) ... .seconds(86_400)).contains(window), "window_ms",
            "must be 100 milliseconds to 24 hours")
        try Self.require((1...100).contains(buckets), "bucket_count", "must be 1 to 100")
        try Self.require((1...1_000_000).contains(minimumTries), "min_tries", "must be 1 to 1000000")
        try Self.require((0.01...1).contains(failureRatio), "failure_percent", "must be 1 to 100 percent")
        if let coolDown {
            try Self.require(
                (.milliseconds(1) ... .seconds(86_400)).contains(coolDown), "cool_down_ms",
                "must be 1 millisecond to 24 hours")
        }
        try probe?.validate()
    }

    private static func require(_ holds: Bool, _ name: String, _ message: String) throws(NetcoreError) {
        guard holds else { throw NetcoreError(.invalidArgument, argument: name, message) }
    }
}

/// Counts the tries of the selected service, and says when to leave it and when to come back: a pure state machine. The clock is handed in,
/// in milliseconds.
package struct Failover: Sendable {
    private let policy: FailoverPolicy
    private var window: TryWindow
    /// What the window is about: what was selected when it began.
    private var place: Place?
    /// The service that was left first, and when it is selected again.
    private var home: (service: String, due: Int64)?
    /// Probes of it that succeeded, in a row.
    private var successes = 0

    /// A service in an environment.
    package struct Place: Sendable, Hashable {
        package let service: String
        package let environment: String

        package init(service: String, environment: String) {
            self.service = service
            self.environment = environment
        }
    }

    package enum Action: Sendable, Hashable {
        /// To the next service that may be used.
        case leave
        /// Back to this one, whose time is over.
        case comeBack(to: String)
    }

    package init(_ policy: FailoverPolicy, now: Int64) {
        self.policy = policy
        window = TryWindow(length: policy.window.milliseconds, buckets: policy.buckets, now: now)
    }

    /// Takes in what came of a try.
    ///
    /// - Parameters:
    ///   - place: where it was made. A try of what is no longer selected says nothing.
    ///   - selected: what is selected now. If somebody else than this selected it, counting begins anew, and nothing is come back to.
    /// - Returns: what is to be done. It is said once: counting begins anew.
    package mutating func record(isFailure: Bool, of place: Place, selected: Place, now: Int64) -> Action? {
        notice(selected)
        guard place == selected else { return nil }
        if let action = comeBack(selected, now: now) { return action }
        window.add(isFailure: isFailure, now: now)
        let percent = Int((policy.failureRatio * 100).rounded())
        guard isFailure, window.holds(tries: policy.minimumTries, percent: percent) else { return nil }
        window.clear()
        return .leave
    }

    /// The breaker of the selected service refuses requests: no more tries will come to count.
    package mutating func refused(of place: Place, selected: Place) -> Action? {
        notice(selected)
        guard place == selected else { return nil }
        window.clear()
        return .leave
    }

    /// Another service was selected in place of the one that was to be left.
    package mutating func left(for selected: Place, now: Int64) {
        let first = home?.service ?? place?.service
        home = nil
        successes = 0
        if let first, first != selected.service {
            if policy.probe != nil {
                home = (first, .max)
            } else if let coolDown = policy.coolDown {
                home = (first, now.adding(saturating: coolDown.milliseconds))
            }
        }
        place = selected
    }

    /// The service that is to be probed; nil for none.
    package mutating func probed(selected: Place) -> String? {
        notice(selected)
        return policy.probe == nil ? nil : home?.service
    }

    /// Takes in what came of a probe.
    package mutating func probe(of service: String, isSuccess: Bool, selected: Place) -> Action? {
        guard let probe = policy.probe, probed(selected: selected) == service else { return nil }
        successes = isSuccess ? successes + 1 : 0
        return successes >= probe.successes ? comeBack(selected, now: .max) : nil
    }

    private mutating func notice(_ selected: Place) {
        guard place != selected else { return }
        place = selected
        home = nil
        window.clear()
    }

    private mutating func comeBack(_ selected: Place, now: Int64) -> Action? {
        guard let home, home.due <= now else { return nil }
        self.home = nil
        place = Place(service: home.service, environment: selected.environment)
        window.clear()
        return .comeBack(to: home.service)
    }
}
