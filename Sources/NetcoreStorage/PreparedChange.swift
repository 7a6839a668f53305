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
    /// Of an answer to store.
    var body: PreparedBody?

    /// Packs the body, and writes it where it gets a file of its own.
    init(_ change: Change, files: BodyFiles, largeBody: Int) throws(SQLiteError) {
        self.change = change
        guard case .store(let record, let packing) = change else { return }
        let packed = packing ? Compression.packed(record.body.bytes) : nil
        let stored = packed ?? record.body
        let coding: BodyCoding = packed == nil ? .plain : .zlib
        var reference = BodyReference(
            sum: Checksum.of(stored.bytes), size: Int64(record.body.count), storedSize: Int64(stored.count),
            coding: coding.rawValue, file: nil)
        if stored.count > largeBody { reference.file = try files.write(stored.bytes) }
        body = PreparedBody(reference: reference, bytes: reference.file == nil ? stored : EntryRow.noBytes)
    }
}
