public import NetcoreHTTP

extension Request {
    /// Whether cookies of the client's go with the request and are taken from its answers; on by default.
    public var usesCookies: Bool {
        get { options.usesCookies }
        set { set(.usesCookies) { $0.usesCookies = newValue } }
    }

    /// Sets a cookie for this request. Sent in addition to the client's cookies, and replaces one of the same name. Sent only to the
    /// URL's origin; never stored. A Cookie field of the request replaces all cookies.
    public mutating func setCookie(_ name: String, _ value: String) throws(NetcoreError) {
        guard Syntax.isToken(name.utf8) else {
            throw NetcoreError(.invalidArgument, argument: "name", "the name of a cookie must be a token")
        }
        guard Syntax.isFieldValue(value.utf8), !value.utf8.contains(UInt8(ascii: ";")) else {
            throw NetcoreError(.invalidArgument, argument: "value", "must not contain semicolons or control characters")
        }
        removeCookie(name)
        options.cookies.append((name, value))
    }

    /// Removes a cookie of the request's own; none is no error.
    public mutating func removeCookie(_ name: String) { options.cookies.removeAll { $0.name == name } }
}
