/// What a server asks for with 401 (RFC 9110 section 11.6.1).
public struct Challenge: Sendable, Hashable {
    /// Such as "Basic" and "Digest", as the server writes it.
    public let scheme: String
    /// Nil where the server names none.
    public let realm: String?

    package init(scheme: String, realm: String?) {
        self.scheme = scheme
        self.realm = realm
    }

    /// What netcore can answer, the strongest first.
    public enum Scheme: String, Sendable, Hashable, CaseIterable {
        case negotiate, digest, bearer, basic
    }

    /// Nil for a scheme that netcore cannot answer.
    public var knownScheme: Scheme? { Scheme.allCases.first { Syntax.equalsIgnoringCase(scheme, $0.rawValue) } }

    /// The challenge of the strongest scheme that netcore can answer; among equals the first.
    package static func strongest(of challenges: [Challenge]) -> Challenge? {
        for scheme in Scheme.allCases {
            if let found = challenges.first(where: { $0.knownScheme == scheme }) { return found }
        }
        return nil
    }

    /// The challenges of a WWW-Authenticate field, as far as it can be read.
    package static func parse(_ field: String) -> [Challenge] {
        var parser = ChallengeParser(field)
        return parser.parse()
    }
}

/// Schemes and parameters stand in one list: a name followed by "=" is a parameter.
private struct ChallengeParser {
    private var rest: Substring.UTF8View
    private var result: [Challenge] = []

    init(_ field: String) { rest = Substring(field).utf8 }

    mutating func parse() -> [Challenge] {
        while true {
            skip { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
            let name = take(while: Syntax.isTokenByte)
            guard !name.isEmpty else { return result }
            let behind = rest
            skip(Syntax.isWhitespace)
            guard rest.first == UInt8(ascii: "=") else {
                rest = behind
                result.append(Challenge(scheme: name, realm: nil))
                takeCredentials()
                continue
            }
            guard !result.isEmpty else { return [] }
            rest.removeFirst()
            skip(Syntax.isWhitespace)
            let value = takeValue()
            if Syntax.equalsIgnoringCase(name, "realm"), let last = result.last, last.realm == nil {
                result[result.count - 1] = Challenge(scheme: last.scheme, realm: value)
            }
        }
    }

    /// What may follow a scheme in place of parameters: one run of base64, with "=" only at its end.
    private mutating func takeCredentials() {
        let behind = rest
        skip(Syntax.isWhitespace)
        _ = take { Syntax.isTokenByte($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "=") }
        skip(Syntax.isWhitespace)
        let isAlone = rest.isEmpty || rest.first == UInt8(ascii: ",")
        if !isAlone || !Self.isTokenSixtyEight(behind, upTo: rest) { rest = behind }
    }

    /// Whether no "=" is followed by something else: else it was a parameter.
    private static func isTokenSixtyEight(_ from: Substring.UTF8View, upTo end: Substring.UTF8View) -> Bool {
        let text = from[..<end.startIndex].drop(while: Syntax.isWhitespace)
        let body = text.prefix { $0 != UInt8(ascii: "=") }
        let tail = text[body.endIndex...]
        return !body.isEmpty && tail.allSatisfy { $0 == UInt8(ascii: "=") || Syntax.isWhitespace($0) }
    }

    private mutating func takeValue() -> String {
        guard rest.first == UInt8(ascii: "\"") else { return take(while: Syntax.isTokenByte) }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            bytes.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
        let taken = rest.prefix(while: isTaken)
        rest = rest[taken.endIndex...]
        return String(decoding: taken, as: UTF8.self)
    }
}
