internal import Glibc

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

    /// One piece of memory: room for spans, then room for bytes.
    private var spans: UnsafeMutablePointer<Span>?
    private var spanCapacity = 0
    private var bytes: UnsafeMutableRawPointer?
    private var capacity = 0
    private var size = 0
    package private(set) var count = 0

    package init() {}

    deinit { free(spans) }

    /// Adds a field. Returns false when memory ran out.
    @discardableResult
    package func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) -> Bool {
        let total = name.count + value.count + 2
        guard makeRoom(total), let bytes, let spans else { return false }
        let start = bytes + size
        if let source = name.baseAddress { memcpy(start, source, name.count) }
        start.storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
        if let source = value.baseAddress { memcpy(start + name.count + 1, source, value.count) }
        start.storeBytes(of: 0, toByteOffset: total - 1, as: UInt8.self)
        spans[count] = Span(
            name: UInt32(truncatingIfNeeded: size), nameCount: UInt32(truncatingIfNeeded: name.count),
            value: UInt32(truncatingIfNeeded: size + name.count + 1),
            valueCount: UInt32(truncatingIfNeeded: value.count))
        size += total
        count += 1
        return true
    }

    /// Adds a field. Returns false when memory ran out.
    @discardableResult
    package func append(_ name: String, _ value: String) -> Bool {
        var name = name
        var value = value
        return name.withUTF8 { name in
            value.withUTF8 { append(name: UnsafeRawBufferPointer(name), value: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Joins a folded line to the last value with one space (RFC 9112 section 5.2). Returns false without a field.
    package func extendLast(with line: UnsafeRawBufferPointer) -> Bool {
        guard count > 0, makeRoom(line.count + 1), let bytes, let spans else { return false }
        bytes.storeBytes(of: UInt8(ascii: " "), toByteOffset: size - 1, as: UInt8.self)
        if let source = line.baseAddress { memcpy(bytes + size, source, line.count) }
        size += line.count + 1
        bytes.storeBytes(of: 0, toByteOffset: size - 1, as: UInt8.self)
        spans[count - 1].valueCount += UInt32(line.count + 1)
        return true
    }

    /// Another block with the same fields, and with room for two more of so many bytes in all. Empty when memory ran out.
    package func copy(withRoomFor more: Int) -> FieldBlock {
        let result = FieldBlock()
        guard let source = bytes, let sourceSpans = spans, result.move(spanRoom: count + 2, byteRoom: size + more),
            let bytes = result.bytes, let spans = result.spans
        else { return result }
        memcpy(bytes, source, size)
        memcpy(spans, sourceSpans, count * MemoryLayout<Span>.stride)
        result.size = size
        result.count = count
        return result
    }

    private func makeRoom(_ more: Int) -> Bool {
        if size + more <= capacity, count < spanCapacity { return true }
        return move(
            spanRoom: count < spanCapacity ? spanCapacity : max(spanCapacity * 2, 16),
            byteRoom: size + more <= capacity ? capacity : max(size + more, capacity * 2, 768))
    }

    /// Moves to another piece of memory.
    private func move(spanRoom: Int, byteRoom: Int) -> Bool {
        let spanBytes = spanRoom * MemoryLayout<Span>.stride
        guard byteRoom <= Int(UInt32.max), let larger = malloc(spanBytes + byteRoom) else { return false }
        if let spans, let bytes {
            memcpy(larger, spans, count * MemoryLayout<Span>.stride)
            memcpy(larger + spanBytes, bytes, size)
        }
        free(spans)
        spans = larger.assumingMemoryBound(to: Span.self)
        spanCapacity = spanRoom
        bytes = larger + spanBytes
        capacity = byteRoom
        return true
    }

    /// All fields: for each the name, a NUL byte, the value, a NUL byte.
    package var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: size) }

    package func name(at index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count)
        guard let bytes, let span = spans?[index] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: bytes + Int(span.name), count: Int(span.nameCount))
    }

    package func value(at index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count)
        guard let bytes, let span = spans?[index] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: bytes + Int(span.value), count: Int(span.valueCount))
    }

    /// A value as UTF-8 text, damaged bytes replaced.
    package func text(at index: Int) -> String { String(decoding: value(at: index), as: UTF8.self) }

    /// The index of the n-th field of a name, compared without case.
    package func index(of name: UnsafeRawBufferPointer, occurrence: Int = 0, from first: Int = 0) -> Int? {
        guard let bytes, let spans, first < count else { return nil }
        var left = occurrence
        for index in first..<count where spans[index].nameCount == name.count {
            let start = bytes + Int(spans[index].name)
            let found = UnsafeRawBufferPointer(start: start, count: name.count)
            guard Syntax.equalsIgnoringCase(found, name) else { continue }
            if left == 0 { return index }
            left -= 1
        }
        return nil
    }

    package func index(of name: StaticString) -> Int? {
        index(of: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }
}

extension FieldBlock: SentFields {
    package var fields: FieldBlock { self }
}
