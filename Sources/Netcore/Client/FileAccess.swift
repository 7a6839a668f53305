internal import Glibc
internal import NetcoreHTTP
internal import NetcoreTransport

enum FileAccess {
    /// What an option names.
    enum Kind: String {
        case file
        case folder
    }

    /// Checks that this process may read what an option names, without opening it. Other things than files may hold
    /// the thread that opens them, which is libcurl's: a pipe until something is written to it, a device for as long as it
    /// likes.
    static func check(
        _ path: String, is kind: Kind, option: String, _ code: NetcoreError.Code
    ) throws(NetcoreError) {
        var status = stat()
        guard stat(path, &status) == 0, access(path, R_OK) == 0 else {
            throw NetcoreError(code, argument: option, "the \(kind.rawValue) cannot be read", nativeCode: errno)
        }
        guard status.st_mode & S_IFMT == (kind == .file ? S_IFREG : S_IFDIR) else {
            throw NetcoreError(code, argument: option, "not a \(kind.rawValue)")
        }
    }

    /// The file that stands for an empty `netrc_file`; nil where none can be read, which is no error.
    static var homeNetrc: String? {
        guard let home = getenv("HOME") else { return nil }
        let path = String(cString: home) + "/.netrc"
        return access(path, R_OK) == 0 ? path : nil
    }

    /// Whose credentials these are, as far as can be told: of a file, by its last change.
    static func identity(_ credentials: WireCredentials) -> String {
        switch credentials {
        case .basic(let user, let password), .digest(let user, let password): return "\(user):\(password)"
        case .negotiate: return ":"
        case .netrc(let path):
            var status = stat()
            guard stat(path, &status) == 0 else { return path }
            return "\(path) \(status.st_ino) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
        }
    }

    /// The size of a regular file.
    static func size(_ path: String, _ label: String) throws(NetcoreError) -> Int {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw NetcoreError(
                .body, argument: label, "the file cannot be read: \(String(cString: strerror(errno)))",
                nativeCode: errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw NetcoreError(.body, argument: label, "the file is a folder or a device")
        }
        return Int(status.st_size)
    }
}
