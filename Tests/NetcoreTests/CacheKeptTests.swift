@testable import Netcore
import NetcoreHTTP
import Testing

/// Requests without a time to live, and what one keeps.
@Suite("What a time to live keeps, for requests that have none")
struct CacheKeptTests {
    private let clock = ModelClock()

    /// A cache in which a time to live of a minute keeps "old".
    private func bench(ttlOnly: Bool, folder: String? = nil) throws -> CacheBench {
        let bench = try CacheBench(clock: clock) {
            $0.followsHTTP = !ttlOnly
            $0.folder = folder
        }
        try bench.perform(bench.request { $0.cacheOptions.timeToLive = .seconds(60) }) {
            $0.answer(200, ["Cache-Control: no-store"], "old")
        }
        return bench
    }

    private static let rows: [(CacheMode, Int64, CacheResult, String)] = [
        (.cacheOnly, 0, .hit, "old"), (.cacheOnly, 61, .staleHit, "old"), (.cacheElseNetwork, 0, .hit, "old"),
        (.cacheElseNetwork, 61, .staleHit, "old"), (.networkElseCache, 0, .requested, "new"),
        (.standard, 0, .passed, "new"), (.reload, 0, .requested, "new"),
    ]

    @Test(
        "a cache by times to live only obeys the modes of requests that have none", arguments: rows, [false, true])
    func modes(row: (mode: CacheMode, seconds: Int64, result: CacheResult, text: String), onDisk: Bool) throws {
        let folder = ModelFolder()
        let bench = try bench(ttlOnly: true, folder: onDisk ? folder.path : nil)
        clock.advance(row.seconds * 1000)
        for _ in 0..<2 {
            let found = try bench.get(with: { $0.cacheOptions.mode = row.mode })
            #expect(found.text == row.text)
            if row.text == "old" { #expect(found.cacheResult == row.result) }
        }
        #expect(bench.transport.count == (row.text == "old" ? 1 : 3))
        bench.client.destroy()
    }

    @Test("cache only is a 504 where nothing is kept; no request goes out")
    func nothing() throws {
        let bench = try bench(ttlOnly: true)
        let other = try bench.perform(
            bench.request("GET", "https://one.test/b") { $0.cacheOptions.mode = .cacheOnly }
        ) { $0.answer(200, [], "new") }
        #expect(other.response?.status == 504 && other.cacheResult == .unsatisfiable && bench.transport.count == 1)
        bench.client.destroy()
    }

    @Test("what cache else network brings is not stored: it has no time to live")
    func elseNetwork() throws {
        let bench = try bench(ttlOnly: true)
        for _ in 0..<2 {
            let other = try bench.perform(
                bench.request("GET", "https://one.test/b") { $0.cacheOptions.mode = .cacheElseNetwork }
            ) { $0.answer(200, ["Cache-Control: max-age=60"], "new") }
            #expect(other.text == "new")
        }
        #expect(bench.transport.count == 3 && bench.cache.entries().count == 1)
        bench.client.destroy()
    }

    @Test("network else cache serves what is kept when the origin fails")
    func fallback() throws {
        let bench = try bench(ttlOnly: true)
        clock.advance(100_000)
        let found = try bench.get(with: { $0.cacheOptions.mode = .networkElseCache }, orElse: { $0.fail(.connect) })
        #expect(found.text == "old" && found.cacheResult == .staleHit)
        bench.client.destroy()
    }

    @Test("never removes what is kept")
    func never() throws {
        let bench = try bench(ttlOnly: true)
        #expect(try bench.get(with: { $0.cacheOptions.mode = .never }).text == "new")
        #expect(bench.cache.entries().isEmpty)
        #expect(try bench.get(with: { $0.cacheOptions.timeToLive = .seconds(60) }).cacheResult == .notCached)
        bench.client.destroy()
    }

    @Test("asking for what is stored finds what a time to live keeps, fresh and stale", arguments: [false, true])
    func stored(ttlOnly: Bool) throws {
        for folder in [nil, ModelFolder()] {
            let bench = try bench(ttlOnly: ttlOnly, folder: folder?.path)
            for (seconds, result) in [(59, CacheResult.hit), (2, .staleHit)] {
                clock.advance(Int64(seconds) * 1000)
                guard case .found(let response) = try bench.client.cachedResponse(bench.request()) else {
                    Issue.record("nothing is found")
                    continue
                }
                #expect(response.text == "old" && response.cacheResult == result)
            }
            let passed = try bench.client.cachedResponse(bench.request { $0.cacheOptions.mode = .ignore })
            if case .found = passed { Issue.record("the cache was to take no part") }
            bench.client.destroy()
        }
    }

    @Test("a cache by HTTP serves nothing of it by itself")
    func standard() throws {
        let bench = try bench(ttlOnly: false)
        #expect(try bench.get().text == "new")
        guard case .found(let response) = try bench.client.cachedResponse(bench.request()) else {
            Issue.record("nothing is found")
            return
        }
        #expect(response.text == "new")  // HTTP's own first
        bench.client.destroy()
    }

    @Test("the list says until when a time to live keeps an answer", arguments: [false, true])
    func list(onDisk: Bool) throws {
        let folder = ModelFolder()
        let bench = try bench(ttlOnly: false, folder: onDisk ? folder.path : nil)
        let entry = try #require(bench.cache.entries().first)
        #expect(entry.freshUntil == entry.storedAt + 60_000 && entry.freshUntil > clock.now.wall)
        bench.client.destroy()
    }
}
