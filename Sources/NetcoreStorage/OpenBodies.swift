internal import NetcoreSupport

/// The files of large bodies that are open: who reads one at the same time as others shares it with them, and the table that was read
/// of it. For any thread.
final class OpenBodies: @unchecked Sendable {  // `files` is under the lock
    private struct Open {
        weak var file: BlockFile?
    }

    private let lock = Lock()
    private var files: [String: Open] = [:]

    /// The body of a row, as ``BlockFile/init(_:of:)`` opens it.
    func open(_ path: String, of row: EntryRow) throws(SQLiteError) -> BlockFile? {
        if let file = lock.withLock({ files[path]?.file }), file.reference == row.body { return file }
        guard let file = try BlockFile(path, of: row) else { return nil }
        lock.withLock {
            files = files.filter { $0.value.file != nil }
            files[path] = Open(file: file)
        }
        return file
    }
}
