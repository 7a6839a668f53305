/// Syntax rules of RFC 9110 section 5, over bytes.
package enum Syntax {
    /// tchar (RFC 9110 section 5.6.2).
    ///
    /// A bit for each of the bytes 0 to 63 and 64 to 127: digits and !#$%&'*+-. in the first word, letters and ^_`|~ in
    /// the second.
    @inlinable package static func isTokenByte(_ byte: UInt8) -> Bool {
        let word: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : byte < 128 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return word >> (UInt64(byte) & 63) & 1 == 1
    }

    /// token: one or more tchar.
    @inlinable package static func isToken(_ bytes: some Sequence<UInt8>) -> Bool {
        var isEmpty = true
        for byte in bytes {
            guard isTokenByte(byte) else { return false }
            isEmpty = false
        }
        return !isEmpty
    }

    /// The same for text, byte by byte in place.
    package static func isToken(_ text: String.UTF8View) -> Bool {
        withBytes(text) { bytes in
            for byte in bytes where !isTokenByte(byte) { return false }
            return !bytes.isEmpty
        }
    }

    /// What a field value may hold (RFC 9110 section 5.5): no control byte but tab.
    @inlinable package static func isFieldValue(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes where (byte < 0x20 && byte != 0x09) || byte == 0x7F { return false }
        return true
    }

    /// The same over memory, eight bytes at a time: a byte below 0x20 or equal to 0x7F may set the high bit of its lane,
    /// and only then are bytes checked one by one. The last eight may overlap those before.
    package static func isFieldValue(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8 else { return areFieldValueBytes(bytes, 0, bytes.count) }
        var index = 0
        while true {
            let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let low = (word &- 0x2020_2020_2020_2020) & ~word
            let delete = word ^ 0x7F7F_7F7F_7F7F_7F7F
            let isDelete = (delete &- 0x0101_0101_0101_0101) & ~delete
            if (low | isDelete) & 0x8080_8080_8080_8080 != 0, !areFieldValueBytes(bytes, index, index + 8) {
                return false
            }
            if index + 8 == bytes.count { return true }
            index = min(index + 8, bytes.count - 8)
        }
    }

    package static func isFieldValue(_ text: String.UTF8View) -> Bool { withBytes(text) { isFieldValue($0) } }

    package static func isFieldValue(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isFieldValue($0) } }

    private static func withBytes<Result>(
        _ text: String.UTF8View, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        text.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(text).withUnsafeBytes(body)
    }

    private static func areFieldValueBytes(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int) -> Bool {
        var index = start
        while index < end {
            let byte = bytes[index]
            if (byte < 0x20 && byte != 0x09) || byte == 0x7F { return false }
            index += 1
        }
        return true
    }

    @inlinable package static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether two byte strings are equal without regard to ASCII case.
    @inlinable package static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: StaticString) -> Bool {
        guard left.count == right.utf8CodeUnitCount else { return false }
        let other = right.utf8Start
        for index in 0..<left.count where left[index] != other[index] {
            guard lowercased(left[index]) == lowercased(other[index]) else { return false }
        }
        return true
    }

    package static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count where left[index] != right[index] {
            guard lowercased(left[index]) == lowercased(right[index]) else { return false }
        }
        return true
    }

    package static func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count else { return false }
        return withBytes(left.utf8) { left in withBytes(right.utf8) { equalsIgnoringCase(left, $0) } }
    }

    /// Bytes without spaces and tabs at both ends.
    package static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, isWhitespace(bytes[start]) { start += 1 }
        while end > start, isWhitespace(bytes[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// The elements of a comma-separated list (RFC 9110 section 5.6.1), without white space and empty ones. Quoted
    /// strings are not looked into: for fields whose elements are tokens or numbers.
    package static func listElements(_ bytes: UnsafeRawBufferPointer) -> [UnsafeRawBufferPointer] {
        var elements: [UnsafeRawBufferPointer] = []
        forEachElement(bytes) { elements.append($0) }
        return elements
    }

    /// The same, without an array.
    package static func forEachElement(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: ",") { end += 1 }
            let element = trimmed(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            if !element.isEmpty { body(element) }
            start = end + 1
        }
    }

}
