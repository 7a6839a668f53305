internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// The part that a download writes, with the digest of its bytes. Confined to the download's thread.
final class DownloadFile {
    private let part: PartFile
    private let job: DownloadRun
    private var digest: RunningDigest?
    /// When the part is noted next.
    private var due = MonotonicTime.now.adding(milliseconds: interval)
    private var noted: Int64

    /// Milliseconds between two notes: what came since is lost with the power only.
    private static let interval = 1000

    init(_ part: PartFile, _ job: DownloadRun) {
        self.part = part
        self.job = job
        noted = part.size
    }

    var size: Int64 { part.size }
    var present: ByteRanges { part.present }

    /// What the bytes at hand are of; nil if they are of no use.
    var representation: Representation? {
        guard part.size > 0, let notes = part.notes,
            let found = Representation(text: String(decoding: notes.description, as: UTF8.self), key: job.key),
            found.length.map({ part.present.end <= $0 }) ?? part.present.isWithoutGaps
        else { return nil }
        return found
    }

    private func needsDigest(_ known: Representation?) -> Bool {
        job.options.makesSHA256 || job.options.expectedSHA256 != nil || known?.digest != nil
    }

    // MARK: Writing

    /// Drops what is there.
    func begin(_ representation: Representation) throws(NetcoreError) {
        try onDisk { () throws(FileFailure) in
            try part.begin(Array(representation.text(key: job.key).utf8))
            if let length = representation.length { try part.reserve(length) }
        }
        digest = needsDigest(representation) ? RunningDigest() : nil
        noted = 0
    }

    /// Adds to the digest what is there up to the first gap.
    func catchUp(_ known: Representation?) throws(NetcoreError) {
        guard needsDigest(known) else { return }
        if digest == nil, let record = part.notes?.record(bootID: PartFile.bootID),
            record.present.prefix <= part.present.prefix
        {
            digest = RunningDigest(state: record.digest, count: record.present.prefix)
        }
        var digest = digest ?? RunningDigest()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { room.deallocate() }
        while digest.count < part.present.prefix {
            try job.checkCanceled()
            let count = try onDisk { () throws(FileFailure) in try part.read(into: room, at: digest.count) }
            guard count > 0 else { throw NetcoreError(.storage, argument: "path", "the part became shorter") }
            digest.add(UnsafeRawBufferPointer(rebasing: room[..<count]))
        }
        self.digest = digest
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetcoreError) {
        try onDisk { () throws(FileFailure) in try part.write(bytes, at: offset) }
        if digest?.count == offset { digest?.add(bytes) }
        guard MonotonicTime.now >= due else { return }
        try note()
    }

    private func note() throws(NetcoreError) {
        try onDisk { () throws(FileFailure) in try part.checkpoint(digest: digest) }
        noted = part.size
        due = MonotonicTime.now.adding(milliseconds: Self.interval)
    }

    /// Whether bytes are those at hand. Where some of these are missing there is nothing to compare.
    func agrees(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(NetcoreError) -> Bool {
        guard part.present.contains(offset..<(offset + Int64(bytes.count))) else { return true }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { room.deallocate() }
        var count = 0
        while count < bytes.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
            let more = try onDisk { () throws(FileFailure) in try part.read(into: rest, at: offset + Int64(count)) }
            guard more > 0 else { return false }
            count += more
        }
        return room.elementsEqual(bytes)
    }

    // MARK: The end

    /// Keeps what is there for another download.
    func leave() {
        if part.size > noted { try? note() }
        part.removeIfEmpty()
    }

    /// Checks the whole and puts it in its place.
    func finish(_ known: Representation?) throws(NetcoreError) {
        if let expected = job.options.expectedSize, part.size != Int64(expected) {
            throw NetcoreError(.integrity, "the file has \(part.size) bytes in place of \(expected)", phase: .done)
        }
        try catchUp(known)
        try check(job.options.expectedSHA256.flatMap { Hexadecimal.bytes($0) }, "the caller expects")
        try check(known?.digest, "the server told")
        try job.checkCanceled()
        try onDisk { () throws(FileFailure) in try part.finish(replaces: job.options.replacesFile) }
    }

    private func check(_ expected: [UInt8]?, _ whose: String) throws(NetcoreError) {
        guard let expected, let digest, digest.value != expected else { return }
        throw NetcoreError(.integrity, "the SHA-256 digest is another one than \(whose)", phase: .done)
    }

    /// In hexadecimal; empty if it was not made.
    var digestText: String { digest.map { Hexadecimal.text($0.value) } ?? "" }
}
