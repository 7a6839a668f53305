/// Cookies as text in Netscape's format, which curl and others read and write: a line for each, seven fields with tabs
/// between them. Bytes are kept as they are.
package enum CookieText {
    /// How the first line of such a file begins; some readers insist on it.
    private static let heading =
        "# Netscape HTTP Cookie File\n# Written by netcore. Changes made by hand may be lost.\n\n"
    private static let httpOnly = "#HttpOnly_"
    private static let tab = UInt8(ascii: "\t")

    /// - Parameter cookies: valid ones. Readers take the order of lines for the order in which cookies were made.
    package static func encode(_ cookies: [Cookie]) -> [UInt8] {
        var text = Array(heading.utf8)
        for cookie in cookies {
            let domain = "\(cookie.isHTTPOnly ? httpOnly : "")\(cookie.isHostOnly ? "" : ".")\(cookie.domain)"
            let fields = [
                domain, flag(!cookie.isHostOnly), cookie.path, flag(cookie.isSecure), "\(cookie.expires ?? 0)",
            ]
            for field in fields {
                text += field.utf8
                text.append(tab)
            }
            text += cookie.nameBytes
            text.append(tab)
            text += cookie.valueBytes
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }

    /// The cookies of a text, expired ones too, and how many of its lines are neither cookies nor comments nor empty.
    package static func decode(_ text: some Sequence<UInt8>) -> (cookies: [Cookie], badLines: Int) {
        let text = Array(text)
        var result: (cookies: [Cookie], badLines: Int) = ([], 0)
        for line in text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            var line = line[...]
            let isHTTPOnly = line.starts(with: httpOnly.utf8)
            if isHTTPOnly { line = line.dropFirst(httpOnly.utf8.count) }
            guard line.first != UInt8(ascii: "#"), !line.allSatisfy(Syntax.isWhitespace) else { continue }
            if let cookie = cookie(line, isHTTPOnly) { result.cookies.append(cookie) } else { result.badLines += 1 }
        }
        return result
    }

    private static func cookie(_ line: ArraySlice<UInt8>, _ isHTTPOnly: Bool) -> Cookie? {
        let fields = line.split(separator: tab, maxSplits: 6, omittingEmptySubsequences: false)
        guard fields.count == 7 || fields.count == 6, let isWide = flag(fields[1]), let isSecure = flag(fields[3]),
            let expires = fields[4].isEmpty ? 0 : Int64(text(fields[4]))
        else { return nil }
        var cookie = Cookie(
            name: "", value: "", domain: text(fields[0]), path: text(fields[2]), isHostOnly: !isWide,
            isSecure: isSecure,
            isHTTPOnly: isHTTPOnly, expires: expires == 0 ? nil : expires)
        cookie.nameBytes = Array(fields[5])
        cookie.valueBytes = fields.count == 7 ? Array(fields[6]) : []
        return try? cookie.validated()
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func flag(_ isSet: Bool) -> String { isSet ? "TRUE" : "FALSE" }

    private static func flag(_ bytes: ArraySlice<UInt8>) -> Bool? {
        bytes.withUnsafeBytes { bytes in
            if Syntax.equalsIgnoringCase(bytes, "true") { return true }
            return Syntax.equalsIgnoringCase(bytes, "false") ? false : nil
        }
    }
}
