internal import NetcoreSupport

/// Which of the requests that wait goes first: those of a higher priority, whatever the host; among those of one, hosts take turns. One
/// that has waited for long takes part in the turns of the highest. By HTTP/2 a higher one also asks for a larger share of the
/// connection.
public enum Priority: Int32, Sendable, CaseIterable {
    case low = -1
    case `default` = 0
    case high = 1

    /// 0 for the highest.
    var level: Int { Int(1 - rawValue) }
}

/// What waits in lines.
protocol LineItem: AnyObject {
    /// Kept by the lines.
    var ticket: LineTicket { get set }
    var priority: Priority { get }
    /// No longer wants its turn, which is passed over.
    var hasGivenUp: Bool { get }
}

/// Which of its places in lines is the valid one.
struct LineTicket {
    fileprivate var number = 0
    fileprivate(set) var isInLine = false
}

/// A line in which priorities age: a pure state machine. Times are in microseconds.
///
/// Higher priorities go first, and those of one in the order of their coming. One that has waited ``aging`` for each step between its
/// priority and the highest is *due*; at least one of ``share`` that go is the one that is due for the longest time. So none waits for
/// ever, whatever comes after it, and a long line of what is not urgent does not hold up what is.
struct PriorityLine<Item: LineItem> {
    private struct Entry {
        let item: Item
        let ticket: Int
        /// When it is due.
        let rank: Int

        var isLive: Bool { item.ticket.isInLine && item.ticket.number == ticket }
    }

    static var aging: Int { 10_000_000 }
    static var share: Int { 4 }

    private var levels = [FIFO<Entry>(), FIFO<Entry>(), FIFO<Entry>()]
    private(set) var count = 0
    /// How many went since one that was due for the longest time.
    private var others = 0

    /// - Parameters:
    ///   - time: when it began to wait; it goes before those of its priority that began later.
    ///   - isFirst: it also goes before those that began at the same time.
    mutating func add(_ item: Item, since time: Int, isFirst: Bool = false) {
        item.ticket.number += 1
        item.ticket.isInLine = true
        count += 1
        let level = item.priority.level
        let entry = Entry(item: item, ticket: item.ticket.number, rank: time.adding(saturating: level * Self.aging))
        levels[level].insert(entry) { isFirst ? $0.rank < entry.rank : $0.rank <= entry.rank }
    }

    /// When the first of them is due; nil where none waits.
    mutating func nextDue() -> Int? { longestDue().map(\.rank) }

    /// The level of the highest priority in it; nil where none waits.
    mutating func highestLevel() -> Int? {
        longestDue() == nil ? nil : levels.firstIndex { !$0.isEmpty }
    }

    mutating func popFirst(now: Int) -> Item? {
        guard let due = longestDue(), let highest = levels.firstIndex(where: { !$0.isEmpty }) else { return nil }
        let isItsTurn = due.rank <= now && others >= Self.share - 1
        let level = isItsTurn ? due.level : highest
        others = level == due.level ? 0 : others + 1
        guard let item = levels[level].popFirst()?.item else { return nil }
        item.ticket.isInLine = false
        count -= 1
        return item
    }

    /// One that is in this line leaves it.
    mutating func remove(_ item: Item) {
        item.ticket.isInLine = false
        count -= 1
        // Those that left hold memory until their turn; not more than the others do.
        for level in levels.indices where levels[level].count > 64 && count < levels[level].count / 2 {
            levels[level].removeAll { !$0.isLive }
        }
    }

    /// Drops those that left from the heads of the levels.
    private mutating func longestDue() -> (level: Int, rank: Int)? {
        var best: (level: Int, rank: Int)?
        for level in levels.indices {
            while let entry = levels[level].first, !entry.isLive { _ = levels[level].popFirst() }
            if let rank = levels[level].first?.rank, rank < best?.rank ?? .max { best = (level, rank) }
        }
        return best
    }
}
