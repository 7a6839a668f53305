internal import NetcoreSupport

/// A body as it goes to the disk.
struct PreparedBody {
    var reference: BodyReference
    /// Empty when it is in its file already.
    var bytes: ByteBuffer
}

/// A change with what takes time done beforehand: nothing else waits for the database meanwhile.
struct PreparedChange {
    var change: Change
    /// Of an answer to store; nil if its file is another row's.
    var body: PreparedBody?

    /// Packs the body, and writes it where it gets a file of its own.
    init(_ change: Change, files: BodyFiles, largeBody: Int) throws(SQLiteError) {
        self.change = change
        guard case .store(let record, let packing) = change else { return }
        switch record.body {
        case .file(let file): take(file)
        case .memory(let bytes) where bytes.count > BlockFile.smallestBody:
            let writer = try BlockWriter(files, packs: packing)
            try writer.add(bytes.bytes)
            take(try writer.finish())
        case .memory(let bytes): body = try Self.prepare(bytes, packing, files, largeBody)
        }
    }

    /// Takes a file that no row has.
    private mutating func take(_ file: BlockFile) {
        guard file.keep() else { return }
        body = PreparedBody(reference: file.reference, bytes: EntryRow.noBytes)
    }

    private static func prepare(
        _ bytes: ByteBuffer, _ packing: Bool, _ files: BodyFiles, _ largeBody: Int
    ) throws(SQLiteError) -> PreparedBody {
        let packed = packing ? Compression.packed(bytes.bytes) : nil
        let stored = packed ?? bytes
        let coding: BodyCoding = packed == nil ? .plain : .zlib
        var reference = BodyReference(
            sum: Checksum.of(stored.bytes), size: Int64(bytes.count), storedSize: Int64(stored.count),
            coding: coding.rawValue, file: nil)
        if stored.count > largeBody { reference.file = try files.write(stored.bytes) }
        return PreparedBody(reference: reference, bytes: reference.file == nil ? stored : EntryRow.noBytes)
    }
}
