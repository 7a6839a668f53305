/// Reads Cache-Control fields as a list of directives (RFC 9111 section 5.2): over all field lines, names in any case,
/// arguments as tokens or quoted strings.
///
/// What is not of the grammar never makes an answer live longer: a directive with white space around its "=" or with
/// anything after its argument has a malformed argument, and a quoted string without an end damages the whole field.
package enum CacheControl {
    package enum Argument {
        case none
        case token(UnsafeRawBufferPointer)
        /// Without its quotes and backslashes.
        case quoted([UInt8])
        case malformed
    }

    /// delta-seconds above this are read as this (RFC 9111 section 1.2.2).
    package static let longest: Int64 = 1 << 31

    /// Lends each directive of all fields of a name. Returns false when a quoted string had no end.
    package static func forEachDirective(
        in fields: FieldBlock, of field: StaticString = "cache-control",
        _ body: (_ name: UnsafeRawBufferPointer, _ argument: Argument) -> Void
    ) -> Bool {
        var isWhole = true
        fields.forEachValue(of: field) { value in
            var scanner = ListScanner(value)
            while scanner.skipToElement() {
                let name = scanner.token()
                let argument = scanner.argument()
                if !name.isEmpty { body(name, argument) }
            }
            if scanner.isDamaged { isWhole = false }
        }
        return isWhole
    }

    /// The seconds of an argument, quoted or not; nil for what is not a whole number (RFC 9111 section 1.2.2).
    package static func seconds(_ argument: Argument) -> Int64? {
        switch argument {
        case .token(let bytes): seconds(bytes)
        case .quoted(let bytes): bytes.withUnsafeBytes { seconds($0) }
        case .none, .malformed: nil
        }
    }

    package static func seconds(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        guard !bytes.isEmpty else { return nil }
        var result: Int64 = 0
        for byte in bytes {
            guard byte &- 0x30 < 10 else { return nil }
            result = min(result * 10 + Int64(byte &- 0x30), longest)
        }
        return result
    }

    /// The field names of a qualified no-cache or private, in lower case; nil when the argument lists none or something
    /// else, which makes the directive an unqualified one (RFC 9111 sections 5.2.2.4 and 5.2.2.7).
    package static func fieldNames(_ argument: Argument) -> [String]? {
        let names: [String]
        switch argument {
        case .token(let bytes): names = [lowercased(bytes)]
        case .quoted(let bytes):
            let elements = bytes.withUnsafeBytes { bytes -> [String]? in
                let elements = Syntax.listElements(bytes)
                return elements.allSatisfy { Syntax.isToken($0) } ? elements.map(lowercased) : nil
            }
            guard let elements else { return nil }
            names = elements
        case .none, .malformed: return nil
        }
        return names.isEmpty ? nil : names
    }

    package static func lowercased(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.lazy.map(Syntax.lowercased), as: UTF8.self)
    }
}

/// Walks over a comma-separated list whose elements may hold quoted strings (RFC 9110 sections 5.6.1 and 5.6.4).
package struct ListScanner {
    private let bytes: UnsafeRawBufferPointer
    private var index = 0
    /// Whether a quoted string had no end.
    package private(set) var isDamaged = false

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Moves to the next element that is not empty. Returns false at the end.
    package mutating func skipToElement() -> Bool {
        while index < bytes.count, bytes[index] == UInt8(ascii: ",") || Syntax.isWhitespace(bytes[index]) { index += 1 }
        return index < bytes.count
    }

    /// The token that stands here, which may be empty.
    package mutating func token() -> UnsafeRawBufferPointer {
        let start = index
        while index < bytes.count, Syntax.isTokenByte(bytes[index]) { index += 1 }
        return UnsafeRawBufferPointer(rebasing: bytes[start..<index])
    }

    /// The rest of the element: "=" and an argument, or nothing.
    package mutating func argument() -> CacheControl.Argument {
        var result = CacheControl.Argument.none
        if index < bytes.count, bytes[index] == UInt8(ascii: "=") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
                result = quotedString().map(CacheControl.Argument.quoted) ?? .malformed
            } else {
                let token = token()
                result = token.isEmpty ? .malformed : .token(token)
            }
        }
        return skipRest() ? result : .malformed
    }

    /// The rest of the element as it is, without white space at its ends.
    package mutating func rest() -> UnsafeRawBufferPointer {
        let start = index
        _ = skipRest()
        return Syntax.trimmed(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
    }

    /// Moves to the element's end. Returns whether there was nothing but white space.
    private mutating func skipRest() -> Bool {
        var isEmpty = true
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            if bytes[index] == UInt8(ascii: "\"") {
                _ = quotedString()
                isEmpty = false
                continue
            }
            if !Syntax.isWhitespace(bytes[index]) { isEmpty = false }
            index += 1
        }
        return isEmpty
    }

    /// The content of the quoted string that begins here. One without an end is damage: reading goes on after the quote,
    /// so that what restricts is still found.
    ///
    /// Once one had no end, no later quote begins one that has: each was escaped in the first. So none is checked
    /// twice.
    private mutating func quotedString() -> [UInt8]? {
        guard !isDamaged else {
            index += 1
            return nil
        }
        var content: [UInt8] = []
        var end = index + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\"), end + 1 < bytes.count { end += 1 }
            content.append(bytes[end])
            end += 1
        }
        guard end < bytes.count else {
            isDamaged = true
            index += 1
            return nil
        }
        index = end + 1
        return content
    }
}
