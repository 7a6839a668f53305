import NetcoreHTTP
import Testing

@Suite struct PreconditionRuleTests {
    @Test(
        "the caller's conditions against a stored answer",
        arguments: [
            ([], .serve), (["If-None-Match: \"a\""], .notModified), (["If-None-Match: W/\"a\""], .notModified),
            (["If-None-Match: \"b\", \"a\""], .notModified), (["If-None-Match: \"b\""], .serve),
            (["If-None-Match: *"], .notModified), (["If-None-Match: \"b\"", "If-Modified-Since: \(date())"], .serve),
            (["If-None-Match: \"a\"", "If-Modified-Since: \(date(-999))"], .notModified),
            (["If-Modified-Since: \(date(-100))"], .notModified), (["If-Modified-Since: \(date(-101))"], .serve),
            (["If-Modified-Since: \(date())"], .notModified), (["If-Modified-Since: yesterday"], .serve),
            (["If-Match: \"a\""], .forward), (["If-Unmodified-Since: \(date())"], .forward),
            (["If-Match: \"b\"", "If-None-Match: \"a\""], .forward),
        ] as [([String], PreconditionRule.Outcome)])
    func outcomes(lines: [String], expected: PreconditionRule.Outcome) throws {
        let request = CacheableRequest(method: "GET", url: try HTTPURL("http://a/"), fields: block(lines), now: at())
        let stored = variant("ETag: \"a\"", "Last-Modified: \(date(-100))", "Date: \(date())")
        #expect(PreconditionRule.evaluate(request, stored) == expected)
    }

    @Test("without Last-Modified the Date counts")
    func withoutLastModified() throws {
        let stored = variant("Date: \(date(-50))")
        #expect(PreconditionRule.evaluate(try request("If-Modified-Since: \(date(-50))"), stored) == .notModified)
        #expect(PreconditionRule.evaluate(try request("If-Modified-Since: \(date(-51))"), stored) == .serve)
        #expect(PreconditionRule.evaluate(try request("If-None-Match: \"a\""), stored) == .serve)
    }

    @Test("conditions do not turn an error into a 304")
    func errors() throws {
        let asked = try request("If-None-Match: *")
        #expect(PreconditionRule.evaluate(asked, variant("ETag: \"a\"", status: 404)) == .serve)
        #expect(PreconditionRule.evaluate(asked, variant("ETag: \"a\"", status: 301)) == .serve)
    }

    @Test("a 304 has the fields that guide a cache")
    func fields() {
        let stored = [
            "Content-Type: a/b", "Content-Length: 5", "ETag: \"a\"", "Last-Modified: \(date(-1))", "Date: \(date())",
            "Vary: X", "Cache-Control: max-age=1", "Expires: \(date())", "Content-Location: /y", "Set-Cookie: a",
            "Age: 1",
        ]
        let expected = ["etag", "date", "vary", "cache-control", "expires", "content-location", "age"]
        #expect(names(PreconditionRule.fields(of: block(stored))) == expected)
        #expect(names(PreconditionRule.fields(of: block("Last-Modified: x", "A: 1"))) == ["last-modified"])
    }
}
