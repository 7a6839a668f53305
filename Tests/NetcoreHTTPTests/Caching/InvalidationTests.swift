import NetcoreHTTP
import Testing

@Suite struct InvalidationRuleTests {
    private func targets(_ method: String, _ status: Int, _ lines: String...) throws -> [String] {
        let url = try HTTPURL("https://a.example/dir/x")
        return InvalidationRule.targets(method, url, status: status, fields: block(lines)).map(\.withoutFragment)
    }

    private let target = "https://a.example/dir/x"

    @Test(
        "unsafe methods, and those not known, invalidate their target",
        arguments: ["POST", "PUT", "DELETE", "PATCH", "M-SEARCH", "FOO", "get"])
    func unsafe(method: String) throws { #expect(try targets(method, 200) == [target]) }

    @Test("safe methods invalidate nothing", arguments: ["GET", "HEAD", "OPTIONS", "TRACE"])
    func safe(method: String) throws { #expect(try targets(method, 200, "Location: /y").isEmpty) }

    @Test(
        "an error invalidates nothing",
        arguments: [
            (200, true), (201, true), (204, true), (299, true), (302, true), (399, true), (400, false), (404, false),
            (500, false), (103, false),
        ])
    func errors(status: Int, isInvalidating: Bool) throws {
        #expect(try targets("POST", status).isEmpty != isInvalidating)
    }

    @Test(
        "Location and Content-Location of the same origin are invalidated too",
        arguments: [
            ("/y", "https://a.example/y"), ("y", "https://a.example/dir/y"), ("?q", "https://a.example/dir/x?q"),
            ("https://A.example:443/y", "https://A.example:443/y"), ("/y#f", "https://a.example/y"),
            ("https://b.example/y", nil), ("http://a.example/y", nil), ("https://a.example:444/y", nil),
            ("//b.example/", nil),
            ("/dir/x", nil), ("ftp://a.example/", nil), ("https://a.example@b.example/y", nil),
        ] as [(String, String?)])
    func locations(value: String, expected: String?) throws {
        let expected = expected.map { $0.replacing("A.example:443", with: "a.example") }
        for name in ["Location", "Content-Location"] {
            let found = try targets("POST", 201, "\(name): \(value)").map {
                $0.replacing("A.example:443", with: "a.example")
            }
            #expect(found == [target] + (expected.map { [$0] } ?? []))
        }
    }

    @Test("both fields count")
    func both() throws {
        #expect(
            try targets("PUT", 200, "Location: /a", "Content-Location: /b")
                == [target, "https://a.example/a", "https://a.example/b"])
    }

    @Test(
        "Clear-Site-Data forgets an origin, in quotes and over https",
        arguments: [
            ("\"cache\"", true), ("\"cookies\", \"cache\"", true), ("\"*\"", true), ("cache", false), ("*", false),
            ("\"cookies\"", false), ("\"Cache\"", false), ("\"cache", false),
        ])
    func clearSiteData(value: String, isClearing: Bool) throws {
        let fields = block("Clear-Site-Data: \(value)")
        #expect(InvalidationRule.clearsOrigin(try HTTPURL("https://a/"), fields: fields) == isClearing)
        #expect(!InvalidationRule.clearsOrigin(try HTTPURL("http://a/"), fields: fields))
    }

    @Test("what is behind # is not part of a stored answer's URL")
    func fragment() throws {
        #expect(try HTTPURL("http://a/x?q#f").withoutFragment == "http://a/x?q")
        #expect(try HTTPURL("http://a/x").withoutFragment == "http://a/x")
    }
}
