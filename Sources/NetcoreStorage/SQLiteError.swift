internal import CSQLite

/// What SQLite, or a file next to its database, answered instead of a result.
struct SQLiteError: Error {
    /// What a store does about an error.
    enum Kind {
        /// The database cannot be trusted: it is set aside.
        case damaged
        /// Others are at it: once more, later.
        case busy
        /// Nothing can be written (or opened) for now: full, read-only, an I/O error, no memory.
        case refused
        /// The file under the database's name is another one now.
        case moved
    }

    /// SQLite's extended result code.
    var code: Int32
    var message: String

    var kind: Kind {
        if code == SQLITE_READONLY | 4 << 8 { return .moved }  // SQLITE_READONLY_DBMOVED
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_FULL, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_NOMEM, SQLITE_AUTH,
            SQLITE_NOLFS, SQLITE_INTERRUPT:
            return .refused
        default: return .damaged
        }
    }

    static let moved = SQLiteError(code: SQLITE_READONLY | 4 << 8, message: "the database was replaced")
    static let noMemory = SQLiteError(code: SQLITE_NOMEM, message: "out of memory")
}
