public import NetcoreHTTP

extension Request {
    /// Whether cookies of the client's go with the request and are taken from its answers; on by default.
    public var usesCookies: Bool {
        get { options.usesCookies }
        set { set(.usesCookies) { $0.usesCookies = newValue } }
    }

    /// Sets a cookie of the request's own. It goes beside those of the client's, in place of one of its name, to the origin of the
    /// URL alone, and is not kept. A Cookie field of the request's goes in place of all cookies.
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
