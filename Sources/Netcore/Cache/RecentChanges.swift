internal import NetcoreStorage
internal import NetcoreSupport

/// What was removed from a cache lately, and what was stored: so that an answer that was on its way meanwhile, from the
/// origin or from the disk, brings nothing back that is gone, and puts nothing old in the place of what is new.
///
/// What is stored now is not enough to tell: it may have been removed, or evicted, since.
struct RecentChanges {
    /// A moment in the order of changes, and those after it that count for nothing.
    struct Mark: Sendable {
        fileprivate var number = 0
        /// What the answer itself removed when it came.
        var own: [Int] = []
    }

    enum Removal {
        case filter(Cache.Filter)
        case key(StoreKey)
        case answer(StoreKey, VariantName)

        func concerns(_ answer: CachedAnswer) -> Bool {
            switch self {
            case .filter(let filter): filter.matches(answer)
            case .key(let key): key == answer.key
            case .answer(let key, let name): key == answer.key && name == answer.name
            }
        }
    }

    /// Who comes late by more removals than this brings nothing back at all.
    private static let mostRemovals = 1024
    /// Of the answers stored lately, so many at least are known.
    private static let mostStored = 256

    private var number = 0
    private var removals: ContiguousArray<(number: Int, what: Removal)> = []
    /// The last removal that is not in the list any more.
    private var dropped = 0
    private var stored: ContiguousArray<(number: Int, place: Int, requestTime: Timestamp)> = []

    var mark: Mark { Mark(number: number) }

    /// Returns its number.
    @discardableResult
    mutating func note(_ removal: Removal) -> Int {
        number += 1
        removals.append((number, removal))
        if removals.count > 2 * Self.mostRemovals {
            dropped = removals[Self.mostRemovals - 1].number
            removals.removeFirst(Self.mostRemovals)
        }
        return number
    }

    mutating func noteStored(_ answer: CachedAnswer) {
        number += 1
        stored.append((number, Self.place(answer), answer.variant.head.requestTime))
        if stored.count > 2 * Self.mostStored { stored.removeFirst(Self.mostStored) }
    }

    /// Whether an answer that was asked for at that moment, or read from disk, comes too late to be stored.
    func outdate(_ answer: CachedAnswer, since mark: Mark, now: Timestamp) -> Bool {
        guard number > mark.number else { return false }
        guard mark.number >= dropped else { return true }
        for removal in removals.reversed().prefix(while: { $0.number > mark.number })
        where !mark.own.contains(removal.number) && removal.what.concerns(answer) {
            return true
        }
        let place = Self.place(answer)
        return stored.reversed().prefix { $0.number > mark.number }
            .contains { $0.place == place && answer.isOlder(than: $0.requestTime, now: now) }
    }

    /// A hash: to take another place for it merely leaves an answer unstored.
    private static func place(_ answer: CachedAnswer) -> Int {
        var hasher = Hasher()
        hasher.combine(answer.key)
        hasher.combine(answer.name)
        return hasher.finalize()
    }
}
