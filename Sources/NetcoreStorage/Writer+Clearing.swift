/// Clearing by what entries have in common, and giving free space back.
extension Writer {
    func clear(_ filter: ClearFilter) throws(SQLiteError) {
        switch filter {
        case .all: try clearAll()
        case .url(let url):
            try clear("url_hash = ?1 AND url = ?2", Int64(bitPattern: url.stableHash), url)
        case .urlPrefix(let prefix):
            try clear("substr(CAST(url AS BLOB), 1, ?1) = CAST(?2 AS BLOB)", Int64(prefix.utf8.count), prefix)
        case .tag(let tag):
            let separator = Int64(TagList.separator)
            try clear("instr(char(?1) || tag || char(?1), char(?1) || ?2 || char(?1)) > 0", separator, tag)
        case .scope(let scope): try clear("?1 = 0 AND scope = ?2", 0, scope)
        }
    }

    private func clear(_ condition: String, _ number: Int64, _ text: String) throws(SQLiteError) {
        let select = try SQLiteStatement(connection, "SELECT id, size, file FROM entry WHERE \(condition)")
        select.bind(1, number)
        select.bind(2, text)
        var rows: [RowPlace] = []
        while try select.step() { rows.append(RowPlace(select)) }
        for row in rows { try delete(row) }
    }

    /// Without a condition SQLite drops the tables' pages as a whole.
    private func clearAll() throws(SQLiteError) {
        let rows = try SQLiteStatement(connection, "SELECT id, size, file FROM entry WHERE file IS NOT NULL")
        while try rows.step() {
            if let file = RowPlace(rows).file { outcome.dropped.append(file) }
        }
        try connection.execute("DELETE FROM entry; DELETE FROM body;")
        outcome.totals.count = 0
        outcome.totals.bytes = 0
    }

    /// Gives free pages back to the file system where they are more than a quarter, some at a time. Returns whether
    /// there may be more to give.
    func shrink() throws(SQLiteError) -> Bool {
        let free = try connection.integer("PRAGMA freelist_count")
        guard free > 1024, free > (try connection.integer("PRAGMA page_count")) / 4 else { return false }
        try connection.execute("PRAGMA incremental_vacuum(512)")
        return true
    }
}
