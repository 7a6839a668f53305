internal import NetcoreSupport

/// What waits in a line.
protocol LineItem: AnyObject {
    /// Kept by the line: which of its places in lines is the valid one; 0 for none.
    var ticket: Int { get set }
    var priority: Priority { get }
}

/// A line in which priorities age: who has waited ``aging`` for each step between two priorities goes before newcomers of the higher one.
/// So none waits for ever, whatever comes after it.
struct PriorityLine<Item: LineItem> {
    private struct Entry {
        let item: Item
        let ticket: Int
        /// When it came, or for a lower priority so much later as it gives way to newcomers.
        let rank: Int

        var isLive: Bool { item.ticket == ticket }
    }

    /// Microseconds that a priority waits to be as good as the next one.
    static var aging: Int { 10_000_000 }

    private var levels = [FIFO<Entry>(), FIFO<Entry>(), FIFO<Entry>()]
    private(set) var count = 0

    /// - Parameters:
    ///   - ticket: a number that no other place in a line has or had.
    ///   - time: when it came, in microseconds.
    mutating func append(_ item: Item, ticket: Int, at time: Int) {
        let level = Int(1 - item.priority.rawValue)
        item.ticket = ticket
        count += 1
        levels[level].append(Entry(item: item, ticket: ticket, rank: time.adding(saturating: level * Self.aging)))
    }

    /// The next one; it stays in the line.
    mutating func first() -> Item? { bestLevel().flatMap { levels[$0].first?.item } }

    mutating func popFirst() -> Item? {
        guard let level = bestLevel(), let entry = levels[level].popFirst() else { return nil }
        entry.item.ticket = 0
        count -= 1
        return entry.item
    }

    /// One that is in this line leaves it.
    mutating func remove(_ item: Item) {
        item.ticket = 0
        count -= 1
        // Those that left hold memory until their turn; not more than the others do.
        for level in levels.indices where levels[level].count > 64 && count < levels[level].count / 2 {
            levels[level].removeAll { !$0.isLive }
        }
    }

    private mutating func bestLevel() -> Int? {
        var best: (level: Int, rank: Int)?
        for level in levels.indices {
            while let entry = levels[level].first, !entry.isLive { _ = levels[level].popFirst() }
            if let rank = levels[level].first?.rank, rank < best?.rank ?? .max { best = (level, rank) }
        }
        return best?.level
    }
}
