/// What cookies look at in a URL: the host in its canonical form, the path, and whether others can read along.
package struct CookieScope: Sendable, Hashable {
    /// In lower case and ASCII, without the dot at the end of an absolute name and without the brackets of an address.
    package let host: String
    /// As it is in the URL, without the query; never empty.
    package let path: String
    /// Whether it is https, or leads to this machine by one of the names that libcurl and browsers trust for that.
    package let isSecure: Bool
    /// The largest domain that the host may share cookies with; nil when it shares them with none.
    package let registrableDomain: String?

    package init(_ url: HTTPURL) {
        host = HostName.of(url)
        path = Self.path(url.bytes)
        isSecure = url.isSecure || ["localhost", "127.0.0.1", "::1"].contains(host)
        registrableDomain = Self.registrableDomain(of: host)
    }

    /// What the cookies that the host can see have in common.
    package var site: String { registrableDomain ?? host }

    /// The folder of the path: what a cookie that names no path belongs to (RFC 6265 section 5.1.4).
    package var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The domain right below a public suffix; an address has none.
    static func registrableDomain(of host: String) -> String? {
        HostName.isAddress(host) ? nil : PublicSuffixes.registrableDomain(of: host)
    }

    /// From the slash after the host to the query or the fragment.
    private static func path(_ url: UnsafeRawBufferPointer) -> String {
        var slashes = 0
        let start = url.firstIndex { byte in
            if byte == UInt8(ascii: "/") { slashes += 1 }
            return slashes == 3
        }
        let path = url[(start ?? url.endIndex)...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.isEmpty ? "/" : String(decoding: path, as: UTF8.self)
    }
}
