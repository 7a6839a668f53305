internal import Glibc
internal import NetcoreHTTP

/// A small file with what a client remembers: read whole, and replaced whole, so that a reader finds the old text or the new
/// one.
struct KeptFile: Sendable {
    /// Absolute; only its last part could become a symbolic link.
    let path: String
    /// The option that names it.
    private let option: String

    /// Finds the folder, which must be there. A symbolic link is followed here, once, if it belongs to this user.
    init(_ wanted: String, option: String) throws(NetcoreError) {
        guard !wanted.isEmpty, !wanted.utf8.contains(0) else {
            throw NetcoreError(.invalidArgument, argument: option, "not a path")
        }
        self.option = option
        var information = stat()
        if lstat(wanted, &information) == 0, information.st_mode & S_IFMT == S_IFLNK {
            guard information.st_uid == geteuid() else {
                throw Self.error(option, "\(wanted) is a symbolic link of another user's")
            }
            path = try Self.resolved(wanted, option)
        } else if let slash = wanted.utf8.lastIndex(of: UInt8(ascii: "/")) {
            path = try Self.resolved(String(wanted[...slash]), option) + wanted[slash...]
        } else {
            path = try Self.resolved(".", option) + "/" + wanted
        }
    }

    private static func resolved(_ path: String, _ option: String) throws(NetcoreError) -> String {
        guard let found = realpath(path, nil) else { throw failure(option, path) }
        defer { free(found) }
        return String(cString: found)
    }

    /// All bytes; none if there is no file.
    ///
    /// - Parameter sizeLimit: the bytes that the file may have.
    func read(sizeLimit: Int) throws(NetcoreError) -> [UInt8] {
        // Not blocking, for the name may be a pipe's.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return [] }
            throw failure()
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0 else { throw failure() }
        guard information.st_mode & S_IFMT == S_IFREG else { throw error("\(path) is not a file") }
        guard information.st_size <= sizeLimit else { throw error("\(path) is too large") }
        var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
        var count = 0
        while count < bytes.count {
            let room = bytes.count - count
            let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress.map { $0 + count }, room) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw failure() }
            if got == 0 { break }
            count += got
        }
        return Array(bytes[..<count])
    }

    /// Puts a new file in its place, mode 0600 whatever the umask.
    func write(_ bytes: [UInt8]) throws(NetcoreError) {
        let name = "\(path).\(UInt64.random(in: 0 ... .max))"
        let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure() }
        let isWritten = fchmod(file, 0o600) == 0 && Self.write(bytes, to: file) && fsync(file) == 0
        let code = errno
        close(file)
        errno = code
        guard isWritten, rename(name, path) == 0 else {
            let error = failure()
            unlink(name)
            throw error
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    func error(_ message: String) -> NetcoreError { Self.error(option, message) }

    private func failure() -> NetcoreError { Self.failure(option, path) }

    private static func error(_ option: String, _ message: String) -> NetcoreError {
        NetcoreError(.storage, argument: option, message)
    }

    private static func failure(_ option: String, _ path: String) -> NetcoreError {
        error(option, "\(path): \(String(cString: strerror(errno)))")
    }
}
