internal import CSQLite
internal import Glibc

/// Holds SQLite's own locks across a fork. Its child would otherwise wait for ever, when it opens a store of its own, for one
/// that a thread of the parent's held: that of its memory, say, which each call takes.
enum SQLiteFork {
    /// SQLite and its locks, in the order in which it takes those of one within the other. Nil if there is no SQLite.
    nonisolated(unsafe) private static let held: (sqlite: SQLite, locks: [OpaquePointer?])? = {
        guard let sqlite = try? SQLite.load(SQLite.library), sqlite.initialize() == SQLITE_OK else { return nil }
        let locks = [
            SQLITE_MUTEX_STATIC_OPEN, SQLITE_MUTEX_STATIC_MASTER, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_VFS2,
            SQLITE_MUTEX_STATIC_VFS3, SQLITE_MUTEX_STATIC_LRU, SQLITE_MUTEX_STATIC_PMEM, SQLITE_MUTEX_STATIC_PRNG,
            SQLITE_MUTEX_STATIC_MEM,
        ]
        return (sqlite, locks.map { sqlite.mutex_alloc($0) })
    }()

    /// Installs the handlers, once.
    static let isWatched: Bool = {
        guard held != nil else { return false }
        return pthread_atfork({ SQLiteFork.enter() }, { SQLiteFork.leave() }, { SQLiteFork.leave() }) == 0
    }()

    private static func enter() {
        guard let held else { return }
        for lock in held.locks { held.sqlite.mutex_enter(lock) }
    }

    private static func leave() {
        guard let held else { return }
        for lock in held.locks.reversed() { held.sqlite.mutex_leave(lock) }
    }
}
