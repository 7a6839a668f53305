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

    private func touch(_ id: Int64, _ hits: Int64) throws(SQLiteError) {
        statements.touch.bind(id, outcome.totals.tick(), hits)
        try statements.touch.run()
    }

    private func apply(_ prepared: PreparedChange, _ limits: DiskLimits) throws(SQLiteError) {
        switch prepared.change {
        case .store(let record, _):
            if let body = prepared.body { try store(record, body, limits) }
        case .updateHead(let update):
            for var row in try rows(of: update.key) where row.record.accepts(update) {
                outcome.totals.remove(row.size)
                row.record.take(update)
                row.seal()
                try updateHead(row)
            }
        case .remove(let key, let variant):
            for row in try rows(of: key) where variant?.isSame(as: row.record.variant) ?? true { try delete(row) }
        case .clear(let filter):
            try clear(filter)
        case .discard(let id, let sum):
            try discard(id, sum)
        }
    }

    /// The rows of a key, without their heads and bodies.
    func rows(of key: StoreKey) throws(SQLiteError) -> [EntryRow] {
        try group(of: key).filter { $0.record.key == key }
    }

    /// The rows of a key and of those that share its range of numbers.
    func group(of key: StoreKey) throws(SQLiteError) -> [EntryRow] {
        let select = statements.group
        select.bind(key.rows.lowerBound, key.rows.upperBound)
        defer { select.reset() }
        var rows: [EntryRow] = []
        while try select.step() {
            guard let row = EntryRow(select, withBytes: false) else { throw .noMemory }
            rows.append(row)
        }
        return rows
    }

    /// Whether a row refers to a body file of that name.
    func isUsed(_ file: String) throws(SQLiteError) -> Bool {
        statements.file.bind(1, file)
        defer { statements.file.reset() }
        return try statements.file.step()
    }
}
