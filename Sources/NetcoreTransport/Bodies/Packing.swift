internal import NetcoreHTTP
package import NetcoreSupport

/// Packs what is whole in memory.
package enum Packing {
    /// The bytes in gzip (RFC 1952); nil when memory ran out.
    package static func gzip(_ bytes: UnsafeRawBufferPointer) -> ByteBuffer? {
        guard let copy = ByteBuffer(copying: bytes),
            let reader = try? PackingReader(PiecesReader([BodyPiece(.bytes(copy), label: "body", length: nil)]))
        else { return nil }
        let packed = ByteBuffer()
        while let room = packed.room(for: 32 << 10) {
            guard let size = try? reader.read(into: UnsafeMutableRawBufferPointer(start: room, count: 32 << 10)) else {
                return nil
            }
            guard size > 0 else { return packed }
            packed.commit(size)
        }
        return nil
    }
}
