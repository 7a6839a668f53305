internal import CSQLite
internal import NetcoreSupport

/// A connection that reads, on any thread, one at a time.
final class Reader {
    /// A row that is not what was stored.
    struct Damage {
        var id: Int64
        var sum: Int64
        var url: String

        init(_ row: EntryRow) {
            id = row.id
            sum = row.sum
            url = row.record.url
        }
    }

    /// What a look into the database came to.
    struct Outcome {
        var result = LoadResult.notFound
        /// The row that was served.
        var served: Int64?
        var damage: [Damage] = []
        /// A body's file is gone: another process replaced the entry, or the file was lost.
        var missesFile = false
    }

    /// Which opening of the database this belongs to.
    let generation: Int
    private let connection: SQLiteConnection
    private let bodies: String
    private let openBodies: OpenBodies
    private let begin, end, heads, body: SQLiteStatement
    private let inflater = Inflater()

    init(_ database: OpenDatabase) throws(SQLiteError) {
        generation = database.generation
        bodies = database.folder.bodies
        openBodies = database.bodies
        // Before it is opened: opening a pipe would wait for its other end.
        guard database.folder.databaseFile == database.file else { throw .moved }
        connection = try SQLiteConnection(database.folder.database, .reading, busyMilliseconds: 250)
        guard database.folder.databaseFile == database.file else { throw .moved }
        try connection.execute("PRAGMA cache_size=-4096")
        begin = try SQLiteStatement(connection, "BEGIN")
        end = try SQLiteStatement(connection, "COMMIT")
        heads = try SQLiteStatement(
            connection, "SELECT \(EntryRow.columns) FROM entry WHERE id BETWEEN ?1 AND ?2")
        body = try SQLiteStatement(connection, "SELECT data FROM body WHERE id = ?1")
    }

    /// Does some reading in one snapshot.
    private func inSnapshot<Result>(_ read: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try begin.run()
        do throws(SQLiteError) {
            let result = try read()
            try end.run()
            return result
        } catch {
            heads.reset()
            body.reset()
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
    }

    /// Finds an answer, among those of the database with the changes done to them.
    ///
    /// - Parameter largest: bytes of a stored body beyond which no store keeps one here, and so none is read.
    func load(
        _ key: StoreKey, _ changes: [Change], largest: Int, select: ([VariantHead]) -> Int?
    ) throws(SQLiteError) -> Outcome {
        try inSnapshot { () throws(SQLiteError) in
            var outcome = Outcome()
            var candidates = try candidates(key, &outcome)
            Overlay.apply(changes, to: &candidates)
            guard !candidates.isEmpty else {
                if !outcome.damage.isEmpty { outcome.result = .damaged }
                return outcome
            }
            guard let choice = select(candidates.map(\.variant)), candidates.indices.contains(choice) else {
                outcome.result = .notSelected
                return outcome
            }
            if let row = candidates[choice].row, row.body.storedSize > largest { return outcome }
            try finish(candidates[choice], &outcome)
            return outcome
        }
    }

    /// The intact rows of a key; the others are noted.
    private func candidates(_ key: StoreKey, _ outcome: inout Outcome) throws(SQLiteError) -> [Overlay.Candidate] {
        var found: [Overlay.Candidate] = []
        heads.bind(key.rows.lowerBound, key.rows.upperBound)
        while try heads.step() {
            guard key.text.isSame(as: heads.bytes(EntryRow.keyColumn)) else { continue }
            guard let row = EntryRow(heads, key: key) else { throw .noMemory }
            if row.isIntact {
                found.append(Overlay.Candidate(record: row.record, row: row))
            } else {
                outcome.damage.append(Damage(row))
            }
        }
        return found
    }

    /// Adds the body to the answer that was chosen.
    private func finish(_ candidate: Overlay.Candidate, _ outcome: inout Outcome) throws(SQLiteError) {
        guard let row = candidate.row else {
            outcome.result = .found(candidate.record)
            return
        }
        do throws(SQLiteError) {
            if let body = try read(row) {
                var record = candidate.record
                record.body = body
                outcome.served = row.id
                outcome.result = .found(record)
                return
            }
        } catch {
            guard row.body.file != nil, error.code == SQLITE_CANTOPEN else { throw error }
            outcome.missesFile = true
        }
        outcome.damage.append(Damage(row))
        outcome.result = .damaged
    }

    /// The body of a row, of which one in blocks is only opened; nil when it is not what was stored.
    private func read(_ row: EntryRow) throws(SQLiteError) -> StoredBody? {
        if row.body.coding == BodyCoding.blocks.rawValue {
            guard let file = row.body.file else { return nil }
            return try openBodies.open(bodies + "/" + file, of: row).map { .file($0) }
        }
        return try readWhole(row).map { .memory($0) }
    }

    private func readWhole(_ row: EntryRow) throws(SQLiteError) -> ByteBuffer? {
        let stored = row.body
        if let file = stored.file {
            let bytes = try BodyFiles.read(bodies + "/" + file, size: Int(stored.storedSize))
            return bytes.flatMap { checked($0, row) }
        }
        if stored.isInRow { return checked(row.data, row) }
        body.bind(row.id)
        defer { body.reset() }
        guard try body.step() else { return nil }
        let bytes = body.bytes(0)
        guard bytes.count == stored.storedSize, Checksum.of(bytes) == stored.sum else { return nil }
        guard stored.coding == BodyCoding.plain.rawValue else { return unpacked(bytes, row) }
        guard let copy = ByteBuffer(copying: bytes) else { throw .noMemory }
        return copy
    }

    private func checked(_ bytes: ByteBuffer, _ row: EntryRow) -> ByteBuffer? {
        guard bytes.count == row.body.storedSize, Checksum.of(bytes.bytes) == row.body.sum else { return nil }
        return row.body.coding == BodyCoding.plain.rawValue ? bytes : unpacked(bytes.bytes, row)
    }

    private func unpacked(_ bytes: UnsafeRawBufferPointer, _ row: EntryRow) -> ByteBuffer? {
        inflater.unpacked(bytes, size: Int(row.body.size))
    }

    /// A page of the list of entries, and the rows among it that no store wrote.
    func list(after position: Int64, limit: Int) throws(SQLiteError) -> (entries: [StoredEntry], damage: [Damage]) {
        let select = try SQLiteStatement(
            connection, "SELECT \(EntryRow.columns) FROM entry WHERE id > ?1 ORDER BY id")
        select.bind(position)
        var entries: [StoredEntry] = []
        var damage: [Damage] = []
        while entries.count < limit, try select.step() {
            guard let row = EntryRow(select, withBytes: false) else { throw .noMemory }
            if row.isSound { entries.append(row.entry) } else { damage.append(Damage(row)) }
        }
        return (entries, damage)
    }
}

extension String {
    func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
        utf8.count == bytes.count && utf8.elementsEqual(bytes)
    }
}

extension Overlay.Candidate {
    var variant: VariantHead {
        VariantHead(
            variant: record.variant, order: record.order, storedAt: record.storedAt, head: record.head)
    }
}

extension EntryRow {
    var entry: StoredEntry {
        StoredEntry(
            position: id, key: record.key.text, variant: record.variant, url: record.url, tag: record.tag,
            scope: record.scope, size: Int(size), bodySize: Int(body.size), storedAt: record.storedAt,
            freshUntil: record.freshUntil, hits: Int(hits))
    }
}
