internal import NetcoreSupport

/// When requests may be sent next, by a digest of what makes them equal: a pure state machine; the clock is handed in, in microseconds.
///
/// An entry takes about 50 bytes and is not looked for when its time is over: entries of similar intervals are in two generations, of
/// which the older one is dropped in one piece.
package struct IntervalTable {
    package typealias Key = RequestKey

    /// Entries whose intervals are at most the width, and more than half of it.
    private struct Generations {
        var newer: [Key: Int] = [:]
        var older: [Key: Int] = [:]
        var turn: Int
    }

    /// By their widths.
    private var all: [Int: Generations] = [:]
    /// About a second.
    private static let leastWidth = 1 << 20

    package init() {}

    package var count: Int { all.values.reduce(0) { $0 + $1.newer.count + $1.older.count } }

    /// When ``clean(now:)`` has something to drop; nil for never.
    package var nextCleaning: Int? { all.values.map(\.turn).min() }

    /// When a request with this key may be sent; nil for now.
    package func due(_ key: Key, now: Int) -> Int? {
        var found = now
        for generations in all.values {
            found = max(found, generations.newer[key] ?? now, generations.older[key] ?? now)
        }
        return found > now ? found : nil
    }

    /// A request is sent at this time, or will be: the next one may be an interval after it.
    ///
    /// - Parameters:
    ///   - time: now, or when it is due.
    ///   - interval: at least 1.
    package mutating func note(_ key: Key, at time: Int, interval: Int, now: Int) {
        clean(now: now)
        let end = time.adding(saturating: interval)
        // It is kept for as long as it may be looked for.
        let width = Self.width(of: end - now)
        var generations = all.removeValue(forKey: width) ?? Generations(turn: now + width)
        generations.older[key] = nil
        generations.newer[key] = end
        all[width] = generations
    }

    /// A request that was due will not be sent: those after it keep their times, and the next one takes its place if it was the last.
    package mutating func takeBack(_ key: Key, at time: Int, interval: Int) {
        for width in Array(all.keys) {
            if all[width]?.newer[key] == time + interval { all[width]?.newer[key] = time }
            if all[width]?.older[key] == time + interval { all[width]?.older[key] = time }
        }
    }

    /// Drops generations whose entries are over.
    package mutating func clean(now: Int) {
        for (width, generations) in all where generations.turn <= now {
            let isOver = now - generations.turn >= width || generations.newer.isEmpty
            all[width] = isOver ? nil : Generations(older: generations.newer, turn: now + width)
        }
    }

    private static func width(of interval: Int) -> Int {
        var width = leastWidth
        while width < interval { width *= 2 }
        return width
    }
}
