internal import Glibc
internal import NetcoreHTTP

enum FileAccess {
    /// Whether this process may read a file.
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// The size of a regular file.
    static func size(_ path: String, _ label: String) throws(NetcoreError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw NetcoreError(
                .body, "\(label): its file cannot be read: \(String(cString: strerror(errno)))", nativeCode: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw NetcoreError(.body, "\(label): its file is a folder or a device")
        }
        return Int(status.st_size)
    }
}
