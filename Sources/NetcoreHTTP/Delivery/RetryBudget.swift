internal import NetcoreSupport

/// How many retries an origin gets: a store of tokens that retries draw from, and that successes and time fill again. An origin that
/// fails for everybody is so asked for at most a fifth more than without retries. A pure state machine; the clock is handed in.
package struct RetryBudget: Sendable {
    private let figures: RetryPolicy.Budget
    /// In thousandths of a token.
    private var balance: Int64
    /// When time last filled it, in milliseconds.
    private var filledAt: Int64

    package init(_ figures: RetryPolicy.Budget, now: Int64) {
        self.figures = figures
        balance = figures.capacityInThousandths
        filledAt = now
    }

    /// A task that ended with an answer that is no failure.
    package mutating func succeeded(now: Int64) {
        fill(now: now)
        add(figures.perSuccessInThousandths)
    }

    /// Draws the token of a retry. Returns false where there is none; such a retry does not take place.
    package mutating func draw(now: Int64) -> Bool {
        fill(now: now)
        guard balance >= Self.token else { return false }
        balance -= Self.token
        return true
    }

    /// Takes back the token of a retry that did not take place.
    package mutating func giveBack() { add(Self.token) }

    /// Whole tokens at this time.
    package mutating func tokens(now: Int64) -> Int64 {
        fill(now: now)
        return balance / Self.token
    }

    /// Whether it says no more than a new one would: it need not be kept then.
    package mutating func isFull(now: Int64) -> Bool {
        fill(now: now)
        return balance == figures.capacityInThousandths
    }

    private static let token: Int64 = 1000

    private mutating func fill(now: Int64) {
        guard now > filledAt else { return }
        // A token a second is a thousandth a millisecond.
        add(now.subtracting(saturating: filledAt).multiplied(saturating: Int64(figures.perSecond)))
        filledAt = now
    }

    private mutating func add(_ thousandths: Int64) {
        balance = min(balance.adding(saturating: thousandths), figures.capacityInThousandths)
    }
}

extension RetryPolicy.Budget {
    fileprivate var capacityInThousandths: Int64 { Int64(tokens) * 1000 }
    fileprivate var perSuccessInThousandths: Int64 { Int64((perSuccess * 1000).rounded()) }
}

/// The budgets of retries, by origin and figures. It forgets those that are full when there are many, and keeps a bounded number.
package struct RetryBudgets {
    private struct Key: Hashable {
        let origin: String
        let figures: RetryPolicy.Budget
    }

    private var budgets: [Key: RetryBudget] = [:]
    /// From so many on, full ones are looked for.
    private var sweepAt = Self.few
    private static let few = 256
    /// Beyond it, those with the most tokens go.
    package static let most = 8192

    package init() {}

    /// How many are kept.
    package var count: Int { budgets.count }

    /// Draws the token of a retry. Returns whether it may take place; always without figures.
    package mutating func draw(for origin: String, _ figures: RetryPolicy.Budget?, now: Int64) -> Bool {
        guard let figures else { return true }
        sweep(now)
        return budgets[Key(origin: origin, figures: figures), default: RetryBudget(figures, now: now)].draw(now: now)
    }

    /// A retry that drew a token did not take place.
    package mutating func giveBack(to origin: String, _ figures: RetryPolicy.Budget?) {
        guard let figures else { return }
        budgets[Key(origin: origin, figures: figures)]?.giveBack()
    }

    /// A task ended with an answer that is no failure. A budget without a retry is full already.
    package mutating func noteSuccess(of origin: String, _ figures: RetryPolicy.Budget?, now: Int64) {
        guard !budgets.isEmpty, let figures else { return }
        budgets[Key(origin: origin, figures: figures)]?.succeeded(now: now)
    }

    /// Those that are not full, sorted by origin.
    package mutating func infos(now: Int64) -> [RetryBudgetInfo] {
        var found: [RetryBudgetInfo] = []
        for (key, budget) in budgets {
            var budget = budget
            guard !budget.isFull(now: now) else { continue }
            found.append(
                RetryBudgetInfo(
                    origin: key.origin, tokens: Int(budget.tokens(now: now)), capacity: key.figures.tokens))
        }
        return found.sorted { ($0.origin, $0.capacity) < ($1.origin, $1.capacity) }
    }

    private mutating func sweep(_ now: Int64) {
        guard budgets.count >= sweepAt else { return }
        for key in budgets.keys where budgets[key]?.isFull(now: now) ?? true { budgets[key] = nil }
        if budgets.count >= Self.most { thin(now) }
        sweepAt = min(max(Self.few, budgets.count * 2), Self.most)
    }

    /// Drops half of them: first those that have more tokens than the others.
    private mutating func thin(_ now: Int64) {
        var sum: Int64 = 0
        for key in budgets.keys { sum += budgets[key]?.tokens(now: now) ?? 0 }
        let mean = sum / Int64(budgets.count)
        for key in budgets.keys where budgets[key]?.tokens(now: now) ?? 0 > mean { budgets[key] = nil }
        for key in budgets.keys.prefix(max(budgets.count - Self.most / 2, 0)) { budgets[key] = nil }
    }
}

/// The budget of retries of an origin, as it was when it was asked for.
public struct RetryBudgetInfo: Sendable, Hashable {
    /// Scheme, host and port.
    public let origin: String
    /// Whole tokens.
    public let tokens: Int
    /// Tokens at most.
    public let capacity: Int
}
