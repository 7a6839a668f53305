/// Syntax rules of RFC 9110 section 5, over bytes.
package enum Syntax {
    /// tchar (RFC 9110 section 5.6.2).
    @inlinable package static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
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

    /// What a field value may hold (RFC 9110 section 5.5): no control byte but tab.
    @inlinable package static func isFieldValue(_ bytes: some Sequence<UInt8>) -> Bool {
        for byte in bytes where (byte < 0x20 && byte != 0x09) || byte == 0x7F { return false }
        return true
    }

    @inlinable package static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inlinable package static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }

    /// Whether two byte strings are equal but for ASCII case.
    @inlinable package static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: StaticString) -> Bool {
        guard left.count == right.utf8CodeUnitCount else { return false }
        let other = right.utf8Start
        for index in 0..<left.count where lowercased(left[index]) != lowercased(other[index]) { return false }
        return true
    }

    package static func equalsIgnoringCase(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count else { return false }
        for index in 0..<left.count where lowercased(left[index]) != lowercased(right[index]) { return false }
        return true
    }

    package static func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8) { lowercased($0) == lowercased($1) }
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
        bytes.split(separator: UInt8(ascii: ",")).map { trimmed(UnsafeRawBufferPointer(rebasing: $0)) }
            .filter { !$0.isEmpty }
    }
}
