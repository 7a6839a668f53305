package import NetcoreHTTP
internal import NetcoreSupport

/// The cookies of a client, in memory or with a file. Any thread may use it; in the child of a fork it is empty and keeps
/// nothing.
package final class CookieStore: Sendable {
    private let kept: Kept<CookieJar>

    /// - Parameters: as ``Kept/init(file:writeDelay:clock:)``.
    package init(
        file path: String? = nil, writeDelay: Int = 200,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.wall / 1000 }
    ) throws(NetcoreError) {
        if !PublicSuffixes.isAvailable {
            Log.warn("there is no public suffix list: cookies are sent only to the host that set them")
        }
        kept = try Kept(file: path, writeDelay: writeDelay, clock: clock)
    }

    // MARK: For requests

    /// Whether there is no cookie at all: without the lock.
    package var isEmpty: Bool { kept.isEmpty }

    /// The value of the Cookie field; nil when there is nothing to send.
    package func header(for url: HTTPURL) -> [UInt8]? {
        guard !isEmpty else { return nil }
        let scope = CookieScope(url)
        return kept.use { jar, now in jar.header(for: scope, now: now) } ?? nil
    }

    /// Takes the Set-Cookie fields of an answer.
    package func receive(setCookie fields: FieldBlock, from url: HTTPURL) {
        guard fields.contains("Set-Cookie") else { return }
        let scope = CookieScope(url)
        kept.change { jar, now in jar.receive(fields, from: scope, now: now) ? 1 : 0 }
    }

    // MARK: For the caller

    /// All cookies that have not expired, in the order in which they were made.
    package var all: [Cookie] { kept.use { jar, now in jar.cookies(now: now) } ?? [] }

    /// Adds a cookie, or puts it in the place of its predecessor.
    package func set(_ cookie: Cookie) throws(NetcoreError) {
        let cookie = try cookie.validated()
        kept.change { jar, now in jar.store(cookie, now: now) ? 1 : 0 }
    }

    /// Does what an answer of a URL would do with this Set-Cookie field.
    package func set(_ setCookie: String, from url: HTTPURL) throws(NetcoreError) {
        let scope = CookieScope(url)
        let now = kept.now
        let cookie = Array(setCookie.utf8).withUnsafeBytes { SetCookie($0)?.cookie(from: scope, now: now) }
        guard let cookie else {
            throw NetcoreError(.invalidArgument, argument: "set_cookie", "not a cookie that this URL may set")
        }
        kept.change { jar, now in jar.store(cookie, isTrusted: scope.isSecure, now: now) ? 1 : 0 }
    }

    /// Removes the cookies of a domain, a path and a name, each as it is kept; nil for any. Returns how many.
    @discardableResult
    package func clear(domain: String? = nil, path: String? = nil, name: String? = nil) -> Int {
        let domain = domain.map(Cookie.canonical(domain:))
        return kept.change { jar, _ in
            jar.removeAll { cookie in
                (domain ?? cookie.domain) == cookie.domain && (path ?? cookie.path) == cookie.path
                    && (name ?? cookie.name) == cookie.name
            }
        }
    }

    /// Removes the cookies that have no end of their own. Returns how many.
    @discardableResult
    package func clearSession() -> Int { kept.change { jar, _ in jar.removeAll { $0.expires == nil } } }

    /// All cookies in Netscape's format.
    package func export() -> [UInt8] { CookieText.encode(all) }

    /// Adds the cookies of a text in Netscape's format. Returns how many lines held one; other lines are skipped.
    @discardableResult
    package func `import`(_ text: some Sequence<UInt8>) -> Int {
        let cookies = CookieText.decode(text).cookies
        kept.change { jar, now in jar.store(contentsOf: cookies, now: now) ? 1 : 0 }
        return cookies.count
    }

    /// Writes what is not in the file yet. Later changes stay in memory.
    package func close() { kept.close() }
}

extension CookieJar: Keepable {
    package static let option = "cookie_file"
    package static let noun = "cookies"
    package static let sizeLimit = 32 << 20

    package var isEmpty: Bool { count == 0 }

    package func text(now: Int64) -> [UInt8] { CookieText.encode(cookies(now: now)) }

    package mutating func read(_ text: [UInt8], now: Int64) -> Bool {
        let found = CookieText.decode(text)
        _ = store(contentsOf: found.cookies, now: now)
        return !found.cookies.isEmpty || found.badLines == 0
    }
}
