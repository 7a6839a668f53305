internal import Glibc

enum FileAccess {
    /// Whether this process may read a file.
    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
}
