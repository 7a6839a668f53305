internal import CCoding
internal import NetcoreHTTP

/// gzip (RFC 1952: all members, each with its checksum) and deflate (RFC 1950, and RFC 1951 without a wrapper, which some
/// servers send under that name).
final class InflateDecoder: ContentDecoder {
    private let isGzip: Bool
    private let findsEndOfData: Bool
    private let stream: UnsafeMutablePointer<z_stream>
    private let piece: UnsafeMutableRawBufferPointer
    private var isStarted = false
    private var hasEnded = false
    private(set) var hasAllData = false
    /// Of deflate, until the second one is there.
    private var firstByte: UInt8?
    /// The last piece was full.
    private var mayHaveMore = false
    /// The first byte of a further member was the last of a piece.
    private var hasMemberStart = false
    /// Something else than a further member came after the end.
    private var ignoresRest = false

    /// - Parameter findsEndOfData: whether `hasAllData` is known before the checksum, which takes a call for each block.
    init?(isGzip: Bool, findsEndOfData: Bool) {
        self.isGzip = isGzip
        self.findsEndOfData = findsEndOfData
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        piece = .allocate(byteCount: Self.pieceSize, alignment: 16)
        if isGzip, !start(windowBits: 15 + 16) { return nil }
    }

    deinit {
        if isStarted { inflateEnd(stream) }
        stream.deallocate()
        piece.deallocate()
    }

    var isAtEnd: Bool { hasEnded }

    /// What zlib says of its place: after a block (128), the last one (64).
    private static let endOfLastBlock: Int32 = 128 | 64

    private func start(windowBits: Int32) -> Bool {
        isStarted = netcore_inflate_init(stream, windowBits) == Z_OK
        return isStarted
    }

    func next(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> UnsafeRawBufferPointer? {
        if !isStarted, try !startDeflate(&input) { return nil }
        while !input.isEmpty || mayHaveMore {
            mayHaveMore = false
            if hasEnded, try !beginMember(&input) {
                input = UnsafeRawBufferPointer(start: nil, count: 0)
                return nil
            }
            let produced = try inflateOnce(&input)
            if produced > 0 { return UnsafeRawBufferPointer(rebasing: piece[..<produced]) }
        }
        return nil
    }

    /// The first two bytes tell whether deflate has its zlib wrapper (RFC 1950 section 2.2). Returns false before both are there.
    private func startDeflate(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> Bool {
        guard let firstByte else {
            firstByte = input.first
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
            return input.isEmpty ? false : try startDeflate(&input)
        }
        guard let second = input.first else { return false }
        let isWrapped = firstByte & 0x0F == 8 && (Int(firstByte) << 8 | Int(second)) % 31 == 0
        guard start(windowBits: isWrapped ? 15 : -15) else { throw NetcoreError(.outOfMemory, phase: .receive) }
        guard takeFirst(firstByte) else { throw Self.damaged("deflate") }
        return true
    }

    /// Returns the number of bytes in `piece`.
    private func inflateOnce(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> Int {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
        stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(piece.count)
        let code = inflate(stream, findsEndOfData ? Z_BLOCK : Z_NO_FLUSH)
        if findsEndOfData, stream.pointee.data_type & Self.endOfLastBlock == Self.endOfLastBlock { hasAllData = true }
        input = UnsafeRawBufferPointer(rebasing: input.suffix(Int(stream.pointee.avail_in)))
        switch code {
        case Z_OK: mayHaveMore = stream.pointee.avail_out == 0
        case Z_STREAM_END: hasEnded = true
        case Z_BUF_ERROR: break
        case Z_MEM_ERROR: throw NetcoreError(.outOfMemory, phase: .receive)
        default: throw Self.damaged(isGzip ? "gzip" : "deflate")
        }
        return piece.count - Int(stream.pointee.avail_out)
    }

    /// Begins a further member of gzip (RFC 1952 section 2.2) if the input goes on with one. Returns false if it does not: what comes
    /// after the end is ignored then, as gzip and browsers do.
    private func beginMember(_ input: inout UnsafeRawBufferPointer) throws(NetcoreError) -> Bool {
        guard isGzip, !ignoresRest else { return false }
        while let next = input.first {
            guard next == (hasMemberStart ? 0x8B : 0x1F) else {
                ignoresRest = true
                return false
            }
            if hasMemberStart { return try restart() }
            hasMemberStart = true
            input = UnsafeRawBufferPointer(rebasing: input.dropFirst())
        }
        return false
    }

    /// Resets zlib, and gives it the first byte of the member, which is gone from the input.
    private func restart() throws(NetcoreError) -> Bool {
        hasMemberStart = false
        hasEnded = false
        hasAllData = false
        guard inflateReset(stream) == Z_OK, takeFirst(0x1F) else { throw Self.damaged("gzip") }
        return true
    }

    /// Gives zlib a first byte, by which nothing comes out yet.
    private func takeFirst(_ byte: UInt8) -> Bool {
        var first = byte
        return withUnsafeMutablePointer(to: &first) { first in
            stream.pointee.next_in = first
            stream.pointee.avail_in = 1
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            return inflate(stream, Z_NO_FLUSH) == Z_OK
        }
    }
}
