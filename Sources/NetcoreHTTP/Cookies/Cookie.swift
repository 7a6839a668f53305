/// A cookie, as it is kept.
public struct Cookie: Sendable, Hashable {
    /// Name and value are bytes: what a server sent goes back to it unchanged, whatever the encoding.
    package var nameBytes: [UInt8]
    package var valueBytes: [UInt8]
    /// The host that it belongs to, or the domain; in lower case, names in ASCII (IDNA), without a dot at either end.
    public var domain: String
    /// Goes to this path and those below it; begins with a slash.
    public var path: String
    /// Goes only to the host `domain`, not to those below it.
    public var isHostOnly: Bool
    /// Goes only by https.
    public var isSecure: Bool
    /// Not meant for scripts. netcore has none, and keeps the mark.
    public var isHTTPOnly: Bool
    /// When it ends, in seconds since 1970-01-01 UTC; nil for a session cookie.
    public var expires: Int64?

    public init(
        name: String, value: String, domain: String, path: String = "/", isHostOnly: Bool = true,
        isSecure: Bool = false,
        isHTTPOnly: Bool = false, expires: Int64? = nil
    ) {
        nameBytes = Array(name.utf8)
        valueBytes = Array(value.utf8)
        self.domain = domain
        self.path = path
        self.isHostOnly = isHostOnly
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.expires = expires
    }

    /// As UTF-8 text, damaged bytes replaced.
    public var name: String {
        get { String(decoding: nameBytes, as: UTF8.self) }
        set { nameBytes = Array(newValue.utf8) }
    }

    /// As UTF-8 text, damaged bytes replaced.
    public var value: String {
        get { String(decoding: valueBytes, as: UTF8.self) }
        set { valueBytes = Array(newValue.utf8) }
    }

    func isExpired(_ now: Int64) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether one takes the place of the other. As in browsers a cookie only of the host and one of the domain are two.
    func replaces(_ other: Cookie) -> Bool {
        nameBytes == other.nameBytes && domain == other.domain && path == other.path && isHostOnly == other.isHostOnly
    }

    /// Whether this is a secure cookie, and a host would get the other one with it or in its place (RFC 6265bis section 5.7).
    func isHidden(by other: Cookie) -> Bool {
        isSecure && nameBytes == other.nameBytes && CookieRule.path(path, covers: other.path)
            && (CookieRule.domain(domain, covers: other.domain) || CookieRule.domain(other.domain, covers: domain))
    }
}
