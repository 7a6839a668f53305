internal import NetcoreHTTP
internal import NetcoreSupport

/// The bytes of the parts of a body, one part after the other.
enum PartialBody {
    /// The bytes of old parts and a new one, which replaces what it covers, in the order of the parts together. Nil when
    /// memory ran out, or when one of the buffers does not hold what its parts say.
    static func joined(
        _ old: PartialContent, _ oldBytes: ByteBuffer, _ range: Range<Int64>, _ bytes: ByteBuffer,
        into all: PartialContent
    ) -> ByteBuffer? {
        let result = ByteBuffer()
        guard let size = Int(exactly: all.byteCount), result.reserve(size) else { return nil }
        for run in all.ranges {
            var position = run.lowerBound
            while position < run.upperBound {
                if range.contains(position) {
                    let end = min(range.upperBound, run.upperBound)
                    guard append(bytes, position - range.lowerBound, end - position, to: result) else { return nil }
                    position = end
                } else {
                    let (offset, partEnd) = place(of: position, in: old)
                    let limit = position < range.lowerBound ? min(partEnd, range.lowerBound) : partEnd
                    guard limit > position, append(oldBytes, offset, limit - position, to: result) else { return nil }
                    position = limit
                }
            }
        }
        return result
    }

    /// A run of the representation's bytes out of those that are stored of its parts. Nil when they are not all there,
    /// or when memory ran out.
    static func bytes(_ wanted: Range<Int64>, of parts: PartialContent, _ stored: ByteBuffer) -> ByteBuffer? {
        let (offset, end) = place(of: wanted.lowerBound, in: parts)
        guard wanted.upperBound <= end else { return nil }
        return copy(stored, offset, wanted.upperBound - wanted.lowerBound)
    }

    /// A copy of some bytes. Nil when they are not all there, or when memory ran out.
    static func copy(_ from: ByteBuffer, _ offset: Int64, _ count: Int64) -> ByteBuffer? {
        slice(from, offset, count).flatMap { ByteBuffer(copying: $0) }
    }

    private static func append(_ from: ByteBuffer, _ offset: Int64, _ count: Int64, to result: ByteBuffer) -> Bool {
        slice(from, offset, count).map { result.append($0) } ?? false
    }

    private static func slice(_ from: ByteBuffer, _ offset: Int64, _ count: Int64) -> UnsafeRawBufferPointer? {
        let size = Int64(from.count)
        guard offset >= 0, offset <= size, count >= 0, count <= size - offset else { return nil }
        return UnsafeRawBufferPointer(rebasing: from.bytes[Int(offset)..<Int(offset + count)])
    }

    /// Where a byte of the representation stands among the stored bytes, and where its part ends; at the byte itself
    /// when it is in none.
    private static func place(of position: Int64, in parts: PartialContent) -> (offset: Int64, end: Int64) {
        var offset: Int64 = 0
        for part in parts.ranges {
            if part.contains(position) { return (offset + (position - part.lowerBound), part.upperBound) }
            offset += Int64(part.count)
        }
        return (0, position)
    }
}
