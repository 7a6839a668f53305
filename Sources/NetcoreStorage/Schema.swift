internal import CSQLite

/// The tables of a store, and whose they are.
///
/// - `entry`: one row for each answer. Its `id` is 47 bits of the key's hash and 16 bits that tell the key's variants
///   apart: all of them are neighbours, found in one descent.
/// - `body`: the bodies that are too large for the row and too small for a file of their own, under the same `id`.
/// - `totals`: one row: how many entries, how many bytes, and the clock that orders them by use. It counts uses, not
///   seconds: what the wall clock does changes nothing.
enum Schema {
    /// "ncac".
    static let applicationID: Int64 = 0x6E63_6163
    static let version: Int64 = 1

    private static let tables = """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY, sum INTEGER NOT NULL, identity INTEGER NOT NULL, sent INTEGER NOT NULL,
          wall INTEGER NOT NULL, uptime INTEGER NOT NULL, boot INTEGER NOT NULL, fresh INTEGER NOT NULL,
          size INTEGER NOT NULL, used INTEGER NOT NULL, hits INTEGER NOT NULL, url_hash INTEGER NOT NULL,
          body_sum INTEGER NOT NULL, body_size INTEGER NOT NULL, stored_size INTEGER NOT NULL,
          coding INTEGER NOT NULL, key TEXT NOT NULL, variant TEXT NOT NULL, url TEXT NOT NULL, tag TEXT NOT NULL,
          scope TEXT NOT NULL, file TEXT, head BLOB NOT NULL, data BLOB);
        CREATE INDEX entry_used ON entry (used);
        CREATE INDEX entry_url ON entry (url_hash);
        CREATE INDEX entry_file ON entry (file) WHERE file IS NOT NULL;
        CREATE TABLE body (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE totals (
          id INTEGER PRIMARY KEY, count INTEGER NOT NULL, bytes INTEGER NOT NULL, clock INTEGER NOT NULL,
          sum INTEGER NOT NULL);
        """

    /// Makes the tables of a new database; throws `damaged` for one that is not ours, or of another version.
    static func prepare(_ connection: SQLiteConnection) throws(SQLiteError) {
        if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0,
            try connection.integer("PRAGMA application_id") == 0, try connection.integer("PRAGMA user_version") == 0
        {
            try create(connection)
        }
        guard try connection.integer("PRAGMA application_id") == applicationID else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "the database is another application's")
        }
        let found = try connection.integer("PRAGMA user_version")
        guard found == version else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "the database has version \(found), not \(version)")
        }
        // A log of 2 MiB, not of 8: its space is used again and again, so that entries can be removed on a full disk.
        try connection.execute(
            """
            PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=256; PRAGMA journal_size_limit=4194304;
            PRAGMA cache_size=-4096;
            """)
        if try connection.text("PRAGMA journal_mode").lowercased() != "wal" { try switchToLog(connection) }
    }

    private static func create(_ connection: SQLiteConnection) throws(SQLiteError) {
        // Before the first page is written: later it takes a VACUUM. Pages of 8 KiB: the upper ones of a tree with a
        // million entries then stay in a connection's cache.
        try connection.execute("PRAGMA page_size=8192; PRAGMA auto_vacuum=INCREMENTAL;")
        try switchToLog(connection)
        try connection.execute(
            """
            BEGIN IMMEDIATE; \(tables)
            PRAGMA application_id=\(applicationID); PRAGMA user_version=\(version); COMMIT;
            """)
    }

    private static func switchToLog(_ connection: SQLiteConnection) throws(SQLiteError) {
        let mode = try connection.text("PRAGMA journal_mode=WAL")
        guard mode.lowercased() == "wal" else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "no write-ahead log: journal_mode is \(mode)")
        }
    }
}
