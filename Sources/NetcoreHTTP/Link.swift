/// A link of a response (RFC 8288).
public struct Link: Sendable, Hashable {
    /// The target: absolute, or as it stands there if it cannot be resolved.
    public let url: String
    /// The relation types, in lower case, with spaces between: "next". Empty if it names none.
    public let relation: String
    /// The other parameters, in their order, with names in lower case.
    public let parameters: [String: String]

    /// Whether it has a relation type, compared without case.
    public func hasRelation(_ type: String) -> Bool {
        relation.split(separator: " ").contains { Syntax.equalsIgnoringCase(String($0), type) }
    }

    /// The links of Link fields; what cannot be read ends a field.
    static func parse(_ fields: [String], base: HTTPURL?) -> [Link] {
        fields.flatMap { field in
            var parser = LinkParser(field, base)
            return parser.parse()
        }
    }
}

private struct LinkParser {
    private var rest: Substring.UTF8View
    private let base: HTTPURL?

    init(_ field: String, _ base: HTTPURL?) {
        rest = Substring(field).utf8
        self.base = base
    }

    mutating func parse() -> [Link] {
        var result: [Link] = []
        while true {
            skip { Syntax.isWhitespace($0) || $0 == UInt8(ascii: ",") }
            guard rest.popFirst() == UInt8(ascii: "<") else { return result }
            let target = take { $0 != UInt8(ascii: ">") }
            guard rest.popFirst() != nil else { return result }
            var relation: String?
            var parameters: [String: String] = [:]
            while let (name, value) = parameter() {
                if name == "rel" {
                    relation = relation ?? value.lowercased()
                } else if parameters[name] == nil {
                    parameters[name] = value
                }
            }
            result.append(Link(url: resolved(target), relation: relation ?? "", parameters: parameters))
        }
    }

    private func resolved(_ target: String) -> String {
        var target = target
        guard let base, let url = target.withUTF8({ try? base.resolving(UnsafeRawBufferPointer($0)) }) else {
            return target
        }
        return url.string
    }

    /// The next parameter of this link.
    private mutating func parameter() -> (name: String, value: String)? {
        skip(Syntax.isWhitespace)
        guard rest.first == UInt8(ascii: ";") else { return nil }
        skip { Syntax.isWhitespace($0) || $0 == UInt8(ascii: ";") }
        let name = take(while: Syntax.isTokenByte).lowercased()
        guard !name.isEmpty else { return nil }
        skip(Syntax.isWhitespace)
        guard rest.first == UInt8(ascii: "=") else { return (name, "") }
        rest.removeFirst()
        skip(Syntax.isWhitespace)
        guard rest.first == UInt8(ascii: "\"") else {
            return (name, take { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") && !Syntax.isWhitespace($0) })
        }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return (name, String(decoding: bytes, as: UTF8.self))
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(decoding: taken, as: UTF8.self)
    }
}
