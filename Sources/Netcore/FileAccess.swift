internal import Glibc
internal import NetcoreHTTP
internal import NetcoreTransport

enum FileAccess {
    /// Whether this process may read a file.
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Whose credentials these are, as far as can be told: of a file, by its last change.
    static func identity(_ credentials: WireCredentials) -> String {
        guard credentials.scheme == .netrc else { return "\(credentials.user):\(credentials.password)" }
        var status = stat()
        guard stat(credentials.user, &status) == 0 else { return credentials.user }
        return "\(credentials.user) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    }

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
