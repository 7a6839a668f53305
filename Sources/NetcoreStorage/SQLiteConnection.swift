internal import CSQLite
internal import Glibc
internal import NetcoreSupport

/// One connection to a database, used by one thread at a time.
final class SQLiteConnection {
    enum Access {
        case reading, writing
    }

    let sqlite: SQLite
    let handle: OpaquePointer
    private let forkCount = Fork.count

    init(_ path: String, _ access: Access, busyMilliseconds: Int32) throws(SQLiteError) {
        sqlite = try SQLite.load()
        // No CREATE: the file is made beforehand, so that its mode is ours and not the umask's.
        let flags =
            (access == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE)
            | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_PRIVATECACHE
        var opened: OpaquePointer?
        let code = sqlite.open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = sqlite.message(opened)
            _ = sqlite.close_v2(opened)
            throw SQLiteError(code: code, message: message)
        }
        handle = opened
        _ = sqlite.busy_timeout(handle, busyMilliseconds)
        configure()
        try execute("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;")
    }

    deinit {
        guard isOwn else { return }
        _ = sqlite.close_v2(handle)
    }

    /// Whether this process made it: SQLite's handles are never touched in the child of a fork.
    var isOwn: Bool { Fork.count == forkCount }

    private func configure() {
        withUnsafePointer(to: sqlite) { sqlite in
            _ = netcore_sqlite_switch(sqlite, handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
            _ = netcore_sqlite_switch(sqlite, handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            _ = netcore_sqlite_switch(sqlite, handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0)
        }
        // At its close the last connection would delete the files "…-wal" and "…-shm" by name: those of a fresh
        // database, when the old one was set aside meanwhile.
        var on: CInt = 1
        _ = sqlite.file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &on)
    }

    func error(_ code: Int32) -> SQLiteError {
        SQLiteError(code: code, message: sqlite.message(handle))
    }

    /// Runs statements and passes over their rows.
    func execute(_ sql: String) throws(SQLiteError) {
        let code = sqlite.exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func integer(_ sql: String) throws(SQLiteError) -> Int64 {
        let statement = try SQLiteStatement(self, sql)
        return try statement.step() ? statement.integer(0) : 0
    }

    func text(_ sql: String) throws(SQLiteError) -> String {
        let statement = try SQLiteStatement(self, sql)
        return try statement.step() ? statement.text(0) ?? "" : ""
    }

    /// Whether a transaction is open that was not ended by an error.
    var isInTransaction: Bool { sqlite.get_autocommit(handle) == 0 }

    var isReadOnly: Bool { sqlite.db_readonly(handle, "main") != 0 }
}
