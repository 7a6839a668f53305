internal import Glibc

/// Why something could not be done with a file.
package struct FileFailure: Error, Sendable {
    package enum Kind: Sendable {
        case system
        /// It is the name of no file.
        case name
        /// Another download has it.
        case busy
        /// The name is taken.
        case exists
    }

    package let kind: Kind
    /// The errno; 0 if it was not the system that refused.
    package let code: Int32
    package let message: String

    init(_ kind: Kind = .system, code: Int32 = 0, _ message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    /// What the last system call said.
    static func system(_ path: String, _ code: Int32 = errno) -> FileFailure {
        FileFailure(code: code, "\(path): \(String(cString: strerror(code)))")
    }
}
