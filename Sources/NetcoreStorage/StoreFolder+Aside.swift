internal import Glibc
internal import NetcoreSupport

/// Setting a database aside: under the folder's lock, with its connections in this process still open or not.
extension StoreFolder {
    /// Renames the database and its log. Returns its new path.
    func setAside() throws(SQLiteError) -> String {
        let stem = database + ".damaged-\(Timestamp.now.wall)"
        var aside = stem
        var number = 1
        while access(aside, F_OK) == 0 {
            aside = stem + "-\(number)"
            number += 1
        }
        guard rename(database, aside) == 0 else { throw Self.failure(database) }
        // A log without its database would be taken for the fresh one's.
        if rename(database + "-wal", aside + "-wal") != 0 { unlink(database + "-wal") }
        unlink(database + "-shm")
        dropOldest()
        return aside
    }

    /// Removes the database: it is to be emptied, and there is no room to write that down.
    func removeDatabase() {
        for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
    }

    /// Keeps the youngest of what was set aside.
    private func dropOldest() {
        let prefix = "cache.db.damaged-"
        let names = Self.names(in: path).filter { $0.hasPrefix(prefix) && !$0.hasSuffix("-wal") }
        let youngestFirst = names.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        for name in youngestFirst.dropFirst(Self.keptAside) {
            let old = path + "/" + name
            // What stands there may be a folder, which is left alone unless it is empty.
            if unlink(old) != 0 { rmdir(old) }
            unlink(old + "-wal")
        }
    }

    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) { names.append(name(of: entry)) }
        return names
    }

    static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}
