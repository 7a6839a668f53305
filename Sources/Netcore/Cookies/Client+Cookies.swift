public import NetcoreHTTP

extension Client {
    /// Whether this client keeps cookies (``Options/keepsCookies``). Where it does not, there are none, and adding one throws.
    public var keepsCookies: Bool { engine.parts.identities.cookies != nil }

    /// All cookies that have not expired, in the order in which they were made.
    public var cookies: [Cookie] { engine.parts.identities.cookies?.all ?? [] }

    /// Adds a cookie, in place of one with its name, domain and path.
    public func setCookie(_ cookie: Cookie) throws(NetcoreError) { try cookieStore().set(cookie) }

    /// Does what an answer of a URL would do with a Set-Cookie field.
    public func setCookie(_ setCookie: String, from url: String) throws(NetcoreError) {
        try cookieStore().set(setCookie, from: HTTPURL(url))
    }

    /// Removes the cookies of a domain, a path and a name, each as it is kept; nil for any. Returns how many.
    @discardableResult
    public func clearCookies(domain: String? = nil, path: String? = nil, name: String? = nil) -> Int {
        engine.parts.identities.cookies?.clear(domain: domain, path: path, name: name) ?? 0
    }

    /// Removes the cookies that have no end of their own. Returns how many.
    @discardableResult
    public func clearSessionCookies() -> Int { engine.parts.identities.cookies?.clearSession() ?? 0 }

    /// All cookies in the format of curl's cookie files.
    public func exportCookies() -> [UInt8] { engine.parts.identities.cookies?.export() ?? [] }

    /// Adds the cookies of a text in the format of curl's cookie files. Returns how many lines held one; others are skipped.
    @discardableResult
    public func importCookies(_ text: [UInt8]) throws(NetcoreError) -> Int { try cookieStore().import(text) }

    package func cookieStore() throws(NetcoreError) -> CookieStore {
        try engine.checkUsable()
        guard let cookies = engine.parts.identities.cookies else {
            throw NetcoreError(.invalidState, argument: "client", "keeps no cookies")
        }
        return cookies
    }
}
