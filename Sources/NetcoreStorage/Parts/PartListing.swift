internal import CLinux
internal import Glibc

/// The part of a file, as it lies in a folder.
package struct LeftPart: Sendable {
    package let paths: PartPaths
    /// Bytes that another download would use.
    package let size: Int64
    /// Seconds since 1970.
    package let modified: Int64
    /// A download writes to it.
    package let isBusy: Bool
    /// ``PartNotes/description``; empty if there are none.
    package let description: [UInt8]

    /// All in a folder, by their names.
    package static func all(in folder: String) throws(FileFailure) -> [LeftPart] {
        guard let stream = opendir(folder) else { throw .system(folder) }
        closedir(stream)
        let start = folder.hasSuffix("/") ? folder : folder + "/"
        return StoreFolder.names(in: folder).filter { $0.hasSuffix(PartPaths.partSuffix) }.sorted().compactMap {
            LeftPart(start + $0.dropLast(PartPaths.partSuffix.utf8.count))
        }
    }

    private init?(_ target: String) {
        guard let paths = try? PartPaths(target) else { return nil }
        let file = open(paths.part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        self.paths = paths
        let notes = Self.notes(paths.notes)
        size = notes?.trusted(ofPart: Int64(information.st_size), bootID: PartFile.bootID).count ?? 0
        modified = Int64(information.st_mtim.tv_sec)
        isBusy = netcore_file_is_locked(file) == 1 || OwnerFile.isHeld(paths.owner)
        description = notes?.description ?? []
    }

    private static func notes(_ path: String) -> PartNotes? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: PartNotes.largestSize)
        let count = pread(file, &bytes, bytes.count, 0)
        return count > 0 ? PartNotes(Array(bytes[..<count])) : nil
    }

    /// Removes the part of a target, and its notes.
    ///
    /// - Returns: whether there was one.
    package static func remove(_ paths: PartPaths) throws(FileFailure) -> Bool {
        let file: Int32
        let owner: OwnerFile?
        do throws(FileFailure) {
            (file, owner) = try PartFile.openLocked(paths, creates: false)
        } catch  where error.code == ENOENT {
            unlink(paths.notes)
            return false
        }
        defer { withExtendedLifetime(owner) { _ = close(file) } }
        unlink(paths.notes)
        guard unlink(paths.part) == 0 else { throw .system(paths.part) }
        return true
    }
}
