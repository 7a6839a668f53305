/// A Set-Cookie field value, read (RFC 6265 section 5.2). Of attributes that are there several times the last one counts,
/// and those that cannot be read are not there.
///
/// Stricter than RFC 6265 where browsers and RFC 6265bis are: control bytes spoil the cookie, and values of attributes
/// have a limit. A field without "=", or without a name before it, is no cookie.
package struct SetCookie {
    package let name: [UInt8]
    package let value: [UInt8]
    /// When it ends, in seconds since 1970, by Expires.
    package private(set) var expires: Int64?
    /// How many seconds it lives, by Max-Age.
    package private(set) var maxAge: Int64?
    /// As sent, without the dot in front.
    package private(set) var domain: [UInt8]?
    /// As sent; empty for one that does not begin with a slash.
    package private(set) var path: [UInt8]?
    package private(set) var isSecure = false
    package private(set) var isHTTPOnly = false

    /// Bytes that the value of an attribute may have (RFC 6265bis section 5.6).
    private static let attributeLimit = 1024

    package init?(_ text: UnsafeRawBufferPointer) {
        guard Syntax.isFieldValue(text) else { return nil }
        let parts = text.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first.map(Self.pair), let value = first.value, !first.name.isEmpty else { return nil }
        name = Array(first.name)
        self.value = Array(value)
        for part in parts.dropFirst() {
            let (name, value) = Self.pair(part)
            read(name, value ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }

    private mutating func read(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        guard value.count <= Self.attributeLimit else { return }
        if Syntax.equalsIgnoringCase(name, "Expires") {
            expires = CookieDate.parse(value) ?? expires
        } else if Syntax.equalsIgnoringCase(name, "Max-Age") {
            maxAge = Self.seconds(value) ?? maxAge
        } else if Syntax.equalsIgnoringCase(name, "Domain") {
            if !value.isEmpty { domain = Array(value.first == UInt8(ascii: ".") ? value.dropFirst() : value[...]) }
        } else if Syntax.equalsIgnoringCase(name, "Path") {
            path = value.first == UInt8(ascii: "/") ? Array(value) : []
        } else if Syntax.equalsIgnoringCase(name, "Secure") {
            isSecure = true
        } else if Syntax.equalsIgnoringCase(name, "HttpOnly") {
            isHTTPOnly = true
        }
    }

    /// The cookie that a URL sets by it (RFC 6265 section 5.3); nil when it may not.
    package func cookie(from scope: CookieScope, now: Int64) -> Cookie? {
        // A domain that ends with a dot covers no host, since hosts have none.
        let domain = String(decoding: (domain ?? []).map(Syntax.lowercased), as: UTF8.self)
        guard let isHostOnly = CookieRule.isHostOnly(domain: domain, for: scope), scope.isSecure || !isSecure else {
            return nil
        }
        var cookie = Cookie(name: "", value: "", domain: isHostOnly ? scope.host : domain)
        cookie.nameBytes = name
        cookie.valueBytes = value
        cookie.path = String(decoding: path ?? [], as: UTF8.self)
        if cookie.path.isEmpty { cookie.path = scope.defaultPath }
        cookie.isHostOnly = isHostOnly
        cookie.isSecure = isSecure
        cookie.isHTTPOnly = isHTTPOnly
        cookie.expires = maxAge.map { now.addingReportingOverflow($0).overflow ? .max : now + $0 } ?? expires
        // The path of a __Host- cookie must be said, not taken from the URL.
        guard path != nil || !cookie.hasPrefix("__host-") else { return nil }
        return try? cookie.validated()
    }

    /// What comes before and after the first "=", without white space around; no value without "=".
    private static func pair(
        _ part: Slice<UnsafeRawBufferPointer>
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer?) {
        let equals = part.firstIndex(of: UInt8(ascii: "="))
        let name = Syntax.trimmed(UnsafeRawBufferPointer(rebasing: part[..<(equals ?? part.endIndex)]))
        return (name, equals.map { Syntax.trimmed(UnsafeRawBufferPointer(rebasing: part[($0 + 1)...])) })
    }

    /// A whole number; one that is too large is the largest.
    private static func seconds(_ value: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = isNegative ? value.dropFirst() : value[...]
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        if isNegative { return 0 }
        return Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    }
}
