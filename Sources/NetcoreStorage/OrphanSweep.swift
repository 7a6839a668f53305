internal import Glibc
internal import NetcoreSupport

/// Removes the files of bodies that no row refers to and whose owner is gone, a few at a time. A file whose name no
/// store gives is the application's, or the user's, and stays.
final class OrphanSweep {
    private var directory: OpaquePointer?
    private var isOwnerAlive: [String: Bool] = [:]

    init?(_ folder: StoreFolder) {
        // Not through a link: what it leads to is not netcore's.
        let file = open(folder.bodies, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return nil }
        directory = fdopendir(file)
        if directory == nil {
            close(file)
            return nil
        }
    }

    deinit { finish() }

    /// What a name in the folder of bodies stands for.
    private enum Kind {
        /// A body, or the beginning of one that was not written to its end.
        case body
        /// An owner's lock.
        case owner
        case foreign

        init(_ name: ArraySlice<UInt8>) {
            if BodyFiles.isName(name.ends(".part") ? name.dropLast(5) : name) {
                self = .body
            } else if name.count == 22, name.ends(".owner"), BodyFiles.isOwner(name.prefix(16)) {
                self = .owner
            } else {
                // Also an owner's lock that was just made, ".owner.part": it gets its name in a moment.
                self = .foreign
            }
        }
    }

    /// Looks at some more files. Returns false at the end. `isUsed` says whether a row refers to a file of that name.
    func step(files: Int, isUsed: (String) throws(SQLiteError) -> Bool) throws(SQLiteError) -> Bool {
        for _ in 0..<files {
            guard let directory, let entry = readdir(directory) else {
                finish()
                return false
            }
            let name = StoreFolder.name(of: entry)
            let kind = Kind(Array(name.utf8)[...])
            guard kind != .foreign, !isAlive(String(name.prefix(16)), in: directory), kind == .body else { continue }
            if try !isUsed(name) { unlinkat(dirfd(directory), name, 0) }
        }
        return true
    }

    private func finish() {
        guard let open = directory else { return }
        // A file whose owner has no name here has no owner either: none is missed by a sweep that ended early.
        for (owner, isAlive) in isOwnerAlive where !isAlive { unlinkat(dirfd(open), owner + ".owner", 0) }
        closedir(open)
        directory = nil
    }

    /// Whether a store that has this name holds its lock. One that is gone never comes back: names are random.
    private func isAlive(_ owner: String, in directory: OpaquePointer) -> Bool {
        if let known = isOwnerAlive[owner] { return known }
        let alive = Self.isLocked(owner + ".owner", in: dirfd(directory))
        isOwnerAlive[owner] = alive
        return alive
    }

    private static func isLocked(_ name: String, in directory: Int32) -> Bool {
        let file = openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return errno != ENOENT }
        defer { close(file) }
        return flock(file, LOCK_EX | LOCK_NB) != 0
    }
}

extension ArraySlice<UInt8> {
    fileprivate func ends(_ ending: String) -> Bool { suffix(ending.utf8.count).elementsEqual(ending.utf8) }
}
