@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// The stage *network* between neighbours.
@Suite struct NetworkStageTests {
    private func bench(_ reachability: Reachability = .unreachable) throws -> StageBench {
        let bench = try StageBench { NetworkStage($0) }
        say(reachability, bench)
        return bench
    }

    private func say(_ reachability: Reachability, _ bench: StageBench) {
        _ = bench.client.reachability.set(reachability, tellingOn: bench.client.noticeWorker)
        bench.stage.limitsDidChange()
    }

    private func send(_ bench: StageBench, wait: Duration? = .seconds(5), total: Duration? = nil) throws -> Owner {
        try bench.send { request in
            request.networkWait = wait
            request.timeouts.total = total
        }.owner
    }

    @Test("what does not wait is sent, and so is what waits while the network is reachable or not known")
    func passes() throws {
        let bench = try bench()
        _ = try send(bench, wait: nil)
        for reachability in [Reachability.unknown, .reachable] {
            say(reachability, bench)
            _ = try send(bench)
        }
        #expect(bench.below.down.count == 3)
    }

    @Test("those that wait go on in their order when the network is back")
    func back() throws {
        let bench = try bench()
        let owners = try (0..<3).map { _ in try send(bench) }
        bench.clock.advance(milliseconds: 4_999)
        bench.expire()
        #expect(bench.below.down.isEmpty)
        say(.unknown, bench)
        #expect(bench.below.down.count == 3)
        #expect(bench.below.down.map { ObjectIdentifier($0.owner) } == owners.map { ObjectIdentifier($0) })
    }

    @Test("after its limit it ends, and the network comes too late for it")
    func limit() throws {
        let bench = try bench()
        let owner = try send(bench)
        bench.clock.advance(milliseconds: 5_000)
        bench.expire()
        #expect(owner.error == .networkUnreachable && owner.end?.error?.phase == .queue)
        say(.reachable, bench)
        #expect(bench.below.down.isEmpty)
    }

    @Test("a wait before the first attempt counts to no timeout, a later one to the total timeout")
    func total() throws {
        let bench = try bench()
        let owner = try send(bench, total: .seconds(1))
        bench.clock.advance(milliseconds: 4_000)
        bench.expire()
        #expect(owner.end == nil)
        say(.reachable, bench)
        let exchange = try #require(bench.below.down.first)
        exchange.begin(bench.clock.now)
        say(.unreachable, bench)
        bench.context.goOnAnew(exchange)
        bench.clock.advance(milliseconds: 1_000)
        bench.expire()
        #expect(owner.error == .timeoutTotal)
    }
}
