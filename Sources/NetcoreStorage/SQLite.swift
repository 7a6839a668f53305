internal import CSQLite
internal import Glibc
internal import NetcoreSupport

/// The functions of SQLite, of a library that is loaded when the first store is opened. netcore is not linked to it: most
/// programs have no cache on disk, and binding its 1,200 functions would be a good part of the time that loading netcore takes.
typealias SQLite = netcore_sqlite

extension SQLite {
    static let library = "libsqlite3.so.0"

    /// Loads the library, or finds it loaded. It is never unloaded.
    ///
    /// - Throws: an error that is `refused`: a store stops storing, and tries again later.
    static func load() throws(SQLiteError) -> SQLite {
        try Fork.afterFirstUse(of: .database) { _ throws(SQLiteError) in
            let sqlite = try load(library)
            _ = SQLiteFork.isWatched
            return sqlite
        }
    }

    /// Loads the library of that name. Each call asks the system's loader, which loads it once.
    static func load(_ name: String) throws(SQLiteError) -> SQLite {
        guard let library = dlopen(name, RTLD_LAZY | RTLD_LOCAL) else { throw unusable(name) }
        var sqlite = SQLite()
        guard netcore_sqlite_find(&sqlite, library) != 0 else {
            let error = unusable(name)
            dlclose(library)
            throw error
        }
        return sqlite
    }

    /// After a call of `dlopen()` or `dlsym()` that failed.
    private static func unusable(_ name: String) -> SQLiteError {
        let reason = dlerror().map { String(cString: $0) } ?? "it cannot be loaded"
        return SQLiteError(code: SQLITE_CANTOPEN, message: "SQLite, \(name), is needed: \(reason)")
    }

    /// What the last call on a connection said; out of memory if there is none.
    func message(_ connection: OpaquePointer?) -> String {
        errmsg(connection).map { String(cString: $0) } ?? ""
    }
}
