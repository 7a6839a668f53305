internal import CSQLite
internal import Glibc

/// Holds SQLite's own locks across a fork. Its child would otherwise wait for ever, when it opens a store of its own, for one
/// that a thread of the parent's held: that of its memory, say, which each call takes.
enum SQLiteFork {
    /// In the order in which SQLite takes those of one within the other.
    nonisolated(unsafe) private static let locks: [OpaquePointer?] = [
        SQLITE_MUTEX_STATIC_OPEN, SQLITE_MUTEX_STATIC_MASTER, SQLITE_MUTEX_STATIC_VFS1, SQLITE_MUTEX_STATIC_VFS2,
        SQLITE_MUTEX_STATIC_VFS3, SQLITE_MUTEX_STATIC_LRU, SQLITE_MUTEX_STATIC_PMEM, SQLITE_MUTEX_STATIC_PRNG,
        SQLITE_MUTEX_STATIC_MEM,
    ].map { sqlite3_mutex_alloc($0) }

    /// Installs the handlers, once.
    static let isWatched: Bool = {
        guard sqlite3_initialize() == SQLITE_OK, !locks.isEmpty else { return false }
        return pthread_atfork(
            { for lock in SQLiteFork.locks { sqlite3_mutex_enter(lock) } }, { SQLiteFork.leave() },
            { SQLiteFork.leave() }) == 0
    }()

    private static func leave() {
        for lock in locks.reversed() { sqlite3_mutex_leave(lock) }
    }
}
