/// Puts values into the places of a URL that are named in braces: "/users/{id}" (simple expansion, RFC 6570 section 3.2.2).
package enum PathTemplate {
    /// - Parameter values: by name; each goes in as one segment, percent-encoded.
    package static func expand(_ template: String, _ values: [(name: String, value: String)]) throws(NetcoreError)
        -> String
    {
        var result: [UInt8] = []
        var rest = Substring(template).utf8[...]
        var used: Set<String> = []
        while let open = rest.firstIndex(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            result += rest[..<open]
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
            guard let value = values.last(where: { $0.name == name })?.value else {
                throw NetcoreError(.invalidURL, argument: "url", "{\(name)} in the template has no value")
            }
            // "." and ".." would be taken for the folder and the one above it, percent-encoded or not (RFC 3986 section 6.2.2.3).
            guard !value.isEmpty, value != ".", value != ".." else {
                throw NetcoreError(
                    .invalidURL, argument: "url", "the value of {\(name)} must not be empty, \".\" or \"..\"")
            }
            used.insert(name)
            PercentEncoding.append(value.utf8, .component, to: &result)
            rest = rest[rest.index(after: close)...]
        }
        result += rest
        if let (name, _) = values.first(where: { !used.contains($0.name) }) {
            throw NetcoreError(.invalidURL, argument: "url", "the template has no {\(name)}")
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
