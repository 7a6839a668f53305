internal import Glibc
package import NetcoreSupport
internal import Synchronization

/// Why bytes of a body could not be read.
package enum BodyFailure: Error {
    /// They are not what was stored.
    case damaged
    /// What the system said.
    case unreadable(String)
    case outOfMemory
}

/// A large body in a file of its own, in blocks of which each is checked when it is read (``BlockTable``). For any thread.
///
/// It is what was opened, whatever becomes of the entry: the file never changes, and goes when it is neither open nor any row's.
package final class BlockFile: Sendable {
    /// Bodies of more than so many bytes are stored so.
    package static let smallestBody = 1 << 20

    private let file: Int32
    private let path: String
    private let table: BlockTable
    /// What a row says of it.
    let reference: BodyReference
    /// The entry that it was opened for, without head and body; nil for a new one.
    let entry: StoredRecord?
    /// A row refers to it, or is going to.
    private let isKept: Atomic<Bool>
    private let forkCount = Fork.count

    /// A file that was just written, and is open for reading too. It is removed with this, unless a row takes it.
    init(_ file: Int32, path: String, table: BlockTable, reference: BodyReference) {
        self.file = file
        self.path = path
        self.table = table
        self.reference = reference
        entry = nil
        isKept = Atomic(false)
    }

    /// Opens the file of a row. Nil if it is not what was stored; throws when it cannot be opened or read.
    init?(_ path: String, of row: EntryRow) throws(SQLiteError) {
        guard let file = try BodyFiles.open(path, size: Int(row.body.storedSize)) else { return nil }
        do throws(SQLiteError) {
            guard let table = try Self.readTable(file, path, row.body) else {
                close(file)
                return nil
            }
            self.table = table
        } catch {
            close(file)
            throw error
        }
        self.file = file
        self.path = path
        reference = row.body
        entry = row.record
        isKept = Atomic(true)
    }

    deinit {
        close(file)
        if !isKept.load(ordering: .relaxed), Fork.count == forkCount { unlink(path) }
    }

    /// Whether it was just written, not opened for an entry.
    package var isNew: Bool { entry == nil }

    /// Bytes of the body.
    package var size: Int { table.bodySize }

    /// A row is going to refer to it. False if one does already: each file has one row.
    func keep() -> Bool { !isKept.exchange(true, ordering: .relaxed) }

    private static func readTable(
        _ file: Int32, _ path: String, _ body: BodyReference
    ) throws(SQLiteError) -> BlockTable? {
        let size = BlockTable.size(ofBody: Int(body.size))
        let bytes = ByteBuffer()
        guard let room = bytes.room(for: max(size, 1)) else { throw .noMemory }
        guard readAll(file, room, Int(body.storedSize) - size, size) == size else {
            throw StoreFolder.failure(path)
        }
        bytes.commit(size)
        guard Checksum.of(bytes.bytes) == body.sum, let table = BlockTable(bytes.bytes, bodySize: Int(body.size)),
            table.storedSize + size == Int(body.storedSize)
        else { return nil }
        return table
    }

    /// Returns how many bytes were read: fewer at the end of the file, or when reading failed.
    private static func readAll(_ file: Int32, _ room: UnsafeMutableRawPointer, _ offset: Int, _ size: Int) -> Int {
        var count = 0
        errno = EIO
        while count < size {
            let more = pread(file, room + count, size - count, off_t(offset + count))
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    // MARK: Reading

    /// All of the body.
    package func readAll() throws(BodyFailure) -> ByteBuffer { try read(0..<size) }

    /// Some bytes of the body, checked. Reads the blocks that have them, and nothing else. Blocks.
    package func read(_ range: Range<Int>) throws(BodyFailure) -> ByteBuffer {
        let result = ByteBuffer()
        guard range.lowerBound >= 0, range.upperBound <= size else { throw .damaged }
        guard result.reserve(max(range.count, 1)) else { throw .outOfMemory }
        let inflater = Inflater()
        for index in table.blocks(of: range) {
            let content = table.content(of: index)
            let wanted = content.clamped(to: range)
            guard wanted == content, table.place(of: index).count == content.count else {
                let block = try block(index, inflater)
                let start = wanted.lowerBound - content.lowerBound
                result.append(UnsafeRawBufferPointer(rebasing: block.bytes[start..<start + wanted.count]))
                continue
            }
            try readStored(index, into: result)
        }
        return result
    }

    /// One block, unpacked.
    private func block(_ index: Int, _ inflater: Inflater) throws(BodyFailure) -> ByteBuffer {
        let stored = ByteBuffer()
        try readStored(index, into: stored)
        let length = table.content(of: index).count
        guard stored.count < length else { return stored }
        guard let block = inflater.unpacked(stored.bytes, size: length) else { throw .damaged }
        return block
    }

    /// Adds what the file has of a block.
    private func readStored(_ index: Int, into buffer: ByteBuffer) throws(BodyFailure) {
        let place = table.place(of: index)
        guard let room = buffer.room(for: place.count) else { throw .outOfMemory }
        guard Self.readAll(file, room, place.lowerBound, place.count) == place.count else {
            throw .unreadable("\(path): \(String(cString: strerror(errno)))")
        }
        guard Checksum.of(UnsafeRawBufferPointer(start: room, count: place.count)) == Int64(table.sum(of: index)) else {
            throw .damaged
        }
        buffer.commit(place.count)
    }
}
