internal import NetcoreSupport

/// The storage thread's connection: does changes, many in one transaction.
final class Writer {
    /// What a transaction did besides.
    struct Outcome {
        /// Files that no row refers to any more; to be removed after the commit.
        var dropped: [String] = []
        var evictions = 0
        var totals = Totals()
    }

    let connection: SQLiteConnection
    /// Which file it has open.
    let file: UInt64
    let statements: WriterStatements
    // Of the transaction that runs.
    var outcome = Outcome()

    init(_ connection: SQLiteConnection, file: UInt64) throws(SQLiteError) {
        self.connection = connection
        self.file = file
        statements = try WriterStatements(connection)
        outcome.totals = try Totals.read(connection, statements.readTotals)
    }

    /// Does the changes, notes the uses, and evicts until the limits are kept.
    func commit(
        _ changes: [PreparedChange], touches: [Int64: Int64], limits: DiskLimits
    ) throws(SQLiteError) -> Outcome {
        outcome = Outcome()
        do throws(SQLiteError) {
            try connection.execute("BEGIN IMMEDIATE")
            outcome.totals = try Totals.read(connection, statements.readTotals)
            try restartClock()
            for (id, hits) in touches { try touch(id, hits) }
            for change in changes { try apply(change, limits) }
            try evict(limits)
            try outcome.totals.write(statements.writeTotals)
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try? connection.execute("ROLLBACK") }
            throw error
        }
        return outcome
    }

    /// Where others set the clock beyond what counting comes to, all entries are equally old from now on.
    private func restartClock() throws(SQLiteError) {
        guard outcome.totals.clock > StoredRange.clock.upperBound else { return }
        try connection.execute("UPDATE entry SET used = 0")
        outcome.totals.clock = 0
    }

    private func touch(_ id: Int64, _ hits: Int64) throws(SQLiteError) {
        statements.touch.bind(id, outcome.totals.tick(), hits)
        try statements.touch.run()
    }

    private func apply(_ prepared: PreparedChange, _ limits: DiskLimits) throws(SQLiteError) {
        switch prepared.change {
        case .store(let record, _):
            if let body = prepared.body { try store(record, body, limits) }
        case .updateHead(let update):
            // A row that is not as it was written gets no checksum that says so.
            for var row in try rows(of: update.key, withBytes: true) where row.record.accepts(update) && row.isIntact {
                outcome.totals.remove(row.size)
                row.record.take(update)
                row.seal()
                try updateHead(row)
            }
        case .remove(let key, let variant, let identity):
            for row in try rows(of: key) where row.record.isRemoved(variant, identity) { try delete(row.place) }
        case .clear(let filter):
            try clear(filter)
        case .discard(let id, let sum):
            try discard(id, sum)
        }
    }

    /// The rows of a key, as of ``group(of:withBytes:)``.
    func rows(of key: StoreKey, withBytes: Bool = false) throws(SQLiteError) -> [EntryRow] {
        try group(of: key, withBytes: withBytes).filter { $0.record.key == key }
    }

    /// The rows of a key and of those that share its range of numbers, without their heads unless these are wanted.
    /// Those that no store wrote are removed.
    func group(of key: StoreKey, withBytes: Bool = false) throws(SQLiteError) -> [EntryRow] {
        let select = statements.group
        select.bind(key.rows.lowerBound, key.rows.upperBound)
        defer { select.reset() }
        var rows: [EntryRow] = []
        var damaged: [RowPlace] = []
        while try select.step() {
            guard let row = EntryRow(select, withBytes: withBytes) else { throw .noMemory }
            if row.isSound { rows.append(row) } else { damaged.append(row.place) }
        }
        for row in damaged { try deleteDamaged(row) }
        return rows
    }

    /// Whether a row refers to a body file of that name.
    func isUsed(_ file: String) throws(SQLiteError) -> Bool {
        statements.file.bind(1, file)
        defer { statements.file.reset() }
        return try statements.file.step()
    }
}
