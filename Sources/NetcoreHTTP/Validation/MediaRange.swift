/// Media types that an answer may have: "application/json", "text/*", "application/*+json", "*/*" (RFC 9110 section 12.5.1, without
/// parameters).
package enum MediaRange {
    /// Refuses what names no media type.
    ///
    /// - Parameter argument: as the error names it.
    package static func check(_ text: String, _ argument: String) throws(NetcoreError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ Syntax.isToken($0) }),
            parts[0].elementsEqual("*".utf8) || !parts[0].contains(UInt8(ascii: "*"))
        else {
            throw NetcoreError(
                .invalidArgument, argument: argument,
                "must be a media type without parameters, such as \"application/json\" or \"text/*\"")
        }
    }

    /// Those between commas.
    package static func list(_ text: String, _ argument: String) throws(NetcoreError) -> [String] {
        var result: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let type = String(decoding: part.filter { !Syntax.isWhitespace($0) }, as: UTF8.self)
            try check(type, argument)
            result.append(type)
        }
        return result
    }

    /// The media type of a Content-Type field, in lower case and without parameters.
    package static func named(_ contentType: some Sequence<UInt8>) -> String {
        let bytes = contentType.prefix { $0 != UInt8(ascii: ";") }.filter { !Syntax.isWhitespace($0) }
        return String(decoding: bytes, as: UTF8.self).lowercased()
    }

    /// Whether a range has a media type, which is in lower case.
    package static func contains(_ range: String, _ type: String) -> Bool {
        let range = range.lowercased().utf8.split(separator: UInt8(ascii: "/"))
        let type = type.utf8.split(separator: UInt8(ascii: "/"))
        guard range.count == 2, type.count == 2 else { return false }
        let star = UInt8(ascii: "*")
        let hasType = range[0].elementsEqual([star]) || range[0].elementsEqual(type[0])
        guard range[1].first == star else { return hasType && range[1].elementsEqual(type[1]) }
        let suffix = range[1].dropFirst()
        return hasType && type[1].count >= suffix.count && type[1].suffix(suffix.count).elementsEqual(suffix)
    }
}
