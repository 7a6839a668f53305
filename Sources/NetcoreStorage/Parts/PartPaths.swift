internal import Glibc

/// Where a file is to be, and the names beside it until it is whole.
package struct PartPaths: Sendable {
    package static let partSuffix = ".netcore-part"
    package static let notesSuffix = ".netcore-notes"
    static let ownerSuffix = ".netcore-owner"

    package let target: String
    package var part: String { target + Self.partSuffix }
    package var notes: String { target + Self.notesSuffix }
    /// Only where the file system has no locks.
    var owner: String { target + Self.ownerSuffix }
    /// Ends with a slash, or is empty.
    private let folder: String

    package init(_ target: String) throws(FileFailure) {
        let name = target.utf8.lastIndex(of: UInt8(ascii: "/")).map { target[target.utf8.index(after: $0)...] }
        let isName = !["", ".", ".."].contains(name ?? target[...])
        guard isName, !target.utf8.contains(0) else {
            throw FileFailure(.name, code: EINVAL, "\(target): not the name of a file")
        }
        self.target = target
        folder = name.map { String(target[..<$0.startIndex]) } ?? ""
    }

    /// Refuses a target that cannot be: a folder, or, unless it is to be replaced, anything.
    package func check(replaces: Bool) throws(FileFailure) {
        var information = stat()
        guard lstat(target, &information) == 0 else {
            guard errno == ENOENT else { throw .system(target) }
            return
        }
        let kind = information.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw .system(target, EISDIR) }
        // Not a device or a pipe, in whose place there would be a file.
        guard kind == S_IFREG || kind == S_IFLNK else {
            throw FileFailure(code: EEXIST, "\(target): not a regular file")
        }
        guard replaces else { throw FileFailure(.exists, code: EEXIST, "\(target): there is such a file") }
    }

    /// What was renamed in the folder is there after a power loss, too.
    func syncFolder() throws(FileFailure) {
        let path = folder.isEmpty ? "." : folder
        let file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw .system(path) }
        defer { close(file) }
        // Some file systems cannot sync a folder.
        guard fsync(file) == 0 || errno == EINVAL else { throw .system(path) }
    }
}
