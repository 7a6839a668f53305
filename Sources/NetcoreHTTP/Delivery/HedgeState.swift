internal import NetcoreSupport

/// When hedges of requests to one server are due, and how many there may be: a pure state machine. The clock is handed in, in
/// milliseconds.
package struct HedgeState: Sendable {
    package let policy: HedgePolicy
    private var latencies: LatencyWindow
    /// In thousandths of a token.
    private var balance: Int
    private var knownDelay: Int64
    private var refreshAt: Int64

    package init(_ policy: HedgePolicy, now: Int64) {
        self.policy = policy
        latencies = LatencyWindow(length: policy.window.milliseconds, buckets: policy.buckets, now: now)
        balance = policy.budget.tokens * Self.token
        knownDelay = policy.initialDelay.milliseconds
        refreshAt = now.adding(saturating: policy.refresh.milliseconds)
    }

    /// Milliseconds after which a try that began now gets a hedge.
    package mutating func delay(now: Int64) -> Int64 {
        guard now >= refreshAt else { return knownDelay }
        refreshAt = now.adding(saturating: policy.refresh.milliseconds)
        latencies.advance(now)
        knownDelay =
            latencies.count < policy.minimumSamples
            ? policy.initialDelay.milliseconds
            : max(Int64((latencies.percentile(policy.percentile) + 999) / 1000), policy.minimumDelay.milliseconds)
        return knownDelay
    }

    /// Takes in how long a try took that was answered, or at least took until it was canceled for its hedge.
    package mutating func note(microseconds: Int, now: Int64) { latencies.add(microseconds: microseconds, now: now) }

    /// A request ended with an answer that is no failure.
    package mutating func succeeded() {
        balance = min(
            balance + Int((policy.budget.perSuccess * Double(Self.token)).rounded()), policy.budget.tokens * Self.token)
    }

    /// Draws the token of a hedge. Returns false where there is none; such a hedge is not sent.
    package mutating func draw() -> Bool {
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// Whether it says no more than a new one would: it need not be kept then.
    package mutating func isIdle(now: Int64) -> Bool {
        latencies.advance(now)
        return latencies.count == 0 && balance == policy.budget.tokens * Self.token
    }

    private static let token = 1000
}

/// What is known of each server, by origin and figures. It forgets those that say nothing when there are many, and keeps a bounded
/// number.
package struct HedgeStates {
    /// Of one origin mostly one: requests may have figures of their own.
    private var states: [String: [HedgeState]] = [:]
    /// From so many origins on, idle ones are looked for.
    private var sweepAt = Self.few
    private static let few = 64
    package static let most = 1024
    private static let mostFigures = 8

    package init() {}

    /// How many origins are kept.
    package var count: Int { states.count }

    package mutating func with<Result>(
        _ origin: String, _ policy: HedgePolicy, now: Int64, _ body: (inout HedgeState) -> Result
    ) -> Result {
        if states.count >= sweepAt { sweep(now) }
        return Self.with(&states[origin, default: []], policy, now, body)
    }

    private static func with<Result>(
        _ some: inout [HedgeState], _ policy: HedgePolicy, _ now: Int64, _ body: (inout HedgeState) -> Result
    ) -> Result {
        if let index = some.firstIndex(where: { $0.policy == policy }) { return body(&some[index]) }
        if some.count >= mostFigures { some.removeFirst() }
        some.append(HedgeState(policy, now: now))
        return body(&some[some.count - 1])
    }

    private mutating func sweep(_ now: Int64) {
        for origin in states.keys where isIdle(origin, now) { states[origin] = nil }
        for origin in states.keys.prefix(states.count >= Self.most ? Self.most / 2 : 0) { states[origin] = nil }
        sweepAt = min(max(Self.few, states.count * 2), Self.most)
    }

    private mutating func isIdle(_ origin: String, _ now: Int64) -> Bool {
        guard let count = states[origin]?.count else { return true }
        return (0..<count).allSatisfy { states[origin]?[$0].isIdle(now: now) ?? true }
    }
}
