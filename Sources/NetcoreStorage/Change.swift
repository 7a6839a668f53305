internal import NetcoreSupport

/// What a store is asked to write.
enum Change: Sendable {
    case store(StoredRecord, packing: Bool)
    case updateHead(HeadUpdate)
    /// One variant of a key, or all; those with one body only, by its ``StoredRecord/identity``, or with any.
    case remove(StoreKey, variant: String?, identity: UInt64? = nil)
    case clear(ClearFilter)
    /// A damaged row, as it was found.
    case discard(id: Int64, sum: Int64)

    /// The key that it is about; nil when it is about many.
    var key: StoreKey? {
        switch self {
        case .store(let record, _): record.key
        case .updateHead(let update): update.key
        case .remove(let key, _, _): key
        case .clear, .discard: nil
        }
    }

    /// Whether something would be served that must not be, if this were never written.
    var isRemoval: Bool {
        switch self {
        case .store, .updateHead: false
        case .remove, .clear, .discard: true
        }
    }

    var clearsAll: Bool {
        if case .clear(.all) = self { true } else { false }
    }

    /// The memory that it holds, about.
    var size: Int {
        switch self {
        case .store(let record, _): 512 + record.head.count + (record.body.buffer?.count ?? 0)
        case .updateHead(let update): 512 + update.head.count
        case .remove, .clear, .discard: 128
        }
    }
}

extension StoredRecord {
    /// Whether another answer of the same variant takes its place. An answer of a later time than the other's storing
    /// is not newer: the wall clock was set back since.
    func yields(to other: StoredRecord) -> Bool {
        order <= other.order || order > other.storedAt.wall
    }

    func accepts(_ update: HeadUpdate) -> Bool {
        identity == update.identity && (order <= update.order || order > update.storedAt.wall)
    }

    mutating func take(_ update: HeadUpdate) {
        order = update.order
        storedAt = update.storedAt
        freshUntil = update.freshUntil
        head = update.head
    }

    /// Whether ``Change/remove(_:variant:identity:)`` removes it, if it has the key.
    func isRemoved(_ variant: String?, _ identity: UInt64?) -> Bool {
        (variant?.isSame(as: self.variant) ?? true) && identity ?? self.identity == self.identity
    }

    func matches(_ filter: ClearFilter) -> Bool {
        switch filter {
        case .all: true
        case .url(let wanted): url.isSame(as: wanted)
        case .urlPrefix(let prefix): url.utf8.starts(with: prefix.utf8)
        case .tag(let wanted): TagList.contains(tag, wanted)
        case .scope(let wanted): scope.isSame(as: wanted)
        }
    }
}
