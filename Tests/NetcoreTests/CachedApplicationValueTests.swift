import Netcore
import NetcoreHTTP
import Testing

@Suite struct CachedApplicationValueTests {
    @Test("a value is kept until it is removed, replaced, or its time is over")
    func lives() throws {
        let clock = ManualClock()
        var options = Cache.Options()
        options.clock = clock
        options.valueTimeToLive = .seconds(60)
        let cache = Cache(options)
        #expect(cache.value(for: "a") == nil)
        try cache.put([1, 2], for: "a")
        try cache.put([3], for: "b", timeToLive: .seconds(10))
        #expect(cache.value(for: "a") == [1, 2] && cache.value(for: "b") == [3])
        try cache.put([], for: "a")
        try clock.advance(by: .seconds(10))
        #expect(cache.value(for: "a") == [] && cache.value(for: "b") == nil)
        cache.removeValue(for: "a")
        #expect(cache.value(for: "a") == nil)
        try cache.put([4], for: "c")
        try clock.advance(by: .seconds(60))
        #expect(cache.value(for: "c") == nil)
    }

    @Test("a tag removes the values that have it")
    func tags() throws {
        let cache = Cache()
        try cache.put([1], for: "a", tags: ["x", "y"])
        try cache.put([2], for: "b", tags: ["y"])
        cache.clear(.tag("x"))
        #expect(cache.value(for: "a") == nil && cache.value(for: "b") == [2])
    }

    @Test("an empty key, and a tag that cannot be one, are refused by name")
    func misuse() throws {
        let cache = Cache()
        #expect { try cache.put([1], for: "") } throws: { ($0 as? NetcoreError)?.argument == "key" }
        #expect { try cache.put([1], for: "a", tags: [""]) } throws: { ($0 as? NetcoreError)?.argument == "tags" }
        #expect(cache.value(for: "") == nil)
    }
}
