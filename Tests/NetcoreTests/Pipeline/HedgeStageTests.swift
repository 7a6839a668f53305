@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import NetcoreTransport
import Testing

/// The stage *hedge* and its clock between neighbours, at times that the test sets.
@Suite struct HedgeStageTests {
    /// Notes when a hop begins, as the transport does.
    private final class Beginning: Stage {
        private unowned(unsafe) let context: StageContext

        init(_ context: StageContext) { self.context = context }

        override func down(_ exchange: Exchange) -> Descent {
            exchange.tries.begin(context.now, isHedge: exchange.isHedge)
            return .next
        }
    }

    private func bench() throws -> StageBench {
        let timers = HedgeTimers()
        return try StageBench(below: { [HedgeClockStage($0, timers), Beginning($0)] }) {
            HedgeStage($0, timers, wallClock: { 784_111_777 })
        }
    }

    private func send(
        _ bench: StageBench, _ change: (inout HedgePolicy) -> Void = { _ in }
    ) throws -> (exchange: Exchange, owner: Owner) {
        var policy = HedgePolicy.standard
        change(&policy)
        let sent = try bench.send { request in try request.setHedging(.policy(policy)) }
        if !sent.exchange.isEnded { sent.exchange.begin(bench.clock.now) }
        return sent
    }

    private func advance(_ bench: StageBench, _ milliseconds: Int) {
        bench.clock.advance(milliseconds: milliseconds)
        bench.expire()
    }

    private func fail(_ bench: StageBench, _ exchange: Exchange, _ code: NetcoreError.Code) {
        bench.context.end(exchange, Response(error: NetcoreError(code, phase: .wait)))
    }

    @Test("without a policy nothing is sent twice")
    func off() throws {
        let bench = try bench()
        let (exchange, owner) = try bench.send()
        advance(bench, 10_000)
        bench.answer(exchange, 503)
        #expect(owner.end?.status == 503 && bench.below.down.count == 1)
    }

    @Test("the hedge is sent after 2 s, and the first answer of the two is the end")
    func hedge() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        advance(bench, 1999)
        #expect(bench.below.down.count == 1)
        advance(bench, 1)
        let hedge = try #require(bench.below.down.last)
        #expect(bench.below.down.count == 2 && hedge.isHedge && hedge.costs.attempts == exchange.costs.attempts)
        bench.answer(hedge, 200)
        #expect(owner.end?.status == 200 && owner.ends == 1 && exchange.isEnded && hedge.isEnded)
        #expect(bench.below.abandoned == 1 && bench.below.held.isEmpty)
        #expect(exchange.tries.all.map(\.reason) == [.hedged] && exchange.tries.all[0].error == .canceled)
        #expect(bench.client.counters.hedges.value == 1 && bench.client.counters.hedgeWins.value == 1)
        #expect(bench.nextDeadline == .never || bench.nextDeadline > bench.clock.now)
    }

    @Test("after 100 answers the delay is their 95th percentile")
    func percentile() throws {
        let bench = try bench()
        for number in 0..<100 {
            let (exchange, _) = try send(bench)
            bench.clock.advance(milliseconds: number < 95 ? 20 : 100)
            bench.answer(exchange)
        }
        bench.clock.advance(milliseconds: 1000)
        _ = try send(bench)
        let count = bench.below.down.count
        advance(bench, 19)
        #expect(bench.below.down.count == count)
        advance(bench, 4)
        #expect(bench.below.down.count == count + 1)
    }

    @Test("a failure sends it at once, and its end is awaited; if that fails too, the first one's failure goes on")
    func failures() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        bench.answer(exchange, 503)
        #expect(owner.end == nil && bench.below.held.isEmpty)
        bench.expire()
        let hedge = try #require(bench.below.held.first)
        #expect(hedge.isHedge)
        fail(bench, hedge, .connectionLost)
        #expect(owner.end?.status == 503 && owner.ends == 1)
        #expect(bench.client.counters.hedgeWins.value == 0)
    }

    @Test("a canceled task ends both, wherever they are", arguments: 0..<4)
    func cancel(_ place: Int) throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        if place > 0 { advance(bench, 2000) }
        if place == 2 { bench.answer(exchange, 503) }
        if place == 3, let hedge = bench.below.down.last { fail(bench, hedge, .connect) }
        owner.isCanceled = true
        bench.cancel(exchange)
        #expect(owner.error == .canceled && owner.ends == 1 && bench.below.held.isEmpty)
        #expect(bench.below.down.allSatisfy { $0.isEnded })
    }

    @Test("who has no token left gets no hedge")
    func budget() throws {
        let bench = try bench()
        for number in 0..<11 {
            let (exchange, owner) = try send(bench) { $0.budget.perSuccess = 0 }
            advance(bench, 2000)
            #expect(bench.below.held.count == (number < 10 ? 2 : 1))
            bench.answer(exchange)
            #expect(owner.ends == 1)
        }
    }

    @Test("the hop of a hedge goes over another connection, and nothing of it is shown before the end")
    func connection() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        advance(bench, 2000)
        let hedge = try #require(bench.below.down.last)
        #expect(hedge.needsOtherConnection && !exchange.needsOtherConnection)
        #expect(!hedge.deliverEarly(Response(), .interim) && owner.early.isEmpty)
    }

    /// What may come, in any order, for 20 exchanges at once.
    @Test("in whatever order tries end, and tasks are canceled, each ends once and leaves nothing", arguments: 0..<40)
    func anyOrder(_ seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        let bench = try bench()
        var sent = try (0..<20).map { _ in try send(bench) { $0.initialDelay = .milliseconds(10) } }
        weak let last = sent.last?.exchange
        while !sent.allSatisfy({ $0.owner.ends > 0 }) {
            switch random.next() % 8 {
            case 0...1: advance(bench, Int(random.next() % 6))
            case 2:
                let (exchange, owner) = sent[Int(random.next() % 20)]
                guard owner.ends == 0 else { continue }
                owner.isCanceled = true
                bench.cancel(exchange)
            default:
                guard let exchange = bench.below.held.randomElement(using: &random) else {
                    advance(bench, 1)
                    continue
                }
                let statuses = [200, 200, 404, 503, 503]
                if random.next() % 5 == 0 {
                    fail(bench, exchange, random.next() % 2 == 0 ? .connectionLost : .tls)
                } else {
                    let fields = random.next() % 8 == 0 ? [("Retry-After", "1")] : []
                    bench.answer(exchange, statuses[Int(random.next() % 5)], fields)
                }
            }
            #expect(sent.allSatisfy { $0.owner.ends <= 1 })
        }
        advance(bench, 100_000)
        #expect(sent.allSatisfy { $0.owner.ends == 1 && $0.exchange.isEnded } && bench.below.held.isEmpty)
        #expect(bench.below.down.allSatisfy { $0.isEnded })
        bench.below.forget()
        bench.above.forget()
        sent = []
        #expect(last == nil)
    }

    @Test("a client that ends lets go of both")
    func close() throws {
        weak var exchange: Exchange?
        weak var hedge: Exchange?
        do {
            let bench = try bench()
            exchange = try send(bench).exchange
            advance(bench, 2000)
            hedge = bench.below.down.last
            #expect(exchange != nil && hedge != nil)
        }
        #expect(exchange == nil && hedge == nil)
    }
}

/// Random numbers from a seed (SplitMix64).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
