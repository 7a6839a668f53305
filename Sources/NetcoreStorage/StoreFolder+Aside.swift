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
        // So would a journal be played back into it.
        rename(database + "-journal", aside + "-journal")
        if unlink(database + "-shm") != 0 { rename(database + "-shm", aside + "-shm") }
        dropOldest()
        return aside
    }

    /// Whether something stands under the name of a rollback journal that no store left there: not a file, or a journal
    /// that names a further one at its end. After rolling back, SQLite would remove the file of that name, wherever it
    /// is.
    var hasForeignJournal: Bool {
        let file = open(database + "-journal", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return errno != ENOENT }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return true }
        var end = [UInt8](repeating: 0, count: 8)
        guard information.st_size >= 8, pread(file, &end, 8, information.st_size - 8) == 8 else { return false }
        return end == [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    }

    /// Removes the database: it is to be emptied, and there is no room to write that down.
    func removeDatabase() {
        for ending in ["", "-wal", "-shm"] { unlink(database + ending) }
    }

    /// Keeps the youngest of what was set aside, and all that is another application's.
    private func dropOldest() {
        let names = Self.names(in: path).filter { Self.isAside($0) && !Self.isForeign(path + "/" + $0) }
        let youngestFirst = names.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        for name in youngestFirst.dropFirst(Self.keptAside) {
            let old = path + "/" + name
            // What stands there may be a folder, which is left alone unless it is empty.
            if unlink(old) != 0 { rmdir(old) }
            for ending in ["-wal", "-journal"] { unlink(old + ending) }
        }
    }

    /// Whether a name is one that ``setAside()`` gives: a time, and a number where that was taken.
    private static func isAside(_ name: String) -> Bool {
        let prefix = "cache.db.damaged-"
        guard name.hasPrefix(prefix) else { return false }
        let numbers = name.utf8.dropFirst(prefix.utf8.count).split(separator: 0x2D, omittingEmptySubsequences: false)
        return numbers.count <= 2 && numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0 &- 0x30 < 10 } }
    }

    /// Whether a file is an SQLite database of another application: its identifier, at byte 68, is not a store's.
    private static func isForeign(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { close(file) }
        var header = [UInt8](repeating: 0, count: 72)
        guard pread(file, &header, header.count, 0) == header.count,
            header.starts(with: "SQLite format 3\0".utf8)
        else { return false }
        return header[68...].reduce(0) { $0 << 8 | Int64($1) } != Schema.applicationID
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
