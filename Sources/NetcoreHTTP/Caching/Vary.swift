/// The request fields that an answer depends on (RFC 9110 section 12.5.5), and the key of a variant made of their values
/// (RFC 9111 section 4.1).
package struct Vary: Sendable, Hashable {
    /// In lower case, sorted, each once.
    package private(set) var names: [String] = []
    /// Whether "*" is among them, or something that is no field name: no request ever matches.
    package private(set) var isAny = false

    package init() {}

    /// Reads all Vary fields.
    package init(_ fields: FieldBlock) {
        var found: Set<String> = []
        fields.forEachValue(of: "vary") { value in
            for element in Syntax.listElements(value) {
                if element.elementsEqual("*".utf8) || !Syntax.isToken(element) { isAny = true }
                found.insert(CacheControl.lowercased(element))
            }
        }
        names = found.sorted()
    }

    /// The variant that a request asks for: a text that is equal for two requests exactly when the fields of ``names``
    /// match. Each name is followed by "-" when the request has no such field, or by the length of its value and the
    /// value. Empty without names.
    package func key(_ request: FieldBlock) -> String {
        guard !names.isEmpty else { return "" }
        var key: [UInt8] = []
        for name in names {
            key += Array(name.utf8)
            if let value = Self.normalizedValue(name, request) {
                key += Array("=\(value.count):".utf8) + value
            } else {
                key.append(UInt8(ascii: "-"))
            }
            key.append(UInt8(ascii: "\n"))
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// Whether a request asks for the variant of that key.
    package func matches(_ key: String, _ request: FieldBlock) -> Bool {
        guard !isAny else { return false }
        return names.isEmpty || key == self.key(request)
    }

    // MARK: Normalising

    /// What may change in a field's value without changing its meaning.
    private enum Form {
        /// Only the ends, and the number of field lines.
        case opaque
        /// White space and empty elements of a list.
        case list
        /// The case as well.
        case caselessList
    }

    private static func form(_ name: String) -> Form {
        switch name {
        case "accept-encoding", "accept-language", "accept-charset": .caselessList
        case "accept", "cache-control", "prefer", "te", "want-repr-digest", "want-content-digest": .list
        default: .opaque
        }
    }

    /// A field's value over all its lines, made equal where its syntax says that it is; nil when the request has none.
    /// The order of a list stays: some origins read it as a preference.
    private static func normalizedValue(_ name: String, _ request: FieldBlock) -> [UInt8]? {
        var name = name
        guard let joined = name.withUTF8({ request.joinedValue(of: UnsafeRawBufferPointer($0)) }) else { return nil }
        return joined.withUnsafeBytes { bytes in
            switch form(name) {
            case .opaque: escaped(Syntax.trimmed(bytes))
            case .list: list(bytes) { element in name == "accept" ? mediaRange(element) : Array(element) }
            case .caselessList: list(bytes) { element in withoutSpaces(element).map(Syntax.lowercased) }
            }
        }
    }

    private static func list(
        _ bytes: UnsafeRawBufferPointer, _ normalized: (UnsafeRawBufferPointer) -> [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        var scanner = ListScanner(bytes)
        while scanner.skipToElement() {
            if !result.isEmpty { result.append(UInt8(ascii: ",")) }
            result += normalized(scanner.rest())
        }
        return escaped(result)
    }

    /// The type of a media range is caseless, its parameters need not be (RFC 9110 section 8.3.1). White space goes where
    /// no string is quoted.
    private static func mediaRange(_ element: UnsafeRawBufferPointer) -> [UInt8] {
        guard !element.contains(UInt8(ascii: "\"")) else { return Array(element) }
        let bare = withoutSpaces(element)
        let end = bare.firstIndex(of: UInt8(ascii: ";")) ?? bare.count
        return bare[..<end].map(Syntax.lowercased) + bare[end...]
    }

    private static func withoutSpaces(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        bytes.filter { !Syntax.isWhitespace($0) }
    }

    /// Keeps apart what would be one text after damaged UTF-8 is mended: bytes above 127 are written as "%" and two
    /// digits, and "%" itself as well.
    private static func escaped(_ bytes: some Collection<UInt8>) -> [UInt8] {
        guard bytes.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return Array(bytes) }
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { byte in
            byte >= 0x80 || byte == UInt8(ascii: "%")
                ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
        }
    }
}
