/// Which cookies belong to which requests (RFC 6265 sections 5.1.3, 5.1.4 and 5.4).
package enum CookieRule {
    /// Whether a host is a domain or lies below it. Both are canonical, and the host is no address.
    package static func domain(_ domain: String, covers host: String) -> Bool {
        guard host.utf8.count > domain.utf8.count else { return host == domain }
        let rest = host.utf8.dropLast(domain.utf8.count)
        return !domain.isEmpty && rest.last == UInt8(ascii: ".")
            && host.utf8.suffix(domain.utf8.count).elementsEqual(domain.utf8)
    }

    /// Whether a path is a cookie's path or lies below it.
    package static func path(_ cookiePath: String, covers path: String) -> Bool {
        guard path.utf8.starts(with: cookiePath.utf8) else { return false }
        let rest = path.utf8.dropFirst(cookiePath.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/") || cookiePath.utf8.last == UInt8(ascii: "/")
    }

    /// Whether a cookie goes with a request, as long as it has not expired.
    package static func sends(_ cookie: Cookie, to scope: CookieScope) -> Bool {
        guard cookie.isHostOnly ? cookie.domain == scope.host : domain(cookie.domain, covers: scope.host) else {
            return false
        }
        return (scope.isSecure || !cookie.isSecure) && path(cookie.path, covers: scope.path)
    }

    /// Whether a Domain attribute, in canonical form, leaves a cookie only to its host; nil when the cookie is refused
    /// (RFC 6265 section 5.3). The domain must cover the host and may not be a public suffix or lie above one; a suffix
    /// that is the host itself gets a cookie of its own.
    package static func isHostOnly(domain: String, for scope: CookieScope) -> Bool? {
        if domain.isEmpty { return true }
        guard let limit = scope.registrableDomain else { return domain == scope.host ? true : nil }
        return self.domain(domain, covers: scope.host) && self.domain(limit, covers: domain) ? false : nil
    }
}
