/// A request as stubs see it.
package struct StubRequest: Sendable {
    package let method: String
    /// The URL without query and fragment.
    package let place: String
    package let path: String
    /// Decoded.
    package let query: [(name: String, value: [UInt8])]
    package let headers: [(name: String, value: [UInt8])]
    package let body: [UInt8]

    /// - Parameter url: an absolute one.
    package init(method: String, url: String, headers: [(name: String, value: [UInt8])], body: [UInt8]) {
        let whole = url.prefix { $0 != "#" }
        let parts = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        place = String(parts.first ?? "")
        let afterScheme = place.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        path = String(decoding: afterScheme.drop { $0 != UInt8(ascii: "/") }, as: UTF8.self)
        query = FormText.pairs(parts.count > 1 ? Array(parts[1].utf8) : []).map {
            (String(decoding: PercentEncoding.decode($0.name), as: UTF8.self), PercentEncoding.decode($0.value))
        }
        self.headers = headers
        self.body = body
    }
}

/// A query or a form as text.
package enum FormText {
    /// Its names and values, not decoded.
    package static func pairs(_ text: [UInt8]) -> [(name: [UInt8], value: [UInt8])] {
        text.split(separator: UInt8(ascii: "&")).map { part in
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return (Array(sides[0]), sides.count > 1 ? Array(sides[1]) : [])
        }
    }
}
