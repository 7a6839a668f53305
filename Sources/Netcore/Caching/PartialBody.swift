internal import NetcoreHTTP
internal import NetcoreSupport

/// The bytes of the parts of a body, one part behind the other.
enum PartialBody {
    /// The bytes of old parts and a new one, which replaces what it covers, in the order of the parts together. Nil when
    /// memory ran out.
    static func joined(
        _ old: PartialContent, _ oldBytes: ByteBuffer, _ range: Range<Int64>, _ bytes: ByteBuffer, into all: PartialContent
    ) -> ByteBuffer? {
        let result = ByteBuffer()
        guard result.reserve(all.ranges.reduce(0) { $0 + $1.count }) else { return nil }
        for run in all.ranges {
            var position = run.lowerBound
            while position < run.upperBound {
                if range.contains(position) {
                    let end = min(range.upperBound, run.upperBound)
                    append(bytes, position - range.lowerBound, end - position, to: result)
                    position = end
                } else {
                    let (offset, partEnd) = place(of: position, in: old)
                    let limit = position < range.lowerBound ? min(partEnd, range.lowerBound) : partEnd
                    guard limit > position else { return nil }
                    append(oldBytes, offset, limit - position, to: result)
                    position = limit
                }
            }
        }
        return result
    }

    private static func append(_ from: ByteBuffer, _ offset: Int64, _ count: Int64, to result: ByteBuffer) {
        result.append(UnsafeRawBufferPointer(rebasing: from.bytes[Int(offset)..<Int(offset + count)]))
    }

    /// Where a byte of the representation stands among the stored bytes, and where its part ends.
    private static func place(of position: Int64, in parts: PartialContent) -> (offset: Int64, end: Int64) {
        var offset: Int64 = 0
        for part in parts.ranges {
            if part.contains(position) { return (offset + position - part.lowerBound, part.upperBound) }
            offset += Int64(part.count)
        }
        return (0, position)
    }
}
