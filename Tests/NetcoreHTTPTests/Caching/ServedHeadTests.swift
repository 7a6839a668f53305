import NetcoreHTTP
import Testing

@Suite struct CacheStatusTests {
    @Test("a member says what happened, as RFC 9211 writes it")
    func members() {
        #expect(CacheStatus.hit(timeToLive: 376).text == "netcore; hit; ttl=376")
        #expect(CacheStatus.hit(timeToLive: -12).text == "netcore; hit; ttl=-12")
        var status = CacheStatus.forwarded(.stale)
        status.forwardStatus = 304
        status.timeToLive = 60
        status.isStored = true
        status.isCollapsed = true
        #expect(status.text == "netcore; fwd=stale; fwd-status=304; ttl=60; stored; collapsed")
        #expect(CacheStatus().text == "netcore")
    }

    @Test(
        "the reasons of RFC 9211 section 2.2",
        arguments: [
            (CacheStatus.Forward.bypass, "bypass"), (.method, "method"), (.uriMiss, "uri-miss"),
            (.varyMiss, "vary-miss"),
            (.miss, "miss"), (.request, "request"), (.stale, "stale"), (.partial, "partial"),
        ])
    func reasons(forward: CacheStatus.Forward, text: String) {
        #expect(CacheStatus.forwarded(forward).text == "netcore; fwd=\(text)")
    }

    @Test("a miss tells what was missing")
    func misses() throws {
        let plain = try request()
        #expect(CacheStatus.reason(plain, hasStored: false, hasMatching: false) == .uriMiss)
        #expect(CacheStatus.reason(plain, hasStored: true, hasMatching: false) == .varyMiss)
        #expect(CacheStatus.reason(plain, hasStored: true, hasMatching: true) == .miss)
        #expect(CacheStatus.reason(try request(method: "PUT"), hasStored: true, hasMatching: true) == .method)
        #expect(CacheStatus.reason(try request("If-Match: *"), hasStored: true, hasMatching: true) == .request)
    }

    @Test("the detail is a quoted string of ASCII")
    func detail() {
        var status = CacheStatus()
        status.detail = "a \"b\" \\ é\n"
        #expect(status.text == "netcore; detail=\"a \\\"b\\\" \\\\ ???\"")
    }
}

@Suite struct ServedHeadTests {
    @Test("Age stands in place of the stored one, and the own member behind those of other caches")
    func served() {
        let served = ServedHead(
            block("A: 1", "Age: 50", "Cache-Status: cdn; hit", "age: 7", "B: 2", "Cache-Status: edge"))
        let fields = served.hitFields(age: 70, timeToLive: 30)
        #expect(names(fields) == ["a", "b", "age", "cache-status"])
        #expect(text(fields, "Age") == "70")
        #expect(text(fields, "Cache-Status") == "cdn; hit, edge, netcore; hit; ttl=30")
        #expect(text(served.fields(age: 1, .forwarded(.stale)), "Cache-Status") == "cdn; hit, edge, netcore; fwd=stale")
    }

    @Test(
        "numbers are written in full",
        arguments: [
            (0, 0, "0"), (9, -9, "9"), (10, 10, "10"), (2_147_483_648, -2_147_483_648, "2147483648"),
            (.max, .min + 1, "2147483648"), (-5, .max, "0"), (99, 100, "99"),
        ] as [(Int64, Int64, String)])
    func numbers(age: Int64, timeToLive: Int64, expected: String) {
        let fields = ServedHead(block("A: 1")).hitFields(age: age, timeToLive: timeToLive)
        #expect(text(fields, "Age") == expected)
        #expect(text(fields, "Cache-Status") == "netcore; hit; ttl=\(timeToLive)")
    }

    @Test("what is handed out can grow, and the stored fields stay as they are")
    func copies() {
        let stored = block("A: 1")
        let served = ServedHead(stored)
        let first = served.hitFields(age: 1, timeToLive: 2)
        for index in 0..<50 { first.append("X-\(index)", String(repeating: "x", count: 100)) }
        #expect(first.count == 53 && served.hitFields(age: 1, timeToLive: 2).count == 3 && stored.count == 1)
        #expect(text(first, "X-49") == String(repeating: "x", count: 100) && text(first, "Age") == "1")
        #expect(names(ServedHead(block()).hitFields(age: 1, timeToLive: 2)) == ["age", "cache-status"])
    }

    @Test("an answer of the origin gets a member too, and keeps its Age")
    func forwarded() {
        let fields = ServedHead.adding(.forwarded(.uriMiss), to: block("Age: 5", "Cache-Status: cdn", "A: 1"))
        #expect(names(fields) == ["age", "a", "cache-status"])
        #expect(text(fields, "Cache-Status") == "cdn, netcore; fwd=uri-miss")
    }

    @Test("the cache's own 504 has no body and says why")
    func gatewayTimeout() {
        var status = CacheStatus.forwarded(.stale)
        status.detail = "unreachable"
        let fields = ServedHead.gatewayTimeoutFields(status, now: noon)
        #expect(ServedHead.gatewayTimeout == 504)
        #expect(text(fields, "Content-Length") == "0" && text(fields, "Date") == date())
        #expect(text(fields, "Cache-Status") == "netcore; fwd=stale; detail=\"unreachable\"")
    }
}
