internal import CSQLite

/// The SQLite that is linked.
package enum SQLiteVersion {
    package static var string: String { String(cString: sqlite3_libversion()) }
}
