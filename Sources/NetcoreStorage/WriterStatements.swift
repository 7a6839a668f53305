/// The statements of a writer, prepared once.
struct WriterStatements {
    let group, insert, updateHead, insertBody, deleteBody, delete, oldest, touch, file, damaged, readTotals,
        writeTotals: SQLiteStatement

    private static let values = Array(repeating: "?", count: 24).joined(separator: ", ")

    init(_ connection: SQLiteConnection) throws(SQLiteError) {
        func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement { try SQLiteStatement(connection, sql) }
        let columns = EntryRow.columns
        group = try prepare("SELECT \(columns) FROM entry WHERE id BETWEEN ?1 AND ?2")
        insert = try prepare("INSERT OR REPLACE INTO entry (\(columns), url_hash) VALUES (\(Self.values))")
        updateHead = try prepare(
            """
            UPDATE entry SET sum = ?2, sent = ?3, wall = ?4, uptime = ?5, boot = ?6, fresh = ?7, size = ?8, head = ?9
            WHERE id = ?1
            """)
        insertBody = try prepare("INSERT OR REPLACE INTO body (id, data) VALUES (?1, ?2)")
        deleteBody = try prepare("DELETE FROM body WHERE id = ?1")
        delete = try prepare("DELETE FROM entry WHERE id = ?1")
        oldest = try prepare("SELECT id, size, file FROM entry ORDER BY used LIMIT 64")
        touch = try prepare("UPDATE entry SET used = ?2, hits = hits + ?3 WHERE id = ?1")
        file = try prepare("SELECT 1 FROM entry WHERE file = ?1")
        // The sum as EntryRow reads it, whatever type of value another program put there.
        damaged = try prepare(
            "SELECT id, size, file FROM entry WHERE id = ?1 AND ifnull(CAST(sum AS INTEGER), 0) = ?2")
        readTotals = try prepare("SELECT count, bytes, clock, sum FROM totals WHERE id = 1")
        writeTotals = try prepare(
            "INSERT OR REPLACE INTO totals (id, count, bytes, clock, sum) VALUES (1, ?1, ?2, ?3, ?4)")
    }
}
