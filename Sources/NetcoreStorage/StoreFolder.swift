internal import CSQLite
internal import Glibc
internal import NetcoreSupport

/// The folder of a disk store: who may look into it, who may change what is in it, and what was set aside there.
struct StoreFolder: Sendable {
    /// Without symbolic links.
    let path: String

    var database: String { path + "/cache.db" }
    var bodies: String { path + "/bodies" }

    /// Bytes of a folder's path: with the names of its files it stays within what the system takes.
    static let longestPath = Int(PATH_MAX) - 64

    /// How many damaged databases are kept.
    static let keptAside = 3

    /// Makes the folder, and those above it, where they are missing: mode 0700, whatever the umask.
    init(_ wanted: String) throws(SQLiteError) {
        guard wanted.utf8.first != nil, !wanted.utf8.contains(0) else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "not a path")
        }
        guard wanted.utf8.count <= Self.longestPath else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "a path of \(wanted.utf8.count) bytes is too long")
        }
        try Self.makeAll(wanted)
        guard let resolved = realpath(wanted, nil) else { throw Self.failure(wanted) }
        path = String(cString: resolved)
        free(resolved)
        try Self.make(bodies)
        var information = stat()
        // Not a link either: files are removed in there.
        guard lstat(bodies, &information) == 0, information.st_mode & S_IFMT == S_IFDIR else {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "\(bodies) is a link or a file, not a folder")
        }
    }

    /// The file that is in the way of a folder of that path: the path itself, or what should be a folder above it. Nil
    /// when nothing is.
    static func obstacle(_ path: String) -> String? {
        var information = stat()
        if stat(path, &information) == 0 { return information.st_mode & S_IFMT == S_IFDIR ? nil : path }
        guard path.utf8.count <= longestPath, let parent = parent(of: path) else { return nil }
        return obstacle(parent)
    }

    private static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return nil }
        return String(path[..<slash])
    }

    private static func makeAll(_ path: String) throws(SQLiteError) {
        if let obstacle = obstacle(path) {
            throw SQLiteError(code: SQLITE_CANTOPEN, message: "\(obstacle) is not a folder")
        }
        guard access(path, F_OK) != 0 else { return }
        if let parent = parent(of: path) { try makeAll(parent) }
        try make(path)
    }

    private static func make(_ path: String) throws(SQLiteError) {
        if mkdir(path, 0o700) == 0 {
            guard chmod(path, 0o700) == 0 else { throw failure(path) }
        } else if errno != EEXIST {
            throw failure(path)
        }
    }

    /// What the last system call said, in SQLite's terms.
    static func failure(_ path: String) -> SQLiteError {
        let code =
            switch errno {
            case ENOSPC, EDQUOT: SQLITE_FULL
            case EROFS, EACCES, EPERM: SQLITE_READONLY
            case ENOENT, ENOTDIR, EISDIR, ELOOP, ENXIO: SQLITE_CANTOPEN
            default: SQLITE_IOERR
            }
        return SQLiteError(code: code, message: "\(path): \(String(cString: strerror(errno)))")
    }

    /// Runs `body` while no other process opens or sets aside this folder's database.
    func withLock<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        let name = path + "/lock"
        let file = try Self.openPrivate(name, O_RDWR | O_CREAT)
        defer { close(file) }
        var tries = 0
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.failure(name) }
            tries += 1
            guard tries < 200 else { throw SQLiteError(code: SQLITE_BUSY, message: "\(name) is held") }
            usleep(5000)
        }
        return try body()
    }

    /// Opens a file, one that it makes with mode 0600, whatever the umask.
    static func openPrivate(_ path: String, _ flags: Int32) throws(SQLiteError) -> Int32 {
        let file = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw failure(path) }
        var information = stat()
        if flags & O_CREAT != 0, fstat(file, &information) == 0, information.st_mode & 0o777 != 0o600 {
            fchmod(file, 0o600)
        }
        return file
    }

    /// Which file is under the database's name; 0 when there is none.
    var databaseFile: UInt64 {
        var information = stat()
        return lstat(database, &information) == 0 ? UInt64(information.st_ino) : 0
    }
}
