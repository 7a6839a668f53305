/// The request fields that an answer depends on (RFC 9110 section 12.5.5), and the key of a variant made of their values
/// (RFC 9111 section 4.1).
package struct Vary: Sendable, Hashable {
    /// In lower case, sorted, each once.
    package private(set) var names: [String] = []
    /// Whether "*" is among them, or something that is no field name, or too many: no request ever matches.
    package private(set) var isAny = false
    private var selected: [SelectingField] = []

    /// How many names are compared: each is looked for in each request.
    private static let limit = 100

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
        guard !found.isEmpty else { return }
        guard found.count <= Self.limit else {
            names = ["*"]
            isAny = true
            return
        }
        names = found.sorted()
        selected = names.map(SelectingField.init)
    }

    /// The variant that a request asks for: a text that is equal for two requests exactly when the fields of ``names``
    /// match. Each name is followed by "=" and its value, or by "-" when the request has no such field, and by a line
    /// feed. Empty without names.
    package func key(_ request: FieldBlock) -> String {
        selected.isEmpty ? "" : String(decoding: keyBytes(request), as: UTF8.self)
    }

    /// Whether a request asks for the variant of that key.
    package func matches(_ key: String, _ request: FieldBlock) -> Bool {
        guard !isAny else { return false }
        guard !selected.isEmpty else { return true }
        let asked = keyBytes(request)
        return key.utf8.count == asked.count && key.utf8.elementsEqual(asked)
    }

    private func keyBytes(_ request: FieldBlock) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(128)
        for field in selected { field.append(request, to: &key) }
        return key
    }
}

/// A request field that selects a variant, and what may change in its value without changing its meaning.
private struct SelectingField: Sendable, Hashable {
    private enum Form {
        /// White space at the ends of its lines and around commas outside of strings, and the number of lines: whoever
        /// forwards a field may join its lines, or write the commas of a list anew (RFC 9110 sections 5.3 and 5.6.1).
        case opaque
        /// White space around the elements of a list, and empty elements.
        case list
        /// The same, and the case of each element before its parameters.
        case mediaRanges
        /// White space and case throughout.
        case caselessList
        /// The same, and the order: that is no preference to rely on (RFC 9110 section 12.5.4).
        case languages
    }

    private let name: [UInt8]
    private let form: Form

    init(_ name: String) {
        self.name = Array(name.utf8)
        form =
            switch name {
            case "accept-encoding", "accept-charset": .caselessList
            case "accept-language": .languages
            case "accept": .mediaRanges
            case "cache-control", "prefer", "te", "want-repr-digest", "want-content-digest": .list
            default: .opaque
            }
    }

    /// Adds the field's part of a key. The order of other lists stays: some origins read it as a preference.
    func append(_ request: FieldBlock, to key: inout [UInt8]) {
        key += name
        if form == .languages { return appendSorted(request, to: &key) }
        var isPresent = false
        var elements = 0
        name.withUnsafeBytes { name in
            for index in 0..<request.count where Syntax.equalsIgnoringCase(request.name(at: index), name) {
                if !isPresent { key.append(UInt8(ascii: "=")) }
                isPresent = true
                append(request.value(at: index), behind: &elements, to: &key)
            }
        }
        if !isPresent { key.append(UInt8(ascii: "-")) }
        key.append(UInt8(ascii: "\n"))
    }

    private func append(_ value: UnsafeRawBufferPointer, behind elements: inout Int, to key: inout [UInt8]) {
        if form == .opaque {
            if elements > 0 { key.append(UInt8(ascii: ",")) }
            elements += 1
            return Self.append(opaque: Syntax.trimmed(value), to: &key)
        }
        var scanner = ListScanner(value)
        while scanner.skipToElement() {
            if elements > 0 { key.append(UInt8(ascii: ",")) }
            elements += 1
            append(element: scanner.rest(), to: &key)
        }
    }

    private func appendSorted(_ request: FieldBlock, to key: inout [UInt8]) {
        var isPresent = false
        var elements: [[UInt8]] = []
        name.withUnsafeBytes { name in
            for index in 0..<request.count where Syntax.equalsIgnoringCase(request.name(at: index), name) {
                isPresent = true
                var scanner = ListScanner(request.value(at: index))
                while scanner.skipToElement() {
                    var element: [UInt8] = []
                    append(element: scanner.rest(), to: &element)
                    elements.append(element)
                }
            }
        }
        key.append(UInt8(ascii: isPresent ? "=" : "-"))
        elements.sort { $0.lexicographicallyPrecedes($1) }
        key += elements.joined(separator: [UInt8(ascii: ",")])
        key.append(UInt8(ascii: "\n"))
    }

    /// Adds a value as it is, without the white space beside commas that are in no quoted string.
    private static func append(opaque value: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        var isQuoted = false
        var isEscaped = false
        var isAfterComma = false
        var spaces = 0
        for (index, byte) in value.enumerated() {
            if !isQuoted, Syntax.isWhitespace(byte) {
                spaces += 1
                continue
            }
            let isComma = !isQuoted && byte == UInt8(ascii: ",")
            if !isComma, !isAfterComma {
                for space in value[(index - spaces)..<index] { append(space, to: &key) }
            }
            spaces = 0
            isAfterComma = isComma
            if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && byte == UInt8(ascii: "\\") && !isEscaped
            append(byte, to: &key)
        }
    }

    /// The type of a media range is caseless, its parameters need not be (RFC 9110 section 8.3.1). White space goes where
    /// no string is quoted.
    private func append(element: UnsafeRawBufferPointer, to key: inout [UInt8]) {
        let isVerbatim = form == .list || (form == .mediaRanges && element.contains(UInt8(ascii: "\"")))
        var isCaseless = form != .list
        for byte in element {
            if isVerbatim {
                Self.append(byte, to: &key)
            } else if !Syntax.isWhitespace(byte) {
                if form == .mediaRanges, byte == UInt8(ascii: ";") { isCaseless = false }
                Self.append(isCaseless ? Syntax.lowercased(byte) : byte, to: &key)
            }
        }
    }

    /// Adds a byte, as "%" and two digits if it is a control byte, above 126 or "%": the key is ASCII and its line feeds
    /// are its own.
    private static func append(_ byte: UInt8, to key: inout [UInt8]) {
        guard byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "%") else { return key.append(byte) }
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
        key += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
    }
}
