import NetcoreHTTP
import Testing

@Suite("Reading Set-Cookie")
struct SetCookieTests {
    @Test(
        "name and value are what stands around the first =, without white space at their ends",
        arguments: [
            ("foo=bar", "foo=bar"), ("foo=bar; Path=/", "foo=bar"), ("foo = bar ; x", "foo=bar"),
            ("\tfoo\t=\tbar\t", "foo=bar"),
            ("foo=", "foo="), ("foo= ;", "foo="), ("foo=bar=baz", "foo=bar=baz"), ("foo==", "foo=="),
            ("foo=\"bar\"", "foo=\"bar\""),
            ("foo=\"bar; baz\"", "foo=\"bar"), ("foo=bar,baz=qux", "foo=bar,baz=qux"),
            ("foo bar=baz qux", "foo bar=baz qux"),
            ("$Version=1", "$Version=1"), ("\"foo\"=bar", "\"foo\"=bar"), ("foo;bar=baz", nil),
            ("foo=b%20r", "foo=b%20r"),
            ("föö=bär", "föö=bär"), ("Secure=1", "Secure=1"), ("path=/; x", "path=/"),
        ] as [(String, String?)])
    func pair(field: String, expected: String?) throws {
        #expect(try sent([field], from: "http://a.test/") == expected)
    }

    @Test(
        "a field without a name, or with a control byte, is no cookie",
        arguments: [
            "", " ", ";", "foo", "=bar", " =bar", "=", "; foo=bar", "foo=b\u{0}r", "foo=b\u{1}r", "foo=b\u{7F}r",
            "f\u{A}o=bar",
            "foo=b\tr", "f\to=bar", "foo=bar; Path=/\u{1}", "foo=bar; x=\u{D}", "foo=bar; Path=/a\tb",
        ])
    func refused(field: String) throws { #expect(try cookie(field, from: "http://a.test/") == nil) }

    @Test("bytes that are no UTF-8 go back as they came")
    func bytes() throws {
        let fields = FieldBlock()
        fields.append("Set-Cookie", Array("n=".utf8) + [0xFF, 0xC3] + Array("; Path=/".utf8))
        var jar = CookieJar()
        #expect(try jar.receive(fields, from: scope("http://a.test/"), now: noon))
        #expect(try jar.header(for: scope("http://a.test/"), now: noon) == Array("n=".utf8) + [0xFF, 0xC3])
    }

    @Test(
        "name and value have at most 4096 bytes together",
        arguments: [(1, 4095, true), (1, 4096, false), (4096, 0, true), (4000, 97, false)])
    func size(name: Int, value: Int, isKept: Bool) throws {
        let field = String(repeating: "n", count: name) + "=" + String(repeating: "v", count: value)
        #expect(try (cookie(field, from: "http://a.test/") != nil) == isKept)
    }

    @Test(
        "Secure and HttpOnly count with any value and in any case",
        arguments: [
            "Secure; HttpOnly", "secure=x; HTTPONLY=no", " SECURE = ;httponly=", "Secure=false; HttpOnly=0",
            "foo; Secure; HttpOnly",
        ])
    func flags(attributes: String) throws {
        let found = try #require(try cookie("a=b; \(attributes)", from: "https://a.test/"))
        #expect(found.isSecure && found.isHTTPOnly)
        #expect(try cookie("a=b; \(attributes)", from: "http://a.test/") == nil)
    }

    @Test("what resembles a flag is none", arguments: ["Secured", "Sec ure", "x=Secure", "Secure x", "Secur"])
    func noFlags(attributes: String) throws {
        #expect(try #require(try cookie("a=b; \(attributes)", from: "https://a.test/")).isSecure == false)
    }

    @Test(
        "how long a cookie lives: Max-Age goes before Expires, and the last readable one of each counts",
        arguments: [
            ("Max-Age=60", noon + 60), ("max-age = 60 ", noon + 60), ("Max-Age=0060", noon + 60), ("Max-Age=0", noon),
            ("Max-Age=-1", noon), ("Max-Age=-99999999999999999999", noon), ("Max-Age=99999999999999999999", .max),
            ("Max-Age=9223372036854775807", .max), ("Max-Age=", nil), ("Max-Age", nil), ("Max-Age=-", nil),
            ("Max-Age=+60", nil),
            ("Max-Age=6.5", nil), ("Max-Age=\"60\"", nil), ("Max-Age=60s", nil), ("Max-Age=60; Max-Age=x", noon + 60),
            ("Max-Age=60; Max-Age=30", noon + 30), ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", noon + 60),
            ("Expires=Thu, 01 Jan 2026 00:00:00 GMT; Max-Age=60", noon + 60),
            ("Expires=Thu, 01 Jan 2026 00:00:00 GMT; Max-Age=x", 1_767_225_600),
            ("Expires=Thu, 01 Jan 2026 00:00:00 GMT; Expires=soon", 1_767_225_600),
            ("Expires=Fri, 02 Jan 2026 00:00:00 GMT; Expires=Thu, 01 Jan 2026 00:00:00 GMT", 1_767_225_600),
            ("Expires=soon", nil), ("Expires", nil), ("Expires=\(String(repeating: " ", count: 9))", nil),
        ] as [(String, Int64?)])
    func life(attributes: String, expires: Int64?) throws {
        #expect(try #require(try cookie("a=b; \(attributes)", from: "http://a.test/")).expires == expires)
    }

    @Test(
        "the path is the last Path, or the folder of the URL when that is none",
        arguments: [
            ("", "/a/b/c", "/a/b"), ("", "/a/b/", "/a/b"), ("", "/a", "/"), ("", "", "/"), ("", "/", "/"),
            ("", "/a/?/b/c", "/a"),
            ("", "?x=/b/c", "/"), ("", "//", "/"), ("", "/a//b", "/a/"), ("", "/a/b#/c/d", "/a"),
            ("", "/a;b/c", "/a;b"),
            ("Path=/x/y", "/a/b", "/x/y"), ("path=/x/", "/a/b", "/x/"), ("Path=x", "/a/b", "/a"),
            ("Path=", "/a/b", "/a"),
            ("Path", "/a/b", "/a"), ("Path=/x; Path=/y", "/a/b", "/y"), ("Path=/x; Path=y", "/a/b", "/a"),
            ("Path=/x; Path=", "/a/b", "/a"), ("Path=\"/x\"", "/a/b", "/a"), ("Path=/x?y", "/a/b", "/x?y"),
            ("Path=/\(String(repeating: "x", count: 1024))", "/a/b", "/a"),
        ])
    func path(attributes: String, url: String, expected: String) throws {
        #expect(try #require(try cookie("a=b; \(attributes)", from: "http://a.test\(url)")).path == expected)
    }

    @Test(
        "a name may promise how the cookie was set, and is refused when it breaks its word",
        arguments: [
            ("__Secure-a=b; Secure", true), ("__Secure-a=b", false), ("__secure-a=b", false),
            ("__Host-a=b; Secure; Path=/", true),
            ("__Host-a=b; Secure; Path=/x", false), ("__Host-a=b; Secure", false), ("__Host-a=b; Path=/", false),
            ("__HOST-a=b; Secure; Path=/; Domain=a.test", false), ("__Host-a=b; Secure; Path=/; Domain=", true),
            ("__Hosta=b", true),
        ])
    func prefixes(field: String, isKept: Bool) throws {
        #expect(try (cookie(field, from: "https://a.test/") != nil) == isKept)
        #expect(try cookie("__Secure-a=b; Secure", from: "http://a.test/") == nil)
    }
}
