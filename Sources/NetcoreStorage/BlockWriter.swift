internal import Glibc
internal import NetcoreSupport

/// Writes a large body into a file of its own as it comes, block by block. For one thread at a time.
///
/// A writer that is released before its end leaves nothing.
package final class BlockWriter {
    /// After a block that does not pack, so many are not tried.
    private static let untried = 7

    private let name: String
    private let path: String
    /// -1 once it is the ``BlockFile``'s.
    private var file: Int32
    private let packs: Bool
    private var skipped = 0
    private var table = BlockTable()
    /// Of the next block.
    private let pending = ByteBuffer()
    private let forkCount = Fork.count

    init(_ files: BodyFiles, packs: Bool = true) throws(SQLiteError) {
        let (name, path) = try files.newFile()
        self.name = name
        self.path = path
        self.packs = packs
        file = try StoreFolder.openPrivate(path + ".part", O_RDWR | O_CREAT | O_EXCL)
        guard pending.reserve(BlockTable.blockSize) else { throw .noMemory }
    }

    deinit {
        guard file >= 0 else { return }
        close(file)
        if Fork.count == forkCount { unlink(path + ".part") }
    }

    /// Adds bytes at the end. False if that fails: nothing can come of it then.
    package func append(_ bytes: UnsafeRawBufferPointer) -> Bool { (try? add(bytes)) != nil }

    /// The file, whole and under its name; nil if that fails.
    package func finished() -> BlockFile? { try? finish() }

    func add(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        var rest = bytes
        while !rest.isEmpty {
            let size = min(rest.count, BlockTable.blockSize - pending.count)
            let part = UnsafeRawBufferPointer(rebasing: rest[..<size])
            rest = UnsafeRawBufferPointer(rebasing: rest[size...])
            if size == BlockTable.blockSize {
                try writeBlock(part)
                continue
            }
            pending.append(part)
            if pending.count == BlockTable.blockSize { try writePending() }
        }
    }

    func finish() throws(SQLiteError) -> BlockFile {
        if pending.count > 0 { try writePending() }
        guard let bytes = table.bytes else { throw .noMemory }
        try write(bytes.bytes)
        guard rename(path + ".part", path) == 0 else { throw StoreFolder.failure(path) }
        let reference = BodyReference(
            sum: Checksum.of(bytes.bytes), size: Int64(table.bodySize),
            storedSize: Int64(table.storedSize + bytes.count), coding: BodyCoding.blocks.rawValue, file: name)
        defer { file = -1 }
        return BlockFile(file, path: path, table: table, reference: reference)
    }

    private func writePending() throws(SQLiteError) {
        try writeBlock(pending.bytes)
        pending.removeAll()
    }

    private func writeBlock(_ block: UnsafeRawBufferPointer) throws(SQLiteError) {
        let packed = packed(block)
        let stored = packed?.bytes ?? block
        try write(stored)
        table.add(length: block.count, stored: stored.count, sum: UInt32(truncatingIfNeeded: Checksum.of(stored)))
    }

    /// Nil if it stays as it is.
    private func packed(_ block: UnsafeRawBufferPointer) -> ByteBuffer? {
        guard packs, skipped == 0 else {
            skipped = max(skipped - 1, 0)
            return nil
        }
        let packed = Compression.packed(block)
        if packed == nil { skipped = Self.untried }
        return packed
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws(SQLiteError) {
        guard BodyFiles.writeAll(bytes, to: file) else { throw StoreFolder.failure(path) }
    }
}
