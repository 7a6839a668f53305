/// A line of a file that curl keeps something in: words with spaces between them.
struct CurlLine {
    private var rest: ArraySlice<UInt8>

    /// The lines of a text that are neither empty nor comments.
    static func lines(of text: [UInt8]) -> [CurlLine] {
        text.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .map { CurlLine(rest: $0.drop(while: Syntax.isWhitespace)) }
            .filter { $0.rest.first.map { $0 != UInt8(ascii: "#") } ?? false }
    }

    var isAtEnd: Bool { rest.allSatisfy(Syntax.isWhitespace) }

    /// Nil at the end.
    mutating func word() -> String? {
        let word = rest.drop(while: Syntax.isWhitespace).prefix { !Syntax.isWhitespace($0) }
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// A time in quotes, as ``CurlDate`` reads it.
    mutating func date() -> Int64? {
        rest = rest.drop(while: Syntax.isWhitespace)
        guard rest.popFirst() == UInt8(ascii: "\"") else { return nil }
        let text = rest.prefix { $0 != UInt8(ascii: "\"") }
        rest = rest[text.endIndex...]
        return rest.popFirst() == nil ? nil : CurlDate.parse(text)
    }
}
