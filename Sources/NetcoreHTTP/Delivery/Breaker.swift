internal import NetcoreSupport

/// A circuit breaker for one origin: a pure state machine. Clock and random numbers are handed in; times are in milliseconds.
package struct Breaker: Sendable {
    private let policy: BreakerPolicy
    private var state = State.closed
    private var window: TryWindow
    /// Tries in a row without a connection.
    private var unreachable = 0
    /// Counts up each time that it opens from closed. What began in an earlier episode says nothing of this one.
    private var episode: UInt32 = 0
    /// Of the last probe of this episode.
    private var probe: UInt32 = 0
    /// How often the time that it stays open has doubled.
    private var doublings = 0
    /// When it was closed by something other than a success; the doublings are forgotten a window later.
    private var closedAt: Int64?
    private(set) var openings = 0
    private(set) var refusals = 0

    private enum State {
        case closed
        case open(until: Int64)
        case halfOpen(leaseEnd: Int64)
    }

    /// Leave for one try.
    package struct Permit: Sendable, Hashable {
        fileprivate let episode: UInt32
        /// 0 for a try that is not a probe.
        fileprivate let probe: UInt32

        package var isProbe: Bool { probe != 0 }
    }

    package enum Verdict: Sendable, Hashable {
        case pass(Permit)
        /// Until when at the latest nothing goes through: so many milliseconds.
        case refuse(wait: Int64)
    }

    package init(_ policy: BreakerPolicy, now: Int64) {
        self.policy = policy
        window = TryWindow(length: policy.window.milliseconds, buckets: policy.buckets, now: now)
    }

    /// Decides about a try that is about to begin.
    ///
    /// - Parameter attemptTimeout: the longest that it may take; nil for no bound. Another probe takes the place of one that has said
    ///   nothing for that long.
    package mutating func admit(now: Int64, attemptTimeout: Int64?) -> Verdict {
        let wait = wait(now: now)
        guard wait == 0 else {
            refusals += 1
            return .refuse(wait: wait)
        }
        guard !isClosed else { return .pass(Permit(episode: episode, probe: 0)) }
        probe += 1
        state = .halfOpen(leaseEnd: now.adding(saturating: max(openTime, attemptTimeout ?? 0)))
        return .pass(Permit(episode: episode, probe: probe))
    }

    /// Takes in what came of a try.
    ///
    /// - Parameter random: a number of [0, 1).
    package mutating func record(_ permit: Permit, _ health: TryHealth, now: Int64, random: Double) {
        guard permit.episode == episode else { return }
        if isClosed {
            recordClosed(health, now: now, random: random)
        } else if permit.isProbe {
            recordProbe(permit, health, now: now, random: random)
        }
    }

    private mutating func recordClosed(_ health: TryHealth, now: Int64, random: Double) {
        guard health != .unknown else { return }
        window.add(isFailure: health.isFailure, now: now)
        unreachable = health == .unreachable ? unreachable + 1 : 0
        guard health.isFailure else { return }
        let isRow = policy.connectFailures.map { unreachable >= $0 } ?? false
        guard isRow || window.holds(tries: policy.minimumTries, percent: policy.failurePercent) else { return }
        if let closedAt, now.subtracting(saturating: closedAt) >= policy.window.milliseconds { doublings = 0 }
        closedAt = nil
        episode &+= 1
        probe = 0
        open(now: now, random: random)
    }

    /// A success counts also if another probe has taken its place meanwhile: it may be that each takes longer than the lease.
    private mutating func recordProbe(_ permit: Permit, _ health: TryHealth, now: Int64, random: Double) {
        switch health {
        case .good:
            window.clear()
            doublings = 0
            close(at: nil)
        case .refused:
            // The server answers, which says little of what failed before: the tally stays.
            window.add(isFailure: false, now: now)
            close(at: now)
        case .failed, .unreachable:
            guard permit.probe == probe else { return }
            window.add(isFailure: true, now: now)
            doublings = min(doublings + 1, Self.mostDoublings)
            open(now: now, random: random)
        case .unknown:
            // The next request is the probe.
            if permit.probe == probe { state = .open(until: now) }
        }
    }

    private mutating func open(now: Int64, random: Double) {
        let factor = 1 + policy.jitter * (2 * random - 1)
        openings += 1
        state = .open(until: now.adding(saturating: max(Int64(Double(openTime) * factor), 1)))
    }

    private mutating func close(at time: Int64?) {
        state = .closed
        closedAt = time
        if time != nil { doublings = min(doublings + 1, Self.mostDoublings) }
        unreachable = 0
    }

    /// How long it stays open as often as it has opened by now, without jitter.
    private var openTime: Int64 {
        min(policy.openTime.milliseconds.multiplied(saturating: 1 << doublings), policy.maximumOpenTime.milliseconds)
    }

    private static let mostDoublings = 40

    // MARK: Reading

    private var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Milliseconds until a try goes through, at the latest; 0 for now.
    package func wait(now: Int64) -> Int64 {
        switch state {
        case .closed: 0
        case .open(let end), .halfOpen(let end): max(end.subtracting(saturating: now), 0)
        }
    }

    /// As the last try left it: one that has been open for its time is still open.
    package var lastState: BreakerState {
        switch state {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// Whether it says no more than a new one would: it need not be kept then.
    package mutating func isIdle(now: Int64) -> Bool {
        window.advance(now)
        return isClosed && window.tries == 0 && unreachable == 0
    }

    package mutating func info(of origin: String, now: Int64) -> BreakerInfo {
        window.advance(now)
        let state: BreakerState =
            switch self.state {
            case .closed: .closed
            case .open(let end): end > now ? .open : .halfOpen
            case .halfOpen: .halfOpen
            }
        return BreakerInfo(
            origin: origin, state: state, tries: window.tries, failures: window.failures,
            wait: .milliseconds(wait(now: now)), openings: openings, refusals: refusals)
    }
}

extension BreakerPolicy {
    fileprivate var failurePercent: Int { Int((failureRatio * 100).rounded()) }
}

/// The breakers of a client, by origin. It forgets those that say nothing when there are many, and keeps a bounded number.
package struct Breakers {
    private var breakers: [String: Breaker] = [:]
    private var policy: BreakerPolicy?
    /// From so many on, idle ones are looked for.
    private var sweepAt = Self.few
    private static let few = 256
    package static let most = 8192

    package init() {}

    package var count: Int { breakers.count }

    /// Decides about a try that is about to begin. Another policy begins anew.
    package mutating func admit(
        _ origin: String, _ policy: BreakerPolicy, now: Int64, attemptTimeout: Int64?
    ) -> Breaker.Verdict {
        if self.policy != policy { clear(policy) }
        if breakers.count >= sweepAt { sweep(now) }
        return breakers[origin, default: Breaker(policy, now: now)].admit(now: now, attemptTimeout: attemptTimeout)
    }

    package mutating func record(
        _ origin: String, _ permit: Breaker.Permit, _ health: TryHealth, now: Int64, random: Double
    ) {
        breakers[origin]?.record(permit, health, now: now, random: random)
    }

    /// Milliseconds until a try goes through, at the latest.
    package func wait(_ origin: String, now: Int64) -> Int64 { breakers[origin]?.wait(now: now) ?? 0 }

    /// As its last try left it.
    package func state(_ origin: String) -> BreakerState { breakers[origin]?.lastState ?? .closed }

    package mutating func infos(now: Int64) -> [BreakerInfo] {
        breakers.keys.sorted().compactMap { breakers[$0]?.info(of: $0, now: now) }
    }

    /// Forgets all of them.
    package mutating func clear(_ policy: BreakerPolicy?) {
        breakers = [:]
        self.policy = policy
        sweepAt = Self.few
    }

    private mutating func sweep(_ now: Int64) {
        for origin in breakers.keys where breakers[origin]?.isIdle(now: now) ?? true { breakers[origin] = nil }
        // A flood of origins: closed ones first.
        if breakers.count >= Self.most {
            for origin in breakers.keys where breakers[origin]?.wait(now: now) == 0 { breakers[origin] = nil }
            for origin in breakers.keys.prefix(max(breakers.count - Self.most / 2, 0)) { breakers[origin] = nil }
        }
        sweepAt = min(max(Self.few, breakers.count * 2), Self.most)
    }
}
