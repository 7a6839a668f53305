internal import CLinux
internal import Glibc
package import NetcoreSupport

/// The part of a file that has come, under a name beside the target, with notes about it. Locked, so that no two downloads write to
/// one target, in this process or in others. One thread at a time.
package final class PartFile: @unchecked Sendable {  // see above
    package let paths: PartPaths
    private let file: Int32
    /// Nil where the file itself is locked.
    private let owner: OwnerFile?
    private let notesFile: Int32
    private let isSynced: Bool
    package private(set) var notes: PartNotes?
    /// The bytes of the part that count.
    package private(set) var present = ByteRanges()
    package var size: Int64 { present.count }
    /// Bytes come in several places: each write is noted, since the length of the part says nothing.
    private var hasGaps = false

    /// This start of the system.
    package static let bootID: [UInt8] = {
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: PartNotes.bootIDSize)
        let count = Glibc.read(file, &bytes, bytes.count)
        return count == bytes.count ? bytes : []
    }()

    /// Opens the part of a target and locks it; makes it if there is none.
    ///
    /// - Parameter isSynced: whether it is to outlast a power loss.
    package init(_ paths: PartPaths, isSynced: Bool) throws(FileFailure) {
        self.paths = paths
        self.isSynced = isSynced
        (file, owner) = try Self.openLocked(paths, creates: true)
        notesFile = open(paths.notes, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard notesFile >= 0 else {
            let failure = FileFailure.system(paths.notes)
            close(file)
            throw failure
        }
        do throws(FileFailure) {
            try readNotes()
        } catch {
            close(notesFile)
            close(file)
            throw error
        }
    }

    deinit {
        close(notesFile)
        // A child of fork() may have the file open, too, and with it the lock.
        netcore_unlock_file(file)
        close(file)
    }

    /// Opens a part and locks it. What is locked is the file that has the name: another download may have renamed or removed it
    /// between the two.
    static func openLocked(
        _ paths: PartPaths, creates: Bool
    ) throws(FileFailure) -> (file: Int32, owner: OwnerFile?) {
        let path = paths.part
        for _ in 0..<100 {
            let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (creates ? O_CREAT : 0)
            let file = open(path, flags, 0o666)
            guard file >= 0 else { throw .system(path) }
            do throws(FileFailure) {
                let owner = try lock(file, paths)
                if isSame(file, path) { return (file, owner) }
            } catch {
                close(file)
                throw error
            }
            close(file)
        }
        throw FileFailure(code: ESTALE, "\(path): is replaced by others again and again")
    }

    private static func lock(_ file: Int32, _ paths: PartPaths) throws(FileFailure) -> OwnerFile? {
        var information = stat()
        guard fstat(file, &information) == 0 else { throw .system(paths.part) }
        guard information.st_mode & S_IFMT == S_IFREG else {
            throw FileFailure(code: EEXIST, "\(paths.part): not a regular file")
        }
        guard netcore_lock_file(file) != 0 else { return nil }
        switch errno {
        case EAGAIN, EACCES: throw FileFailure(.busy, code: errno, "\(paths.part): another download writes to it")
        case ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL: return try OwnerFile(paths.owner)
        default: throw .system(paths.part)
        }
    }

    static func isSame(_ file: Int32, _ path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file, &opened) == 0 && lstat(path, &named) == 0 && opened.st_ino == named.st_ino
            && opened.st_dev == named.st_dev
    }

    /// Finds out what of the part counts, and drops the rest.
    private func readNotes() throws(FileFailure) {
        var information = stat()
        guard fstat(file, &information) == 0 else { throw .system(paths.part) }
        notes = PartNotes(Self.readAll(notesFile))
        present = notes?.trusted(ofPart: Int64(information.st_size), bootID: Self.bootID) ?? ByteRanges()
        hasGaps = notes?.hasGaps ?? false
        if present.end < information.st_size { try truncate() }
    }

    private static func readAll(_ file: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: PartNotes.largestSize)
        let count = pread(file, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes[..<count]) : []
    }

    private func truncate() throws(FileFailure) {
        guard ftruncate(file, Int(present.end)) == 0 else { throw .system(paths.part) }
    }

    // MARK: Changing

    /// Empties the part, which is of another representation from now on.
    ///
    /// The part comes first: never do notes stand beside bytes that they do not speak of. They are on disk before the first byte,
    /// since after a power loss older ones would speak of what came later.
    package func begin(_ description: [UInt8]) throws(FileFailure) {
        present = ByteRanges()
        hasGaps = false
        try truncate()
        let notes = PartNotes(description: description, bootID: Self.bootID)
        guard ftruncate(notesFile, 0) == 0 else { throw .system(paths.notes) }
        try writeNotes(notes.header, at: 0)
        if isSynced, fdatasync(notesFile) != 0 { throw .system(paths.notes) }
        self.notes = notes
    }

    private func writeNotes(_ bytes: [UInt8], at offset: Int64) throws(FileFailure) {
        let count = bytes.withUnsafeBytes { pwrite(notesFile, $0.baseAddress, $0.count, Int(offset)) }
        guard count == bytes.count else { throw .system(paths.notes, count < 0 ? errno : ENOSPC) }
    }

    /// Reserves disk space for a part of which that many bytes are to come. That of a file system which cannot is no error.
    package func reserve(_ total: Int64) throws(FileFailure) {
        guard total >= Self.smallestReserved, netcore_reserve(file, Int(total)) != 0 else { return }
        if errno == ENOSPC || errno == EDQUOT || errno == EFBIG { throw .system(paths.part) }
    }

    private static let smallestReserved: Int64 = 5 << 20

    /// Writes bytes to their place.
    package func write(_ bytes: UnsafeRawBufferPointer, at start: Int64) throws(FileFailure) {
        if !hasGaps, start != present.end {
            // Before the part is longer than what is there.
            hasGaps = true
            try note(isDurable: false)
        }
        defer { if hasGaps { try? note(isDurable: false) } }
        var offset = start
        while offset < start + Int64(bytes.count) {
            let rest = bytes[Int(offset - start)...]
            let count = pwrite(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int(offset))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .system(paths.part, count < 0 ? errno : ENOSPC) }
            present.insert(offset..<(offset + Int64(count)))
            offset += Int64(count)
        }
    }

    /// Reads bytes of the part; 0 at its end, and where the first byte is missing.
    package func read(into room: UnsafeMutableRawBufferPointer, at offset: Int64) throws(FileFailure) -> Int {
        let end = present.ranges.first { $0.contains(offset) }?.upperBound ?? offset
        let wanted = min(room.count, Int(end - offset))
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(file, room.baseAddress, wanted, Int(offset))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system(paths.part) }
            return count
        }
    }

    /// Sees that all bytes of the part are on disk, if it is to outlast a power loss, then notes that.
    package func checkpoint(digest: RunningDigest?) throws(FileFailure) {
        if isSynced, fdatasync(file) != 0 { throw .system(paths.part) }
        try note(digest, isDurable: isSynced)
    }

    private func note(_ digest: RunningDigest? = nil, isDurable: Bool) throws(FileFailure) {
        guard notes != nil else { return }
        let record = PartNotes.Record(
            present: present, hasGaps: hasGaps, bootID: Self.bootID,
            digest: digest?.count == present.prefix ? digest?.kept ?? [] : [], isDurable: isDurable)
        guard let (offset, bytes) = notes?.place(of: record) else { return }
        try writeNotes(bytes, at: offset)
    }

    // MARK: The end

    /// Puts the part in the place of the target.
    package func finish(replaces: Bool) throws(FileFailure) {
        if isSynced, fsync(file) != 0 { throw .system(paths.part) }
        guard Self.isSame(file, paths.part), owner?.isOwn ?? true else {
            throw FileFailure(code: ESTALE, "\(paths.part): was removed or replaced by others")
        }
        let result =
            replaces ? rename(paths.part, paths.target) : netcore_rename_new(paths.part, paths.target)
        guard result == 0 else {
            guard errno == EEXIST else { throw .system(paths.target) }
            throw FileFailure(.exists, code: EEXIST, "\(paths.target): there is such a file")
        }
        unlink(paths.notes)
        if isSynced { try paths.syncFolder() }
    }

    /// Removes the part and its notes.
    package func remove() {
        guard Self.isSame(file, paths.part), owner?.isOwn ?? true else { return }
        unlink(paths.notes)
        unlink(paths.part)
    }

    /// Removes them if there is nothing in them.
    package func removeIfEmpty() {
        if size == 0 { remove() }
    }
}
