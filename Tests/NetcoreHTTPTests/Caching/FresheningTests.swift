import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct FresheningRuleTests {
    private func select(_ lines: [String], _ variants: [StoredVariant], matching: [Int]? = nil) throws -> Freshening {
        let sent = ValidationFields(variants, selected: matching?.first ?? 0, request: try request())
        return FresheningRule.select(
            block(lines), variants, matching: matching ?? Array(variants.indices), sent: sent, now: at())
    }

    @Test(
        "the stored answers that a 304 updates",
        arguments: [
            (["ETag: \"a\""], .update([0, 2])), (["ETag: \"b\""], .update([1])), (["ETag: \"x\""], .none),
            (["ETag: W/\"a\""], .update([2])), (["ETag: W/\"x\""], .none), (["ETag: \"w\""], .serve(3)),
            (["ETag: W/\"w\""], .update([3])), (["Last-Modified: \(date(-100))"], .update([1])),
            (["Last-Modified: \(date(-99))"], .none), ([], .none),
            (["ETag: W/\"w\"", "Last-Modified: \(date(-100))"], .update([3])),
        ] as [([String], Freshening)])
    func several(lines: [String], expected: Freshening) throws {
        let variants = [
            variant("ETag: \"a\"", "Date: \(date(-9))", "Last-Modified: \(date(-100))"),
            variant("ETag: \"b\"", "Date: \(date(-8))", "Last-Modified: \(date(-100))"),
            variant("ETag: \"a\"", "Date: \(date(-7))"), variant("ETag: W/\"w\"", "Date: \(date(-6))"),
        ]
        #expect(try select(lines, variants) == expected)
    }

    @Test("a 304 without validators is about the single answer that was asked about")
    func bare() throws {
        #expect(try select([], [variant("ETag: \"a\"")]) == .update([0]))
        #expect(try select([], [variant("Last-Modified: \(date(-1))")]) == .update([0]))
        #expect(try select([], [variant("ETag: \"a\""), variant("ETag: \"b\"")]) == .none)
        #expect(try select([], [variant("A: 1")]) == .none)
        #expect(try select([], [variant("ETag: \"a\"", isPartial: true)]) == .none)
    }

    @Test("a 304 may name what was stored for other request fields")
    func adopt() throws {
        let variants = [variant("ETag: \"a\"", "Vary: X"), variant("ETag: W/\"b\"", "Vary: X")]
        #expect(try select(["ETag: \"a\""], variants, matching: []) == .adopt(0))
        #expect(try select(["ETag: W/\"b\""], variants, matching: [0]) == .adopt(1))
        #expect(try select(["ETag: \"b\""], variants, matching: []) == .none)
    }

    @Test("a 304 to the caller's own condition is not about what is stored")
    func caller() throws {
        let variants = [variant("ETag: \"a\"")]
        let sent = ValidationFields(variants, selected: 0, request: try request("If-None-Match: \"b\""))
        #expect(FresheningRule.select(block(), variants, matching: [0], sent: sent, now: at()) == .none)
        #expect(FresheningRule.select(block("ETag: \"b\""), variants, matching: [0], sent: sent, now: at()) == .none)
    }
}

@Suite struct StoredHeadUpdateTests {
    private func update(_ stored: [String], _ lines: String..., settings: CacheSettings = CacheSettings()) -> StoredHead
    {
        StoredHeadUpdate.updated(
            head(stored), with: block(lines), requestTime: seconds(90), responseTime: seconds(100), settings: settings)
    }

    @Test("fields of a 304 replace those stored, all lines of a name, and others stay")
    func replace() {
        let updated = update(
            ["A: 1", "B: 1", "b: 2", "Date: \(date())", "Cache-Control: max-age=1"], "B: 3", "C: 4",
            "Date: \(date(100))",
            "cache-control: max-age=60")
        #expect(names(updated.fields) == ["a", "b", "c", "date", "cache-control"])
        #expect(text(updated.fields, "B") == "3" && text(updated.fields, "Date") == date(100))
        #expect(updated.status == 200 && updated.requestTime == seconds(90) && updated.responseTime == seconds(100))
    }

    @Test(
        "what describes the stored body stays",
        arguments: [
            "Content-Length", "Content-Encoding", "Content-Range", "Content-MD5", "Digest", "Content-Digest",
            "Repr-Digest",
        ])
    func bodyFields(name: String) {
        #expect(text(update(["\(name): 1"], "\(name): 2").fields, name) == "1")
        #expect(text(update(["A: 1"], "\(name): 2").fields, name) == nil)
    }

    @Test(
        "all else is replaced",
        arguments: [
            "Content-Type", "Content-Location", "Set-Cookie", "X-Frame-Options", "Expires", "ETag", "Vary",
            "Content-Foo",
        ])
    func others(name: String) { #expect(text(update(["\(name): 1"], "\(name): 2").fields, name) == "2") }

    @Test("fields of the connection are not taken over")
    func connection() {
        let updated = update(["A: 1"], "Connection: A, close", "A: 2", "Keep-Alive: 5", "Proxy-Authenticate: x")
        #expect(names(updated.fields) == ["a", "date"] && text(updated.fields, "A") == "1")
    }

    @Test("the old Age and Date do not stand for the new answer's")
    func age() {
        let updated = update(["Age: 500", "Date: \(date(-500))", "Cache-Control: max-age=60"], "X: 1")
        #expect(text(updated.fields, "Age") == nil && text(updated.fields, "Date") == date(100))
        let policy = StoredPolicy(updated, isSecure: true, settings: CacheSettings())
        #expect(policy.initialAge == 10_000 && policy.isFresh(at: seconds(149)) && !policy.isFresh(at: seconds(150)))
        #expect(text(update(["Age: 500"], "Age: 3").fields, "Age") == "3")
    }

    @Test("a no-cache that lists fields takes them out of what was stored")
    func qualified() {
        #expect(names(update(["A: 1", "B: 1"], "Cache-Control: no-cache=a").fields) == ["b", "cache-control", "date"])
        #expect(
            names(update(["A: 1"], "Cache-Control: private=a", settings: sharedSettings).fields) == [
                "cache-control", "date",
            ])
    }
}

@Suite struct HeadRuleTests {
    @Test(
        "an answer to HEAD updates what it agrees with",
        arguments: [
            (["ETag: \"a\"", "Content-Length: 5"], .update), (["Content-Length: 5"], .update), ([], .update),
            (["ETag: \"a\""], .update), (["ETag: \"b\""], .stale), (["ETag: W/\"a\""], .stale), (["ETag: "], .stale),
            (["Content-Length: 6"], .stale), (["ETag: \"a\"", "Content-Length: 6"], .stale),
            (["Last-Modified: \(date(-10))"], .update), (["Last-Modified: \(date(-9))"], .stale),
            (["Last-Modified: x"], .stale),
        ] as [([String], HeadRule.Decision)])
    func decisions(lines: [String], expected: HeadRule.Decision) {
        let stored = variant("ETag: \"a\"", "Content-Length: 5", "Last-Modified: \(date(-10))")
        #expect(HeadRule.decide(stored, status: 200, fields: block(lines), now: at()) == expected)
    }

    @Test("a length that the stored answer does not have needs a strong tag")
    func length() {
        let fields = block("ETag: \"a\"", "Content-Length: 5")
        #expect(HeadRule.decide(variant("ETag: \"a\""), status: 200, fields: fields, now: at()) == .update)
        #expect(HeadRule.decide(variant("A: 1"), status: 200, fields: block("Content-Length: 5"), now: at()) == .stale)
    }

    @Test("only a 200 says something of a stored 200", arguments: [204, 304, 404, 410, 500])
    func ignored(status: Int) {
        #expect(HeadRule.decide(variant("A: 1"), status: status, fields: block(), now: at()) == .ignore)
        #expect(HeadRule.decide(variant("A: 1", status: 404), status: 200, fields: block(), now: at()) == .ignore)
    }
}
