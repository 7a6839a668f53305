internal import Glibc

/// The text of a body (RFC 9110 section 8.3.2): a byte order mark decides, then the charset of Content-Type, then UTF-8 does.
package enum Charset {
    /// The charset of a Content-Type field, in lower case; nil if it names none.
    package static func named(_ contentType: some Sequence<UInt8>) -> String? {
        var isQuoted = false
        var parts: [[UInt8]] = [[]]
        for byte in contentType {
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if byte == UInt8(ascii: ";"), !isQuoted { parts.append([]) } else { parts[parts.count - 1].append(byte) }
        }
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let name = part[..<equals].filter { !Syntax.isWhitespace($0) }
            guard Syntax.equalsIgnoringCase(String(decoding: name, as: UTF8.self), "charset") else { continue }
            let value = part[(equals + 1)...].filter { !Syntax.isWhitespace($0) && $0 != 0x22 && $0 != 0x27 }
            return value.isEmpty ? nil : String(decoding: value, as: UTF8.self).lowercased()
        }
        return nil
    }

    /// A body as text; bytes that do not decode become U+FFFD.
    ///
    /// - Parameter charset: nil, and one that is not known, for UTF-8.
    package static func decode(_ body: UnsafeRawBufferPointer, _ charset: String?) -> String {
        if body.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8(body.dropFirst(3)) }
        if body.starts(with: [0xFE, 0xFF]) { return converted(body.dropFirst(2), "UTF-16BE") ?? utf8(body[...]) }
        if body.starts(with: [0xFF, 0xFE]) { return converted(body.dropFirst(2), "UTF-16LE") ?? utf8(body[...]) }
        guard let encoding = charset.flatMap({ encoding($0) }) else { return utf8(body[...]) }
        return converted(body[...], encoding) ?? utf8(body[...])
    }

    private static func utf8(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Nil if libc does not have the encoding.
    private static func converted(_ bytes: Slice<UnsafeRawBufferPointer>, _ encoding: String) -> String? {
        Converter(encoding)?.convert(UnsafeRawBufferPointer(rebasing: bytes))
    }

    private final class Converter {
        private let handle: iconv_t
        /// The bytes that are left out where they do not decode.
        private let unit: Int

        init?(_ charset: String) {
            guard let handle = iconv_open("UTF-8", charset), Int(bitPattern: handle) != -1 else { return nil }
            self.handle = handle
            unit = charset.hasPrefix("UTF-16") ? 2 : 1
        }

        deinit { iconv_close(handle) }

        func convert(_ bytes: UnsafeRawBufferPointer) -> String {
            var result: [UInt8] = []
            result.reserveCapacity(bytes.count)
            var chunk = [CChar](repeating: 0, count: 4096)
            var next = UnsafeMutableRawPointer(mutating: bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            var left = bytes.count
            while left > 0 {
                let (status, reason): (Int, Int32) = chunk.withUnsafeMutableBufferPointer { room in
                    var end = room.baseAddress
                    var free = room.count
                    let status = iconv(handle, &next, &left, &end, &free)
                    let reason = errno
                    result += UnsafeRawBufferPointer(start: room.baseAddress, count: room.count - free)
                    return (status, reason)
                }
                guard status == -1, reason != E2BIG else { continue }
                result += [0xEF, 0xBF, 0xBD]
                // What is incomplete is the end.
                let skipped = reason == EILSEQ ? min(unit, left) : left
                next = next.map { $0 + skipped }
                left -= skipped
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}
