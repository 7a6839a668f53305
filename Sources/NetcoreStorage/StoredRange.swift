package import NetcoreSupport

/// What the numbers of a stored answer may be. Whoever may write the folder may write any number into it, with a
/// checksum that is right; one outside of these ranges was not written by a store, and its row is damaged.
///
/// Sums and differences of a few numbers of these ranges fit in 64 bits.
package enum StoredRange {
    /// Of the wall clock, in milliseconds: 285,000 years before and after 1970.
    package static let wall: ClosedRange<Int64> = -(1 << 53)...(1 << 53)
    /// Of the clock of a boot, in milliseconds.
    package static let uptime: ClosedRange<Int64> = 0...(1 << 53)
    /// A wall time and the longest lifetime.
    static let fresh: ClosedRange<Int64> = -(1 << 54)...(1 << 54)
    /// Bytes of one answer, or of its body.
    static let size: ClosedRange<Int64> = 0...(1 << 48)
    /// Bytes of all answers, or their number.
    static let total: ClosedRange<Int64> = 0...(1 << 56)
    /// Uses in all, by the clock that orders evictions.
    static let clock: ClosedRange<Int64> = 0...(1 << 62)
    /// Those of final answers.
    package static let status: ClosedRange<Int64> = 200...599

    package static func contains(_ time: Timestamp) -> Bool {
        wall.contains(time.wall) && uptime.contains(time.uptime)
    }
}

extension EntryRow {
    /// Whether all texts are UTF-8, all numbers that are counted with are in their ranges, and the file's name is one
    /// that a store gives. Not `used` and `hits`: they are only compared and shown.
    var isSound: Bool {
        hasValidTexts && StoredRange.wall.contains(record.order) && StoredRange.contains(record.storedAt)
            && StoredRange.fresh.contains(record.freshUntil) && StoredRange.size.contains(size) && body.isSound
    }
}

extension BodyReference {
    /// Deflate makes no more than so many bytes of one.
    private static let mostInflation: Int64 = 1032

    fileprivate var isSound: Bool {
        guard StoredRange.size.contains(storedSize), file.map(BodyFiles.isName) ?? true else { return false }
        switch BodyCoding(rawValue: coding) {
        case .plain: return size == storedSize
        case .zlib: return size >= 0 && size / Self.mostInflation <= storedSize
        case .blocks:
            guard file != nil, StoredRange.size.contains(size) else { return false }
            let blocks = storedSize - Int64(BlockTable.size(ofBody: Int(size)))
            return blocks <= size && blocks >= size / Self.mostInflation
        case nil: return false
        }
    }
}

/// What is needed of a row to remove it.
struct RowPlace {
    let id: Int64
    /// As counted; a number that no row can have counts as the nearest one.
    let size: Int64
    /// The name of its body's file; nil for one that no store gives, so that nothing else is removed.
    let file: String?

    init(id: Int64, size: Int64, file: String?) {
        self.id = id
        self.size = min(max(size, StoredRange.size.lowerBound), StoredRange.size.upperBound)
        self.file = file.flatMap { BodyFiles.isName($0) ? $0 : nil }
    }

    /// Reads a row that begins with `id, size, file`.
    init(_ row: SQLiteStatement) {
        self.init(id: row.integer(0), size: row.integer(1), file: row.isNull(2) ? nil : row.text(2))
    }
}

extension EntryRow {
    var place: RowPlace { RowPlace(id: id, size: size, file: body.file) }
}
