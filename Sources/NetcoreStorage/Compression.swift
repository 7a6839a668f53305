internal import CCoding
internal import NetcoreSupport

/// How a body is stored.
enum BodyCoding: Int64 {
    case plain = 0
    case zlib = 1
    /// In blocks that are packed or plain each by itself, with a table of them (``BlockTable``).
    case blocks = 2
}

/// Packs bodies that become smaller by it (zlib, RFC 1950, level 1).
enum Compression {
    /// Less is not worth the try.
    static let smallestBody = 256
    /// A body of more than this is tried by its first bytes.
    static let sampleSize = 16 << 10

    /// The packed bytes; nil when they save less than a tenth, or memory ran out.
    static func packed(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
        guard bytes.count >= smallestBody else { return nil }
        if bytes.count > 4 * sampleSize, deflated(UnsafeRawBufferPointer(rebasing: bytes[..<sampleSize])) == nil {
            return nil
        }
        return deflated(bytes)
    }

    private static func deflated(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
        let most = bytes.count - bytes.count / 10
        let packed = ByteBuffer()
        guard let room = packed.room(for: most) else { return nil }
        var size = UInt(most)
        let code = compress2(
            room.assumingMemoryBound(to: UInt8.self), &size,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt(bytes.count), 1)
        guard code == Z_OK else { return nil }
        packed.commit(Int(size))
        packed.trim()
        return packed
    }
}

/// Unpacks bodies, one after the other, with one state.
final class Inflater {
    /// On the heap: zlib remembers its address.
    private let stream: UnsafeMutablePointer<z_stream>
    private var isReady = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// The `size` bytes that were packed; nil when the packed ones are damaged, when there can be no such size, or when
    /// memory ran out.
    func unpacked(_ packed: UnsafeRawBufferPointer, size: Int) -> ByteBuffer? {
        let unpacked = ByteBuffer()
        guard size >= 0, prepare(), unpacked.reserve(max(size, 1)) else { return nil }
        stream.pointee.next_in = UnsafeMutablePointer(mutating: packed.baseAddress?.assumingMemoryBound(to: UInt8.self))
        var unread = packed.count
        while true {
            stream.pointee.avail_in = UInt32(min(unread, 1 << 30))
            let given = Int(stream.pointee.avail_in)
            guard let room = unpacked.room(for: max(size - unpacked.count, 1)) else { return nil }
            let free = min(size - unpacked.count, 1 << 30)
            stream.pointee.next_out = room.assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(free)
            let code = inflate(stream, Z_NO_FLUSH)
            unread -= given - Int(stream.pointee.avail_in)
            unpacked.commit(free - Int(stream.pointee.avail_out))
            if code == Z_STREAM_END { return unpacked.count == size && unread == 0 ? unpacked : nil }
            guard code == Z_OK else { return nil }
        }
    }

    private func prepare() -> Bool {
        if isReady { return inflateReset(stream) == Z_OK }
        isReady = netcore_inflate_init(stream, 15) == Z_OK
        return isReady
    }
}
