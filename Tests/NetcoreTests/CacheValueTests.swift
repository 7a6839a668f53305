import Netcore
import NetcoreHTTP
import Testing

/// Values that the caller decoded from a stored answer, and when they are released.
@Suite struct CacheValueTests {
    /// At its end it uses the cache: that would never return if a lock of the cache's were held.
    final class Value: Sendable {
        let number: Int
        private let cache: Cache
        private let ends: Collector<Int>

        init(_ number: Int, _ cache: Cache, _ ends: Collector<Int>) {
            self.number = number
            self.cache = cache
            self.ends = ends
        }

        deinit {
            cache.clear(.tag("none"))
            _ = cache.statistics
            ends.add(number)
        }
    }

    enum Event: CaseIterable {
        case clear, clearURL, evict, reload, post, never, exchange, tooLarge
    }

    @Test("a value is released when its answer goes, with no lock held", arguments: Event.allCases)
    func released(event: Event) throws {
        let bench = try CacheBench()
        // A value that is left would hold the cache, which holds the value.
        defer { bench.cache.clear() }
        let ends = Collector<Int>()
        #expect(try bench.store().response?.setCachedValue(Value(1, bench.cache, ends), size: 100) == true)
        #expect(try bench.get().response?.cachedValue(Value.self)?.number == 1)
        switch event {
        case .clear: bench.cache.clear()
        case .clearURL: bench.cache.clear(.url(CacheBench.url))
        case .evict: bench.cache.setLimits(memoryCount: 0)
        case .reload: try bench.get(with: { $0.cacheOptions.mode = .reload })
        case .post: try bench.perform(bench.request("POST", CacheBench.url)) { $0.answer(204) }
        case .never: try bench.get(with: { $0.cacheOptions.mode = .never })
        case .exchange:
            #expect(try bench.get().response?.setCachedValue(Value(2, bench.cache, ends), size: 1) == true)
            #expect(try bench.get().response?.cachedValue(Value.self)?.number == 2)
        case .tooLarge:
            #expect(try bench.get().response?.setCachedValue(Value(1, bench.cache, ends), size: 1 << 30) == true)
        }
        #expect(ends.wait(for: 1).first == 1)
    }

    @Test("a value lives as long as a response that came from its answer")
    func held() throws {
        let bench = try CacheBench()
        let ends = Collector<Int>()
        var response = try bench.store().response
        #expect(response?.setCachedValue(Value(1, bench.cache, ends), size: 1) == true)
        bench.cache.clear()
        #expect(response?.cachedValue(Value.self)?.number == 1)
        response = nil
        #expect(ends.wait(for: 1) == [1])
    }

    @Test("a confirmed answer keeps its value, a new one has none")
    func confirmed() throws {
        let bench = try CacheBench()
        let stored = try bench.store(["Cache-Control: max-age=1", "ETag: \"1\""])
        #expect(stored.response?.setCachedValue("decoded", size: 10) == true)
        bench.clock.advance(5000)
        let confirmed = try bench.get { $0.answer(304, ["ETag: \"1\"", "Cache-Control: max-age=1"]) }
        #expect(confirmed.cacheResult == .revalidated && confirmed.response?.cachedValue(String.self) == "decoded")
        bench.clock.advance(5000)
        #expect(try bench.get().response?.cachedValue(String.self) == nil)
    }

    @Test("a response that is not stored takes no value")
    func notStored() throws {
        let bench = try CacheBench()
        let response = try bench.store(["Cache-Control: no-store"]).response
        #expect(response?.setCachedValue("decoded", size: 10) == false)
    }
}
