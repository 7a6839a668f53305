internal import CSQLite
internal import Glibc
internal import NetcoreSupport

/// The files of large bodies: written under a temporary name and renamed, and removed after the commit that drops them.
///
/// Each store owns the files that it writes: their names begin with its own random number, and it holds a lock on a
/// file of that name. So anyone can tell whether the owner of a file without a row is still at work, or gone.
final class BodyFiles: @unchecked Sendable {  // see `lockFile`
    let folder: String
    private let owner: String
    private let lock = Lock()
    /// Under the lock.
    private var lockFile: Int32 = -1

    init(_ folder: StoreFolder) {
        self.folder = folder.bodies
        owner = Self.randomName()
    }

    deinit { release() }

    private static func randomName() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether a name is one that ``write(_:)`` gives: the owner's 16 hexadecimal digits, "-", and 16 more. No other
    /// name is read, and none removed.
    static func isName(_ name: String) -> Bool { isName(Array(name.utf8)[...]) }

    static func isName(_ name: ArraySlice<UInt8>) -> Bool {
        name.count == 33 && isOwner(name.prefix(16)) && name[name.startIndex + 16] == UInt8(ascii: "-")
            && isOwner(name.suffix(16))
    }

    /// Whether it is the name of an owner.
    static func isOwner(_ name: ArraySlice<UInt8>) -> Bool {
        name.count == 16 && name.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    /// The name of a new file under the folder, and its path.
    func newFile() throws(SQLiteError) -> (name: String, path: String) {
        try claim()
        let name = owner + "-" + Self.randomName()
        return (name, folder + "/" + name)
    }

    /// Writes a body and returns its name, under the folder.
    func write(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) -> String {
        let (name, path) = try newFile()
        let file = try StoreFolder.openPrivate(path + ".part", O_WRONLY | O_CREAT | O_EXCL)
        var failure: SQLiteError?
        if !Self.writeAll(bytes, to: file) { failure = StoreFolder.failure(path) }
        if close(file) != 0, failure == nil { failure = StoreFolder.failure(path) }
        if failure == nil, rename(path + ".part", path) != 0 { failure = StoreFolder.failure(path) }
        guard let failure else { return name }
        unlink(path + ".part")
        throw failure
    }

    static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = Glibc.write(file, rest.baseAddress, rest.count)
            if count < 0 {
                guard errno == EINTR else { return false }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return true
    }

    func remove(_ names: [String]) {
        for name in names { unlink(folder + "/" + name) }
    }

    /// Removes all files of this owner; no row refers to any.
    func removeAll() {
        remove(StoreFolder.names(in: folder).filter { $0.hasPrefix(owner + "-") })
    }

    /// Takes the owner's lock, before the first file. The file gets its name when it is locked already.
    private func claim() throws(SQLiteError) {
        lock.lock()
        defer { lock.unlock() }
        guard lockFile < 0 else { return }
        let name = folder + "/" + owner + ".owner"
        let file = try StoreFolder.openPrivate(name + ".part", O_RDWR | O_CREAT | O_EXCL)
        guard flock(file, LOCK_EX | LOCK_NB) == 0, rename(name + ".part", name) == 0 else {
            let failure = StoreFolder.failure(name)
            unlink(name + ".part")
            close(file)
            throw failure
        }
        lockFile = file
    }

    /// Gives the ownership up.
    func release() {
        lock.lock()
        defer { lock.unlock() }
        guard lockFile >= 0 else { return }
        unlink(folder + "/" + owner + ".owner")
        close(lockFile)
        lockFile = -1
    }

    /// Opens the file of a body of `size` bytes. Throws when it cannot be opened; nil if it is not a file, or not that long.
    static func open(_ path: String, size: Int) throws(SQLiteError) -> Int32? {
        // What stands under the name may be a pipe, which would keep open() waiting.
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { throw StoreFolder.failure(path) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG, information.st_size == size
        else {
            close(file)
            return nil
        }
        return file
    }

    /// The bytes of a body, `size` of them. Throws when the file cannot be opened; nil if it is not a file, or not that
    /// long.
    static func read(_ path: String, size: Int) throws(SQLiteError) -> ByteBuffer? {
        guard let file = try open(path, size: size) else { return nil }
        defer { close(file) }
        let bytes = ByteBuffer()
        guard let room = bytes.room(for: max(size, 1)) else { throw .noMemory }
        var count = 0
        while count < size {
            let more = Glibc.read(file, room + count, size - count)
            if more < 0, errno == EINTR { continue }
            if more < 0 { throw StoreFolder.failure(path) }
            guard more > 0 else { return nil }
            count += more
        }
        bytes.commit(size)
        return bytes
    }
}
