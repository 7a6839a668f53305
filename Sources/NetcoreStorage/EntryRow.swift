internal import NetcoreSupport

/// Where a body is, and what it must be.
struct BodyReference: Equatable {
    /// The checksum of the bytes as stored.
    var sum: Int64
    /// In bytes, unpacked and as stored.
    var size: Int64
    var storedSize: Int64
    var coding: Int64
    /// The name of its file; nil when it is in the database.
    var file: String?

    /// Bodies of up to so many bytes are in the entry's row: one descent finds all.
    static let mostInRow: Int64 = 1024

    var isInRow: Bool { file == nil && storedSize <= Self.mostInRow }
}

/// One row of `entry`, without the bodies of the table or of a file.
struct EntryRow {
    var id: Int64
    /// The checksum as stored.
    var sum: Int64
    /// Its body is empty.
    var record: StoredRecord
    var body: BodyReference
    /// The body as stored, if it is in the row.
    var data = noBytes
    /// In bytes, as counted against the limit.
    var size: Int64
    var used: Int64
    var hits: Int64
    /// Whether all its texts are UTF-8, as a store writes them. One that is not is empty here.
    let hasValidTexts: Bool

    static let columns = """
        id, sum, identity, sent, wall, uptime, boot, fresh, size, used, hits, body_sum, body_size, stored_size, \
        coding, key, variant, url, tag, scope, file, head, data
        """
    static let keyColumn: Int32 = 15
    private static let headColumn: Int32 = 21
    private static let dataColumn: Int32 = 22
    static let noBytes = ByteBuffer()
    /// What an entry takes in addition to its bytes: numbers, indexes, unused space in pages.
    static let overhead: Int64 = 256

    /// Reads a row of ``columns``; its head and data only where they are wanted. Nil when memory ran out.
    init?(_ row: SQLiteStatement, key: StoreKey? = nil, withBytes: Bool = true) {
        guard let head = withBytes ? ByteBuffer(copying: row.bytes(Self.headColumn)) : Self.noBytes else { return nil }
        if withBytes, !row.isNull(Self.dataColumn) {
            guard let copy = ByteBuffer(copying: row.bytes(Self.dataColumn)) else { return nil }
            data = copy
        }
        id = row.integer(0)
        sum = row.integer(1)
        size = row.integer(8)
        used = row.integer(9)
        hits = row.integer(10)
        var texts = Texts(row)
        body = BodyReference(
            sum: row.integer(11), size: row.integer(12), storedSize: row.integer(13), coding: row.integer(14),
            file: row.isNull(20) ? nil : texts.read(20))
        let storedAt = Timestamp(
            wall: row.integer(4), uptime: row.integer(5), boot: UInt64(bitPattern: row.integer(6)))
        record = StoredRecord(
            key: key ?? StoreKey(texts.read(Self.keyColumn)), variant: texts.read(16), url: texts.read(17),
            tag: texts.read(18), scope: texts.read(19), order: row.integer(3), storedAt: storedAt,
            freshUntil: row.integer(7), head: head, body: .memory(Self.noBytes),
            identity: UInt64(bitPattern: row.integer(2)))
        hasValidTexts = texts.areValid
    }

    /// Reads the texts of a row, and notes if one of them is not UTF-8.
    private struct Texts {
        let row: SQLiteStatement
        private(set) var areValid = true

        init(_ row: SQLiteStatement) { self.row = row }

        mutating func read(_ column: Int32) -> String {
            guard let text = row.text(column) else {
                areValid = false
                return ""
            }
            return text
        }
    }

    init(id: Int64, record: StoredRecord, body: PreparedBody) {
        self.id = id
        self.record = record
        self.body = body.reference
        data = body.bytes
        sum = 0
        size = 0
        used = 0
        hits = 0
        hasValidTexts = true
        seal()
    }

    /// Sets checksum and size after a change.
    mutating func seal() {
        sum = checksum
        let texts = [record.key.text, record.variant, record.url, record.tag, record.scope]
        let bytes = texts.reduce(Int64(record.head.count)) { $0 + Int64($1.utf8.count) }
        let block: Int64 = 4096
        let stored = body.file == nil ? body.storedSize : (body.storedSize + block - 1) / block * block
        size = bytes + stored + Self.overhead
    }

    /// Over all that is served: what it says about the body covers the body. Not over use and hits, which change.
    var checksum: Int64 {
        var sum = Checksum()
        for text in [record.key.text, record.variant, record.url, record.tag, record.scope, body.file ?? ""] {
            sum.add(text)
        }
        for number in [
            Int64(bitPattern: record.identity), record.order, record.storedAt.wall, record.storedAt.uptime,
            Int64(bitPattern: record.storedAt.boot), record.freshUntil, body.sum, body.size, body.storedSize,
            body.coding, body.file == nil ? 0 : 1,
        ] {
            sum.add(number)
        }
        sum.add(record.head.bytes)
        return Int64(sum.value)
    }

    /// Whether it is as a store wrote it. Needs the head.
    var isIntact: Bool { isSound && sum == checksum }
}

extension StoreKey {
    /// The `id`s that rows of this key can have.
    var rows: ClosedRange<Int64> {
        let first = Int64(text.stableHash >> 17) << 16
        return first...(first | 0xFFFF)
    }
}
