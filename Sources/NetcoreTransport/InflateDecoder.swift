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
    private var firstByte: UInt8?
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

    func decode(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError) {
        guard !input.isEmpty else { return }
        guard isStarted || isGzip else { return try decodeDeflateStart(input, output) }
        try inflateAll(input, output)
    }

    /// The first two bytes tell whether deflate has its zlib wrapper (RFC 1950 section 2.2).
    private func decodeDeflateStart(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError) {
        var head: [UInt8] = firstByte.map { [$0] } ?? []
        head.append(contentsOf: input.prefix(2 - head.count))
        guard head.count == 2 else {
            firstByte = head[0]
            return
        }
        let isWrapped = head[0] & 0x0F == 8 && (Int(head[0]) << 8 | Int(head[1])) % 31 == 0
        guard start(windowBits: isWrapped ? 15 : -15) else { throw NetcoreError(.outOfMemory, phase: .receive) }
        if let firstByte {
            try withUnsafeBytesTyped(of: firstByte) { byte throws(NetcoreError) in try inflateAll(byte, output) }
        }
        try inflateAll(input, output)
    }

    private func withUnsafeBytesTyped(
        of byte: UInt8, _ body: (UnsafeRawBufferPointer) throws(NetcoreError) -> Void
    ) throws(NetcoreError) {
        piece[0] = byte
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
        defer { copy.deallocate() }
        copy[0] = byte
        try body(UnsafeRawBufferPointer(copy))
    }

    private func inflateAll(_ input: UnsafeRawBufferPointer, _ output: Output) throws(NetcoreError) {
        stream.pointee.next_in = UnsafeMutablePointer(
            mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
        stream.pointee.avail_in = UInt32(input.count)
        while stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0 {
            if hasEnded {
                guard stream.pointee.avail_in > 0 else { return }
                guard try beginMember() else { return }
            }
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            let code = inflate(stream, findsEndOfData ? Z_BLOCK : Z_NO_FLUSH)
            if findsEndOfData, stream.pointee.data_type & Self.endOfLastBlock == Self.endOfLastBlock {
                hasAllData = true
            }
            let produced = piece.count - Int(stream.pointee.avail_out)
            if produced > 0 { try output(UnsafeRawBufferPointer(rebasing: piece[..<produced])) }
            switch code {
            case Z_OK: break
            case Z_STREAM_END: hasEnded = true
            case Z_BUF_ERROR: return
            case Z_MEM_ERROR: throw NetcoreError(.outOfMemory, phase: .receive)
            default: throw Self.damaged(isGzip ? "gzip" : "deflate")
            }
        }
    }

    /// Begins a further member of gzip (RFC 1952 section 2.2) if the input goes on with one. Returns false if it does not: what comes
    /// after the end is ignored then, as gzip and browsers do.
    private func beginMember() throws(NetcoreError) -> Bool {
        guard isGzip, !ignoresRest else { return false }
        while let next = stream.pointee.next_in, stream.pointee.avail_in > 0 {
            guard next.pointee == (hasMemberStart ? 0x8B : 0x1F) else {
                ignoresRest = true
                return false
            }
            if hasMemberStart { return try restart() }
            hasMemberStart = true
            stream.pointee.next_in = next + 1
            stream.pointee.avail_in -= 1
        }
        return false
    }

    /// Resets zlib, and gives it the first byte of the member, which is gone from the input.
    private func restart() throws(NetcoreError) -> Bool {
        hasMemberStart = false
        hasEnded = false
        hasAllData = false
        let (next, count) = (stream.pointee.next_in, stream.pointee.avail_in)
        var first: UInt8 = 0x1F
        let code = withUnsafeMutablePointer(to: &first) { first in
            guard inflateReset(stream) == Z_OK else { return Z_STREAM_ERROR }
            stream.pointee.next_in = first
            stream.pointee.avail_in = 1
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(piece.count)
            return inflate(stream, Z_NO_FLUSH)
        }
        stream.pointee.next_in = next
        stream.pointee.avail_in = count
        guard code == Z_OK else { throw Self.damaged("gzip") }
        return true
    }
}
