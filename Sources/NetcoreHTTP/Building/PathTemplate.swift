/// Puts values into the places of a URL that are named in braces: "/users/{id}" (simple expansion, RFC 6570 section 3.2.2).
package enum PathTemplate {
    private enum Piece {
        case text(Substring.UTF8View)
        case name(String)
    }

    private static func pieces(_ template: String) throws(NetcoreError) -> [Piece] {
        var result: [Piece] = []
        var rest = Substring(template).utf8[...]
        while let open = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            result.append(.text(rest[..<open]))
            guard rest[open] == UInt8(ascii: "{"),
                let close = rest[open...].firstIndex(of: UInt8(ascii: "}")), close > rest.index(after: open)
            else {
                throw NetcoreError(
                    .invalidURL, argument: "url", "the template has an unmatched brace or an empty name")
            }
            let name = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            guard isName(name.utf8) else {
                throw NetcoreError(
                    .invalidURL, argument: "url", "{\(name)} in the template must consist of letters, digits and _")
            }
            result.append(.name(name))
            rest = rest[rest.index(after: close)...]
        }
        result.append(.text(rest))
        return result
    }

    /// The names in braces, in their order, each once.
    package static func names(_ template: String) throws(NetcoreError) -> [String] {
        var result: [String] = []
        for case .name(let name) in try pieces(template) where !result.contains(name) { result.append(name) }
        return result
    }

    /// The path of a template, which begins with "/".
    package static func path(of template: String) -> String {
        var rest = Substring(template).utf8[...]
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            rest = rest[colon...].dropFirst(3).drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        }
        let path = Substring(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        return path.utf8.first == UInt8(ascii: "/") ? String(path) : "/\(path)"
    }

    /// Whether a value can be one segment of a path: "." and ".." would be taken for the folder and the one above it, percent-encoded or not
    /// (RFC 3986 section 6.2.2.3).
    package static func isSegment(_ value: String) -> Bool { !value.isEmpty && value != "." && value != ".." }

    /// - Parameter values: by name; each goes in as one segment, percent-encoded.
    package static func expand(_ template: String, _ values: [(name: String, value: String)]) throws(NetcoreError)
        -> String
    {
        var result: [UInt8] = []
        var used: Set<String> = []
        for piece in try pieces(template) {
            switch piece {
            case .text(let text): result += text
            case .name(let name):
                guard let value = values.last(where: { $0.name == name })?.value else {
                    throw NetcoreError(.invalidURL, argument: "url", "{\(name)} in the template has no value")
                }
                guard isSegment(value) else {
                    throw NetcoreError(
                        .invalidURL, argument: "url", "the value of {\(name)} must not be empty, \".\" or \"..\"")
                }
                used.insert(name)
                PercentEncoding.append(value.utf8, .component, to: &result)
            }
        }
        if let (name, _) = values.first(where: { !used.contains($0.name) }) {
            throw NetcoreError(.invalidURL, argument: "url", "the template has no {\(name)}")
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A text with values in the places that it names in braces; nil if one of them has none. A text that is not a template stays as it is.
    package static func fill(
        _ text: String, _ value: (_ name: String) throws(NetcoreError) -> String?
    ) throws(NetcoreError) -> String? {
        guard text.utf8.contains(UInt8(ascii: "{")), let pieces = try? pieces(text) else { return text }
        var result: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let text): result += text
            case .name(let name):
                guard let value = try value(name) else { return nil }
                result += value.utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a text can stand between braces.
    package static func isName(_ text: some Collection<UInt8>) -> Bool {
        !text.isEmpty
            && text.allSatisfy { byte in
                Syntax.lowercased(byte) >= UInt8(ascii: "a") && Syntax.lowercased(byte) <= UInt8(ascii: "z")
                    || byte >= 0x30 && byte <= 0x39 || byte == UInt8(ascii: "_")
            }
    }
}
