@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// The stage *cache* between neighbours: who passes, who waits for whom, and for how long.
@Suite struct CacheStageAloneTests {
    private func bench() throws -> StageBench {
        var options = Client.Options()
        let cache = Cache(Cache.Options())
        options.cache = cache
        return try StageBench(options) { CacheStage($0, cache) }
    }

    private let fresh = [("Cache-Control", "max-age=60")]

    @Test("what is stored and fresh answers, and goes up through the stage that had it")
    func served() throws {
        let bench = try bench()
        let (first, _) = try bench.send()
        bench.answer(first, 200, fresh)
        let (_, owner) = try bench.send()
        #expect(owner.end?.cacheResult == .hit && bench.below.down.count == 1 && bench.above.up.count == 2)
    }

    @Test("equal requests wait for the first, and are served by what it stored")
    func followers() throws {
        let bench = try bench()
        let (leader, _) = try bench.send()
        let owners = try (0..<3).map { _ in try bench.send().owner }
        #expect(bench.below.down.count == 1 && owners.allSatisfy { $0.hasBegun })
        bench.answer(leader, 200, fresh)
        #expect(owners.allSatisfy { $0.end?.status == 200 && $0.end?.cachedObject != nil })
        #expect(bench.below.down.count == 1)
    }

    @Test("they share its error, and after its cancel the next one leads")
    func withoutLeader() throws {
        let bench = try bench()
        let (leader, _) = try bench.send()
        let (second, _) = try bench.send()
        let (_, third) = try bench.send()
        bench.cancel(leader)
        #expect(bench.below.down.count == 2 && bench.below.down.last === second && third.end == nil)
        bench.context.end(second, Response(error: NetcoreError(.connect)))
        #expect(third.error == .connect)
    }

    @Test("one that waits ends by its own total timeout")
    func late() throws {
        let bench = try bench()
        let (leader, first) = try bench.send()
        let (_, second) = try bench.send { $0.timeouts.total = .milliseconds(100) }
        bench.clock.advance(milliseconds: 100)
        bench.expire()
        #expect(second.error == .timeoutTotal && first.end == nil)
        bench.answer(leader, 200, fresh)
        #expect(first.end?.status == 200)
    }

    @Test("a 304 that nothing stored answers makes the hop go out once more, without conditions, as another attempt")
    func repeats() throws {
        let bench = try bench()
        let (first, _) = try bench.send()
        bench.answer(first, 200, [("Cache-Control", "max-age=0"), ("ETag", "\"1\"")])
        let (exchange, owner) = try bench.send()
        #expect(Headers(exchange.hop.wire().fields)["If-None-Match"] == "\"1\"")
        exchange.countHop()
        bench.answer(exchange, 304, [("ETag", "\"2\"")])
        #expect(bench.below.down.count == 3 && exchange.attempt.hops == 0)
        #expect(!exchange.hop.wire().fields.contains("If-None-Match"))
        bench.answer(exchange, 200, fresh)
        #expect(owner.end?.status == 200)
    }
}
