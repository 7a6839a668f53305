internal import CSQLite
internal import Glibc
internal import NetcoreSupport

/// Opening the database, and setting aside one that cannot be used.
extension DiskStore {
    /// Opens the folder's database for writing; first sets aside what is known to be damaged.
    func openDatabase(_ events: inout [StoreEvent]) throws(SQLiteError) {
        closeDatabase()
        // Before anything in the folder is made or set aside.
        _ = try SQLite.load()
        let folder = try StoreFolder(path)
        let known = lock.withLock { damage }
        let opened = try folder.withLock { () throws(SQLiteError) in
            // Another process may have done it already.
            if let known, known.file == folder.databaseFile { try setAside(folder, known.reason, &events) }
            return try Self.open(folder) { (reason) throws(SQLiteError) in
                try setAside(folder, reason, &events)
            }
        }
        OpenFiles.add(opened.file)
        writer = opened
        if files?.folder != folder.bodies { lock.withLock { files = BodyFiles(folder) } }
        sweep = OrphanSweep(folder)
        let totals = opened.outcome.totals
        lock.withLock {
            damage = nil
            generation += 1
            database = OpenDatabase(
                folder: folder, file: opened.file, generation: generation, bodies: bodies)
            statistics.count = Int(totals.count)
            statistics.bytes = Int(totals.bytes)
        }
    }

    private func setAside(
        _ folder: StoreFolder, _ reason: String, _ events: inout [StoreEvent]
    ) throws(SQLiteError) {
        events.append(.setAside(path: try folder.setAside(), reason: reason))
    }

    /// Opens the database, or a fresh one in place of one that cannot be used.
    private static func open(
        _ folder: StoreFolder, setAside: (String) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Writer {
        do throws(SQLiteError) {
            return try openOnce(folder)
        } catch {
            guard error.kind == .damaged || isBlocked(folder) else { throw error }
            try setAside(error.message)
            return try openOnce(folder)
        }
    }

    private static func openOnce(_ folder: StoreFolder) throws(SQLiteError) -> Writer {
        // Only a new one is opened here: closing a file drops all locks that this process has on it.
        if folder.databaseFile == 0 {
            Glibc.close(try StoreFolder.openPrivate(folder.database, O_RDWR | O_CREAT | O_EXCL))
        }
        guard !folder.hasForeignJournal else {
            throw SQLiteError(code: SQLITE_NOTADB, message: "\(folder.database)-journal is not a store's")
        }
        guard !OpenFiles.isInherited(folder.databaseFile) else {
            throw SQLiteError(code: SQLITE_PERM, message: "\(folder.database) was open when this process was forked")
        }
        let connection = try SQLiteConnection(folder.database, .writing, busyMilliseconds: 2000)
        guard !connection.isReadOnly else {
            throw SQLiteError(code: SQLITE_READONLY, message: "\(folder.database) is read-only")
        }
        try Schema.prepare(connection)
        return try Writer(connection, file: folder.databaseFile)
    }

    /// Whether what stands under the database's name, or that of its log, is in the way, in a folder that is otherwise
    /// fine: a folder, a link, a file that may not be read or written.
    private static func isBlocked(_ folder: StoreFolder) -> Bool {
        guard access(folder.path, W_OK | X_OK) == 0 else { return false }
        return ["", "-wal", "-shm"].contains { ending in
            let path = folder.database + ending
            var information = stat()
            guard lstat(path, &information) == 0 else { return false }
            return information.st_mode & S_IFMT != S_IFREG || (access(path, R_OK | W_OK) != 0 && errno == EACCES)
        }
    }

    /// Closes this process's connections, except those that readers are using: these end with the reading. The writer
    /// goes last: the last one to go moves the log into the database, and one that only reads cannot.
    func closeDatabase() {
        var dropped: [Reader] = []
        lock.withLock {
            database = nil
            swap(&dropped, &readers)
        }
        dropped = []
        if let writer { OpenFiles.remove(writer.file) }
        writer = nil
        sweep = nil
    }
}
