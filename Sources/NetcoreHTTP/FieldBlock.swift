internal import NetcoreSupport

/// The fields of a header or trailer section, as received: one run of bytes in which each name and each value is followed
/// by a NUL byte, and where each one is.
///
/// Filled by one owner, then only read.
package final class FieldBlock: @unchecked Sendable {  // see above
    private struct Span {
        var name: UInt32
        var nameCount: UInt32
        var value: UInt32
        var valueCount: UInt32
    }

    private let bytes = ByteBuffer()
    private var spans: ContiguousArray<Span> = []

    package init() {
        _ = bytes.reserve(512)
        spans.reserveCapacity(12)
    }

    package var count: Int { spans.count }

    /// Adds a field. Returns false when memory ran out.
    package func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        let start = bytes.count
        let size = name.count + value.count + 2
        guard start + size <= Int(UInt32.max), let room = bytes.room(for: size) else { return false }
        if let source = name.baseAddress { room.copyMemory(from: source, byteCount: name.count) }
        room.storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
        if let source = value.baseAddress {
            (room + name.count + 1).copyMemory(from: source, byteCount: value.count)
        }
        room.storeBytes(of: 0, toByteOffset: size - 1, as: UInt8.self)
        bytes.commit(size)
        spans.append(
            Span(
                name: UInt32(start), nameCount: UInt32(name.count), value: UInt32(start + name.count + 1),
                valueCount: UInt32(value.count)))
        return true
    }

    /// Joins a folded line to the last value with one space (RFC 9112 section 5.2). Returns false without a field.
    package func extendLast(with line: UnsafeRawBufferPointer) -> Bool {
        guard !spans.isEmpty else { return false }
        bytes.removeLast(1)
        guard bytes.append(UInt8(ascii: " ")), bytes.append(line), bytes.append(0) else { return false }
        spans[spans.count - 1].valueCount += UInt32(line.count + 1)
        return true
    }

    package func removeAll() {
        bytes.removeAll()
        spans.removeAll(keepingCapacity: true)
    }

    package func name(at index: Int) -> UnsafeRawBufferPointer {
        let span = spans[index]
        return UnsafeRawBufferPointer(rebasing: bytes.bytes[Int(span.name)..<Int(span.name + span.nameCount)])
    }

    package func value(at index: Int) -> UnsafeRawBufferPointer {
        let span = spans[index]
        return UnsafeRawBufferPointer(rebasing: bytes.bytes[Int(span.value)..<Int(span.value + span.valueCount)])
    }

    /// The index of the n-th field of a name, compared without case.
    package func index(of name: UnsafeRawBufferPointer, occurrence: Int = 0) -> Int? {
        var left = occurrence
        for index in spans.indices where Syntax.equalsIgnoringCase(self.name(at: index), name) {
            if left == 0 { return index }
            left -= 1
        }
        return nil
    }

    package func index(of name: StaticString) -> Int? {
        index(of: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}
