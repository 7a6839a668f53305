import Netcore
import NetcoreHTTP
import Testing

/// The cache between a client and an origin: errors, interim answers, and what takes the place of what.
@Suite struct CacheStageTests {
    struct Failing: Sendable {
        let stored: String
        /// 0: the origin is out of reach.
        let status: Int
        let seen: Int
        let result: CacheResult
    }

    @Test(
        "an error is replaced by what is stored where that is allowed",
        arguments: [
            Failing(stored: "max-age=1, stale-if-error=100", status: 0, seen: 200, result: .staleHit),
            Failing(stored: "max-age=1, stale-if-error=100", status: 503, seen: 200, result: .staleHit),
            Failing(stored: "max-age=1, stale-if-error=100", status: 404, seen: 404, result: .expired),
            Failing(stored: "max-age=1, stale-if-error=2", status: 503, seen: 503, result: .expired),
            Failing(stored: "max-age=1, stale-if-error=2", status: 0, seen: 0, result: .none),
            Failing(
                stored: "max-age=1, must-revalidate, stale-if-error=100", status: 0, seen: 504, result: .unsatisfiable),
            Failing(stored: "max-age=1, must-revalidate, stale-if-error=100", status: 503, seen: 503, result: .expired),
            Failing(stored: "no-cache, max-age=100", status: 0, seen: 504, result: .unsatisfiable),
            Failing(stored: "max-age=1", status: 0, seen: 0, result: .none),
            Failing(stored: "max-age=1", status: 500, seen: 500, result: .expired),
        ])
    func failing(row: Failing) throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: \(row.stored)", "ETag: \"1\""])
        bench.clock.advance(10_000)
        let event = try bench.get { exchange in
            if row.status == 0 { exchange.fail(.connect) } else { exchange.answer(row.status, [], "error") }
        }
        #expect(event.response?.status ?? 0 == row.seen)
        #expect(event.cacheResult ?? .none == row.result)
        if row.seen == 0 { #expect(event.error == .connect) }
        if row.seen == 200 { #expect(event.text == "old" && event.response?.headers["age"] == "10") }
    }

    @Test("interim answers reach a request that asks for them, and are not stored", arguments: [false, true])
    func interim(isWanted: Bool) throws {
        let bench = try CacheBench()
        bench.transport.answer { exchange in
            exchange.interim(103, ["Link: </style.css>", "Cache-Control: max-age=1000"])
            exchange.interim(103)
            exchange.answer(200, ["Cache-Control: max-age=60"], "whole")
        }
        let events = try bench.dispatch(bench.request { $0.receivesInterim = isWanted }).events
        let seen = events.wait(for: isWanted ? 3 : 1)
        #expect(seen.map { $0.response?.status } == (isWanted ? [103, 103, 200] : [200]))
        #expect(seen.dropLast().allSatisfy { $0.isEarly && $0.response?.isInterim == true })
        if isWanted { #expect(seen[0].response?.headers["link"] == "</style.css>") }
        let again = try bench.get(with: { $0.receivesInterim = isWanted })
        #expect(again.cacheResult == .hit && again.text == "whole" && again.response?.status == 200)
    }

    @Test("a stale answer that may be served meanwhile is validated in the background, once")
    func background() throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: max-age=1, stale-while-revalidate=60"])
        bench.clock.advance(5000)
        let seen = try (0..<3).map { _ in try bench.dispatch(bench.request()).events.wait(for: 1).first }
        #expect(seen.map { $0?.text } == ["old", "old", "old"] && seen.allSatisfy { $0?.cacheResult == .staleHit })
        let sent = try #require(bench.transport.next())
        sent.answer(200, ["Cache-Control: max-age=60"], "new")
        sent.settle()
        #expect(try bench.get().text == "new" && bench.transport.count == 2)
    }

    @Test("a new answer takes the place of one that depends on other fields")
    func superseded() throws {
        let bench = try CacheBench()
        let fields = [("Accept-Language", "en")]
        try bench.get(fields) { $0.answer(200, ["Cache-Control: max-age=60", "Vary: Accept-Language"], "old") }
        bench.clock.advance(61_000)
        #expect(try bench.get(fields) { $0.answer(200, ["Cache-Control: max-age=60"], "new") }.text == "new")
        let again = try bench.get(fields)
        #expect(again.text == "new" && again.cacheResult == .hit)
    }

    @Test("a 304 takes the place of stored answers that it does not confirm")
    func supersededByConfirmation() throws {
        let bench = try CacheBench()
        let fields = [("Accept-Language", "en")]
        try bench.get { $0.answer(200, ["Cache-Control: max-age=1", "ETag: \"new\""], "new") }
        try bench.get(fields + [("Cache-Control", "no-cache")]) {
            $0.answer(200, ["Cache-Control: max-age=60", "Vary: Accept-Language", "ETag: \"old\""], "old")
        }
        // Stored for those without the field as well, from before.
        try bench.get { $0.answer(200, ["Cache-Control: max-age=1", "ETag: \"new\""], "new") }
        bench.clock.advance(100_000)
        let confirmed = try bench.get(fields) { $0.answer(304, ["Cache-Control: max-age=60", "ETag: \"new\""]) }
        #expect(confirmed.text == "new")
        #expect(try bench.get(fields).text == "new")
    }

    @Test(
        "what is stored goes when 304s, or answers to HEAD, make its head larger than an answer's may be",
        arguments: ["GET", "HEAD"])
    func growingHead(method: String) throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: max-age=1", "ETag: \"1\""])
        for round in 0..<2 {
            bench.clock.advance(10_000)
            let news = (0..<2000).map { "x\(round)-\($0): \(String(repeating: "x", count: 60))" }
            let event = try bench.perform(bench.request(method)) {
                $0.answer(method == "GET" ? 304 : 200, ["Cache-Control: max-age=1", "ETag: \"1\""] + news)
            }
            #expect(
                event.response?.status == 200
                    && event.response?.headers.count ?? 0 >= 2000 * (method == "GET" ? round + 1 : 1))
        }
        let last = try bench.get()
        #expect(last.text == "new" && last.response?.headers["cache-status"]?.contains("fwd=uri-miss") == true)
        #expect(try bench.get().cacheResult == .hit)
    }

    @Test("an answer to HEAD that says no-store removes what is stored")
    func headNoStore() throws {
        let bench = try CacheBench()
        try bench.store(["Cache-Control: max-age=60", "ETag: \"1\"", "Content-Length: 3"])
        try bench.perform(bench.request("HEAD", CacheBench.url, [("Cache-Control", "no-cache")])) {
            $0.answer(200, ["Cache-Control: no-store, max-age=1000", "ETag: \"1\"", "Content-Length: 3"])
        }
        #expect(try bench.get().text == "new")
    }

    @Test("a fresh answer out of memory and a stale one are told apart with a time to live too")
    func staleByTimeToLive() throws {
        let bench = try CacheBench()
        try bench.get(with: { $0.cacheOptions.timeToLive = .seconds(5) })
        bench.clock.advance(10_000)
        let event = try bench.get(with: {
            $0.cacheOptions.timeToLive = .seconds(5)
            try? $0.addHeader("Cache-Control", "max-stale")
        })
        #expect(event.cacheResult == .staleHit)
    }

    @Test("what is larger than memory is served from disk")
    func withoutMemory() throws {
        let folder = ModelFolder()
        let bench = try CacheBench {
            $0.folder = folder.path
            $0.memoryBytes = 0
        }
        try bench.store()
        let event = try bench.get()
        #expect(event.cacheResult == .hit && event.text == "old")
        #expect(try bench.client.performBlocking(bench.request()).cacheResult == .hit)
        guard case .found(let response) = try bench.client.cachedResponse(bench.request()) else {
            Issue.record("not found")
            return
        }
        #expect(response.text == "old" && bench.transport.count == 1)
    }
}
