internal import CCoding
internal import NetcoreHTTP

/// Packs what another reader reads (gzip, RFC 1952).
final class PackingReader: ChunkReader {
    private let source: any ChunkReader
    /// On the heap: zlib remembers its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private let input: UnsafeMutableRawBufferPointer
    private var isAtEnd = false
    private var hasEnded = false

    init(_ source: any ChunkReader) throws(NetcoreError) {
        self.source = source
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(byteCount: 32 << 10, alignment: 16)
        guard netcore_gzip_init(stream) == Z_OK else { throw NetcoreError(.outOfMemory, phase: .send) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: room.count)
        while !hasEnded, Int(stream.pointee.avail_out) == room.count {
            if stream.pointee.avail_in == 0, !isAtEnd { try refill() }
            hasEnded = deflate(stream, isAtEnd ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_END
        }
        return room.count - Int(stream.pointee.avail_out)
    }

    private func refill() throws(NetcoreError) {
        let size = try source.read(into: input)
        isAtEnd = size == 0
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(size)
    }
}
