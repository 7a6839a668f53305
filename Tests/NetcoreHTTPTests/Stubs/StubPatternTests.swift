import NetcoreHTTP
import Testing

/// Which requests a stub answers, and what is said of the others.
@Suite struct StubPatternTests {
    private func seen(
        _ url: String, method: String = "GET", _ headers: [(String, String)] = [], body: String = ""
    ) -> StubRequest {
        StubRequest(
            method: method, url: url, headers: headers.map { (name: $0.0, value: Array($0.1.utf8)) },
            body: Array(body.utf8))
    }

    @Test(
        "URLs match as a whole, with wildcards and parameters in any order",
        arguments: [
            ("/users", "http://a.test/users", true),
            ("/users", "http://a.test/users/7", false),
            ("/users/*", "http://a.test/users/7", true),
            ("/users/*", "http://a.test/users/7/posts", false),
            ("/users/**", "http://a.test/users/7/posts", true),
            ("/users/*/posts", "http://a.test/users/7/posts", true),
            ("/*.json", "http://a.test/a.json", true),
            ("/*.json", "http://a.test/a.json/b", false),
            ("http://a.test/users", "http://a.test/users", true),
            ("http://b.test/users", "http://a.test/users", false),
            ("http://*/users", "http://a.test:8080/users", true),
            ("**/users", "https://a.test/v1/users", true),
            ("/users?page=2", "http://a.test/users?size=1&page=2", true),
            ("/users?page=2", "http://a.test/users?page=3", false),
            ("/users?page=2", "http://a.test/users", false),
            ("/users?page=*", "http://a.test/users?page=3", true),
            ("/users?q=a%20b", "http://a.test/users?q=a+b", true),
            ("/users?q=%2A", "http://a.test/users?q=b", false),
            ("/users?q=%2A", "http://a.test/users?q=*", true),
            ("/users?a=1&a=2", "http://a.test/users?a=2&a=1", true),
            ("/users", "http://a.test/users?page=3#part", true),
        ])
    func urls(pattern: String, url: String, matches: Bool) throws {
        let pattern = try StubPattern(method: nil, url: pattern)
        #expect(pattern.differences(from: seen(url)).isEmpty == matches)
    }

    @Test("method, fields and body are compared, JSON as values")
    func others() throws {
        let json = #"{"a": 1, "b": [2]}"#
        let pattern = try StubPattern(
            method: "POST", url: "/a", headers: [("accept", "text/*")], body: .json(json))
        let good = seen("http://h.test/a", method: "POST", [("Accept", "text/html")], body: #"{"b":[2.0],"a":1}"#)
        #expect(pattern.differences(from: good).isEmpty)
        for bad in [
            seen("http://h.test/a", method: "GET", [("Accept", "text/html")], body: json),
            seen("http://h.test/a", method: "POST", [("Accept", "image/png")], body: json),
            seen("http://h.test/a", method: "POST", [], body: json),
            seen("http://h.test/a", method: "POST", [("Accept", "text/html")], body: #"{"a": 2, "b": [2]}"#),
            seen("http://h.test/a", method: "POST", [("Accept", "text/html")], body: "no JSON"),
        ] { #expect(pattern.differences(from: bad).count == 1) }
        let bytes = try StubPattern(method: nil, url: nil, body: .bytes(Array("x=1".utf8)))
        #expect(bytes.differences(from: seen("http://h.test/", method: "PUT", body: "x=1")).isEmpty)
        #expect(bytes.differences(from: seen("http://h.test/", method: "PUT", body: "x=2")).count == 1)
    }

    @Test("patterns that no request can have are refused")
    func refused() {
        #expect(throws: NetcoreError.self) { try StubPattern(method: "G T", url: nil) }
        #expect(throws: NetcoreError.self) { try StubPattern(method: nil, url: "users") }
        #expect(throws: NetcoreError.self) { try StubPattern(method: nil, url: nil, headers: [("a b", "c")]) }
        #expect(throws: NetcoreError.self) { try StubPattern(method: nil, url: nil, body: .json("{")) }
    }

    private func search(_ patterns: [String?], used: Set<Int> = []) throws -> [StubSearch.Candidate] {
        try patterns.enumerated().map { index, url in
            StubSearch.Candidate(try StubPattern(method: "GET", url: url), isUsedUp: used.contains(index))
        }
    }

    @Test("the first stub that matches and is not used up answers")
    func first() throws {
        let asked = seen("http://a.test/users/1")
        #expect(StubSearch.find(asked, among: try search(["/posts", "/users/*", "/users/1"])) == 1)
        #expect(StubSearch.find(asked, among: try search(["/posts", "/users/*", "/users/1"], used: [1])) == 2)
        #expect(StubSearch.find(asked, among: try search(["/posts"])) == nil)
    }

    @Test("an unmatched request is explained by the nearest stub")
    func nearest() throws {
        let asked = seen("http://a.test/users?page=3")
        let text = StubSearch.explain(asked, among: try search(["/posts", "/users?page=2", "/invoices/**"]))
        #expect(
            text == "no stub for GET http://a.test/users; the nearest of 3 is GET /users?page=2: "
                + "the parameter \"page\" is \"3\", not \"2\"")
        let typo = StubSearch.explain(seen("http://a.test/usres"), among: try search(["/posts/42", "/users"]))
        #expect(typo.hasSuffix("the nearest of 2 is GET /users: the URL is /usres, not /users"))
        let method = StubSearch.explain(
            seen("http://a.test/users", method: "POST"), among: try search(["/use", "/users"]))
        #expect(method.hasSuffix("the method is POST, not GET"))
        let used = StubSearch.explain(asked, among: try search(["/users"], used: [0]))
        #expect(used.hasSuffix("it has answered as often as it may"))
        #expect(StubSearch.explain(asked, among: []).hasSuffix("there are no stubs"))
    }

    @Test("long texts and many wildcards take no exponential time")
    func manyWildcards() {
        let pattern = Wildcard(String(repeating: "*a", count: 40).utf8)
        #expect(!pattern.matches(Array(repeating: UInt8(ascii: "a"), count: 2000) + [UInt8(ascii: "b")]))
    }

    @Test("delays come from the random numbers that are handed in")
    func delays() throws {
        func delay(_ delay: StubDelay, _ numbers: Double...) -> Int {
            var left = numbers
            return delay.microseconds { left.removeFirst() }
        }
        #expect(delay(.none) == 0)
        #expect(delay(.fixed(.milliseconds(5))) == 5000)
        #expect(delay(.uniform(.milliseconds(10), .milliseconds(20)), 0.5) == 15_000)
        // The cosine of a quarter turn is 0: the median itself.
        #expect(abs(delay(.logNormal(median: .milliseconds(100), sigma: 0.5), 0.7, 0.25) - 100_000) <= 1)
        #expect(delay(.logNormal(median: .milliseconds(100), sigma: 0.5), 0.7, 0) > 150_000)
        #expect(throws: NetcoreError.self) { try StubDelay.fixed(.seconds(-1)).check() }
        #expect(throws: NetcoreError.self) { try StubDelay.uniform(.seconds(2), .seconds(1)).check() }
        #expect(throws: NetcoreError.self) { try StubDelay.logNormal(median: .seconds(1), sigma: 6).check() }
    }
}
