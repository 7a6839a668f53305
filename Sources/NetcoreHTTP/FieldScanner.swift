/// Reads a field value from left to right, strictly: what does not stand there is not skipped.
struct FieldScanner {
    private var rest: Slice<UnsafeRawBufferPointer>

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipWhitespace() { rest = rest.drop(while: Syntax.isWhitespace) }

    /// Takes a byte if it stands here.
    mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: byte) else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Nil when none stands here.
    mutating func token() -> [UInt8]? {
        let token = rest.prefix(while: Syntax.isTokenByte)
        rest = rest[token.endIndex...]
        return token.isEmpty ? nil : Array(token)
    }

    /// The content of a quoted string (RFC 9110 section 5.6.4); nil when none stands here, or it has no end.
    mutating func quotedString() -> [UInt8]? {
        guard take("\"") else { return nil }
        var content: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return content }
            guard let taken = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte, Syntax.isFieldValue([taken]) else {
                return nil
            }
            content.append(taken)
        }
        return nil
    }

    mutating func tokenOrQuotedString() -> [UInt8]? { rest.first == UInt8(ascii: "\"") ? quotedString() : token() }
}

extension [UInt8] {
    /// In lower case.
    var loweredText: String { String(decoding: lazy.map(Syntax.lowercased), as: UTF8.self) }

    /// A whole number of seconds; more than 68 years are 68 years (RFC 9111 section 1.2.2).
    var seconds: Int64? { withUnsafeBytes { CacheControl.seconds($0) } }
}
