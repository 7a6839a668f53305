import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// What comes late brings nothing back, and overwrites nothing that is newer.
@Suite struct CacheLateTests {
    private static let storable = ["Cache-Control: max-age=60"]

    @Test("a slower old answer never overwrites a newer one", arguments: [false, true])
    func slow(isEvicted: Bool) throws {
        let bench = try CacheBench()
        let reload = try bench.request { $0.cacheOptions.mode = .reload }
        let old = try bench.dispatch(reload)
        let slow = try #require(bench.transport.next())
        bench.clock.advance(1000)
        let new = try bench.dispatch(reload)
        try #require(bench.transport.next()).answer(200, Self.storable, "new")
        #expect(new.events.wait(for: 1).first?.text == "new")
        if isEvicted {
            bench.cache.setLimits(memoryCount: 0)
            bench.cache.setLimits(memoryCount: 100)
        }
        slow.answer(200, Self.storable, "old")
        #expect(old.events.wait(for: 1).first?.text == "old")
        let event = try bench.get { $0.answer(200, Self.storable, "asked") }
        #expect(event.text == (isEvicted ? "asked" : "new"))
    }

    @Test(
        "an answer that was asked for before a clear is not stored",
        arguments: [
            Cache.Filter.all, .url(CacheBench.url), .prefix("https://one.test/"), .tag("t"), .scope("s"),
        ])
    func cleared(filter: Cache.Filter) throws {
        let bench = try CacheBench()
        let request = try bench.request {
            $0.tag = "t"
            $0.cacheOptions.scope = "s"
        }
        let first = try bench.dispatch(request)
        let slow = try #require(bench.transport.next())
        bench.cache.clear(filter)
        slow.answer(200, Self.storable, "old")
        let response = try #require(first.events.wait(for: 1).first?.response)
        #expect(response.text == "old" && response.headers["cache-status"]?.contains("stored") == false)
        #expect(try bench.perform(request) { $0.answer(200, Self.storable, "new") }.text == "new")
    }

    @Test("a clear of others does not keep an answer from being stored")
    func clearedOther() throws {
        let bench = try CacheBench()
        let first = try bench.dispatch(bench.request())
        let slow = try #require(bench.transport.next())
        bench.cache.clear(.scope("other"))
        bench.cache.clear(.url("https://one.test/b"))
        slow.answer(200, Self.storable, "old")
        _ = first.events.wait(for: 1)
        #expect(try bench.get().text == "old")
    }

    @Test("an answer that was asked for before an unsafe method's is not stored")
    func invalidated() throws {
        let bench = try CacheBench()
        let first = try bench.dispatch(bench.request())
        let slow = try #require(bench.transport.next())
        let post = try bench.dispatch(bench.request("POST", CacheBench.url))
        try #require(bench.transport.next()).answer(204)
        _ = post.events.wait(for: 1)
        slow.answer(200, Self.storable, "old")
        _ = first.events.wait(for: 1)
        #expect(try bench.get().text == "new")
    }

    @Test("the answer to POST that says it is what GET would bring is stored all the same")
    func ownAnswer() throws {
        let bench = try CacheBench()
        try bench.store()
        let fields = Self.storable + ["Content-Location: \(CacheBench.url)"]
        try bench.perform(bench.request("POST", CacheBench.url)) { $0.answer(200, fields, "posted") }
        #expect(try bench.get().text == "posted")
    }

    @Test("what was cleared is not served when its validation fails")
    func clearedFallback() throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: max-age=1, stale-if-error=1000"])
        bench.clock.advance(5000)
        let stale = try bench.dispatch(bench.request())
        let sent = try #require(bench.transport.next())
        bench.cache.clear()
        sent.fail(.connect)
        #expect(stale.events.wait(for: 1).first?.error == .connect)
    }

    @Test("an error that asks to forget is not replaced by what it asks to forget")
    func clearSiteData() throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: max-age=1, stale-if-error=1000"])
        bench.clock.advance(5000)
        let event = try bench.get { $0.answer(503, ["Clear-Site-Data: \"cache\""], "down") }
        #expect(event.text == "down")
        #expect(try bench.get { $0.fail(.connect) }.error == .connect)
    }

    @Test("a wall clock that was set back does not keep new answers out")
    func wallSetBack() throws {
        let bench = try CacheBench()
        try bench.store()
        bench.clock.jump(-86_400_000)
        bench.clock.advance(1000)
        #expect(try bench.get(with: { $0.cacheOptions.mode = .reload }).text == "new")
        #expect(try bench.get().cacheResult == .hit && bench.get().text == "new")
    }
}
