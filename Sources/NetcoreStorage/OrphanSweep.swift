internal import Glibc
internal import NetcoreSupport

/// Removes the files of bodies that no row refers to and whose owner is gone, a few at a time.
final class OrphanSweep {
    private let folder: String
    private var directory: OpaquePointer?
    private var isOwnerAlive: [String: Bool] = [:]

    init?(_ folder: StoreFolder) {
        self.folder = folder.bodies
        directory = opendir(folder.bodies)
        if directory == nil { return nil }
    }

    deinit { finish() }

    /// Looks at some more files. Returns false at the end. `isUsed` says whether a row refers to a file of that name.
    func step(files: Int, isUsed: (String) throws(SQLiteError) -> Bool) throws(SQLiteError) -> Bool {
        for _ in 0..<files {
            guard let directory, let entry = readdir(directory) else {
                finish()
                return false
            }
            let name = StoreFolder.name(of: entry)
            guard name.utf8.count >= 16, name.utf8.first != UInt8(ascii: ".") else { continue }
            // An owner's lock is between its making and its name for a moment: left alone.
            guard !name.hasSuffix(".owner.part"), !isAlive(String(name.prefix(16))), !name.hasSuffix(".owner")
            else { continue }
            if try !isUsed(name) { unlink(folder + "/" + name) }
        }
        return true
    }

    private func finish() {
        guard let open = directory else { return }
        closedir(open)
        directory = nil
        // A file whose owner has no name here has no owner either: none is missed by a sweep that ended early.
        for (owner, isAlive) in isOwnerAlive where !isAlive { unlink(folder + "/" + owner + ".owner") }
    }

    /// Whether a store that has this name holds its lock. One that is gone never comes back: names are random.
    private func isAlive(_ owner: String) -> Bool {
        if let known = isOwnerAlive[owner] { return known }
        let alive = Self.isLocked(folder + "/" + owner + ".owner")
        isOwnerAlive[owner] = alive
        return alive
    }

    private static func isLocked(_ path: String) -> Bool {
        let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return errno != ENOENT }
        defer { close(file) }
        return flock(file, LOCK_EX | LOCK_NB) != 0
    }
}
