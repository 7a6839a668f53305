@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// The stage *breaker* between neighbours.
@Suite struct BreakerStageTests {
    private func bench(_ policy: BreakerPolicy? = .standard) throws -> StageBench {
        let bench = try StageBench { BreakerStage($0, random: { 0.5 }) }
        try bench.client.settings.change { settings throws(NetcoreError) in
            settings.delivery.breaker = try policy.map { policy throws(NetcoreError) in try BreakerRule(policy) }
        }
        return bench
    }

    private func lose(_ bench: StageBench, _ count: Int = 5, _ url: String = "http://one.test/a") throws {
        for _ in 0..<count {
            bench.context.end(try bench.send(url).exchange, Response(error: NetcoreError(.connect, phase: .connect)))
        }
    }

    @Test("without a policy it lets everything through")
    func off() throws {
        let bench = try bench(nil)
        try lose(bench, 100)
        #expect(bench.below.down.count == 100)
    }

    @Test("what an open one refuses has the origin in its message and the time to wait, and goes no further")
    func refusal() throws {
        let bench = try bench()
        try lose(bench)
        bench.clock.advance(milliseconds: 1_000)
        let (_, owner) = try bench.send()
        let error = try #require(owner.end?.error)
        #expect(error.code == .breakerOpen && error.retryAfter == .seconds(4) && error.phase == .queue)
        #expect(error.message.contains("http://one.test:80") && bench.below.down.count == 5)
        #expect(try bench.send("http://two.test/").owner.end == nil)
    }

    @Test("a probe that is canceled leaves its place to the next request")
    func canceled() throws {
        let bench = try bench()
        try lose(bench)
        bench.clock.advance(milliseconds: 5_000)
        let (probe, owner) = try bench.send()
        #expect(try bench.send().owner.error == .breakerOpen)
        owner.isCanceled = true
        bench.cancel(probe)
        let (next, last) = try bench.send()
        #expect(last.end == nil)
        bench.answer(next, 200)
        #expect(try bench.send().owner.end == nil)
    }

    @Test("each hop counts once, by its answer")
    func counts() throws {
        let bench = try bench()
        for status in [200, 404, 429, 500, 503] { bench.answer(try bench.send().exchange, status) }
        let info = try #require(bench.client.breakers.infos(now: bench.clock.now).first)
        #expect(info.tries == 5 && info.failures == 2 && info.state == .closed)
    }
}
