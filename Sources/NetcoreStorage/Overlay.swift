internal import NetcoreSupport

/// What was asked for and is not yet in the database, in order: the queue of the storage thread, and what readers of
/// this process see on top of the database.
///
/// A change stays until it is committed. So a reader that looks here first and then into the database misses none; one
/// that it sees twice makes no difference.
struct Overlay {
    struct Pending {
        var number: Int
        var change: Change
        /// Called if anything waits for this change.
        var receipt: Receipt?
    }

    /// What came of a change. Used under the store's lock.
    final class Receipt: @unchecked Sendable {  // see above
        var isDone = false
        var isWritten = false
    }

    /// A damaged row that is going to be removed.
    private struct Discard: Hashable {
        var id: Int64
        var sum: Int64
    }

    private var queue: ContiguousArray<Pending> = []
    private var byKey: [StoreKey: [Pending]] = [:]
    private var clears: [Pending] = []
    private var discards: Set<Discard> = []
    private var lastNumber = 0
    /// The memory that all of it holds, those being written included.
    private(set) var bytes = 0
    private(set) var count = 0

    var hasQueued: Bool { !queue.isEmpty }
    var queued: Int { queue.count }

    mutating func append(_ change: Change, receipt: Receipt? = nil) {
        lastNumber += 1
        let pending = Pending(number: lastNumber, change: change, receipt: receipt)
        queue.append(pending)
        bytes += change.size
        count += 1
        if let key = change.key {
            byKey[key, default: []].append(pending)
        } else if case .clear = change {
            clears.append(pending)
        } else if case .discard(let id, let sum) = change {
            discards.insert(Discard(id: id, sum: sum))
        }
    }

    /// Takes the next changes out of the queue; readers still see them.
    mutating func take(count: Int, bytes: Int) -> [Pending] {
        var size = 0
        var taken = 0
        while taken < min(count, queue.count), size < bytes {
            size += queue[taken].change.size
            taken += 1
        }
        defer { queue.removeFirst(taken) }
        return Array(queue[..<taken])
    }

    /// What is queued will not be written soon: who waits for it is to go on.
    func endWaiting() {
        for pending in queue { pending.receipt?.isDone = true }
    }

    /// Puts changes that were taken back, before all others.
    mutating func putBack(_ changes: [Pending]) {
        queue.insert(contentsOf: changes, at: 0)
    }

    /// Drops changes that were taken: they are in the database, or never will be.
    mutating func drop(_ changes: [Pending]) {
        for pending in changes {
            bytes -= pending.change.size
            count -= 1
            if let key = pending.change.key {
                byKey[key]?.removeAll { $0.number == pending.number }
                if byKey[key]?.isEmpty == true { byKey[key] = nil }
            } else {
                clears.removeAll { $0.number == pending.number }
                if case .discard(let id, let sum) = pending.change { discards.remove(Discard(id: id, sum: sum)) }
            }
        }
    }

    /// Whether a damaged row is going to be removed.
    func isDiscarded(id: Int64, sum: Int64) -> Bool {
        discards.contains(Discard(id: id, sum: sum))
    }

    /// What is to be seen on top of the database under a key, in order.
    func changes(of key: StoreKey) -> [Change] {
        if count == 0 { return [] }
        guard !clears.isEmpty else { return byKey[key]?.map(\.change) ?? [] }
        return (clears + (byKey[key] ?? [])).sorted { $0.number < $1.number }.map(\.change)
    }

    /// What readers find: a row of the database, or an answer that is still to be written.
    struct Candidate {
        var record: StoredRecord
        /// Nil when the record holds the body.
        var row: EntryRow?
    }

    /// Does to the answers of one key what the changes will do to the database.
    static func apply(_ changes: [Change], to candidates: inout [Candidate]) {
        for change in changes {
            switch change {
            case .store(let record, _):
                let place = candidates.firstIndex { $0.record.variant.isSame(as: record.variant) }
                guard let place else {
                    candidates.append(Candidate(record: record))
                    continue
                }
                if candidates[place].record.yields(to: record) { candidates[place] = Candidate(record: record) }
            case .updateHead(let update):
                for place in candidates.indices where candidates[place].record.accepts(update) {
                    candidates[place].record.take(update)
                }
            case .remove(_, let variant, let identity):
                candidates.removeAll { $0.record.isRemoved(variant, identity) }
            case .clear(let filter):
                candidates.removeAll { $0.record.matches(filter) }
            case .discard:
                break
            }
        }
    }
}
