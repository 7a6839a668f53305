import NetcoreHTTP
import Testing

func scope(_ url: String) throws -> CookieScope { CookieScope(try HTTPURL(url)) }

func setCookie(_ text: String) -> SetCookie? { Array(text.utf8).withUnsafeBytes { SetCookie($0) } }

/// The cookie that a URL sets by a field.
func cookie(_ text: String, from url: String) throws -> Cookie? {
    setCookie(text)?.cookie(from: try scope(url), now: noon)
}

extension CookieJar {
    /// Takes Set-Cookie fields of an answer from a URL.
    @discardableResult
    mutating func receive(_ values: [String], from url: String, now: Int64 = noon) throws -> Bool {
        receive(block(values.map { ("Set-Cookie", $0) }), from: try scope(url), now: now)
    }

    mutating func sent(to url: String, now: Int64 = noon) throws -> String? {
        header(for: try scope(url), now: now).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// What a jar sends to a URL after an answer of another, or of the same.
func sent(_ values: [String], from url: String, to target: String? = nil) throws -> String? {
    var jar = CookieJar()
    try jar.receive(values, from: url)
    return try jar.sent(to: target ?? url)
}
