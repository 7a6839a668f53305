@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// The stage *rate* between neighbours, on a clock that the test sets, and the line of what waits.
@Suite struct RateStageTests {
    private func bench(_ rate: Rate, for scope: RateScope = .client) throws -> StageBench {
        let bench = try StageBench { RateStage($0, wallClock: { 0 }) }
        try bench.client.settings.change { $0.rates[scope] = rate }
        return bench
    }

    private func advance(_ bench: StageBench, _ milliseconds: Int) {
        bench.clock.advance(milliseconds: milliseconds)
        bench.expire()
    }

    @Test("what waits goes at its turn, the next one a spacing later, and the wait is time in the queue")
    func turns() throws {
        let bench = try bench(Rate(10))
        let sent = try (0..<3).map { _ in try bench.send { $0.timeouts.total = .seconds(1) } }
        #expect(bench.below.down.count == 1 && sent[1].owner.end == nil)
        advance(bench, 99)
        #expect(bench.below.down.count == 1)
        advance(bench, 1)
        #expect(bench.below.down.count == 2)
        advance(bench, 100)
        #expect(bench.below.down.count == 3)
        sent[2].exchange.begin(bench.clock.now)
        #expect(sent[2].exchange.times.queued == 200_000)
    }

    @Test("a request that was canceled leaves its turn to the next one")
    func cancel() throws {
        let bench = try bench(Rate(10))
        let sent = try (0..<3).map { _ in try bench.send() }
        bench.cancel(sent[1].exchange)
        #expect(sent[1].owner.error == .canceled)
        advance(bench, 100)
        #expect(bench.below.down.count == 2 && bench.below.down[1] === sent[2].exchange)
    }

    @Test("a wait that is too long ends at once, also behind others, and one that becomes so at its bound")
    func bound() throws {
        let bench = try bench(Rate(1, transfers: 1, maximumWait: .milliseconds(1500)))
        let sent = try (0..<3).map { _ in try bench.send() }
        #expect(sent[1].owner.end == nil && sent[2].owner.error == .rateLimited)
        #expect(sent[2].owner.end?.error?.retryAfter == .seconds(2))
        advance(bench, 1500)
        #expect(sent[1].owner.error == .rateLimited && sent[1].owner.end?.error?.phase == .queue)
    }

    @Test("what waits for more than a server left goes as answers say more, and at the reset")
    func hints() throws {
        let bench = try bench(Rate(followsServer: true))
        func answer(_ index: Int, _ remaining: Int) throws {
            let exchange = try #require(bench.below.down[index...].first)
            bench.answer(exchange, 200, [("RateLimit", "\"a\";r=\(remaining);t=30")])
        }
        _ = try bench.send()
        try answer(0, 1)
        for _ in 0..<4 { _ = try bench.send() }
        #expect(bench.below.down.count == 2)
        try answer(1, 2)
        #expect(bench.below.down.count == 4)
        advance(bench, 29_999)
        #expect(bench.below.down.count == 4)
        advance(bench, 1)
        #expect(bench.below.down.count == 5)
    }

    @Test("a request waits for all of its rates")
    func several() throws {
        let bench = try bench(Rate(10))
        try bench.client.settings.change { $0.rates[.tag("t")] = Rate(transfers: 1) }
        let first = try bench.send { $0.tags = ["t"] }
        _ = try bench.send { $0.tags = ["t"] }
        advance(bench, 1000)
        #expect(bench.below.down.count == 1)
        bench.answer(first.exchange)
        #expect(bench.below.down.count == 2)
    }

    @Test("limiters of keys that are idle are forgotten")
    func sweep() throws {
        let bench = try bench(Rate(1000), for: .key(nil))
        for number in 0..<2000 {
            let sent = try bench.send { $0.rateKey = "\(number)" }
            bench.answer(sent.exchange)
            advance(bench, 10)
        }
        let stage = try #require(bench.stage as? RateStage)
        #expect(stage.limiterCount <= 257)
    }

    @Test("a request with another priority takes its place among those that wait")
    func priority() throws {
        let bench = try bench(Rate(10))
        let sent = try (0..<3).map { _ in try bench.send() }
        bench.context.setPriority(sent[2].exchange, .high)
        advance(bench, 100)
        #expect(bench.below.down.count == 2 && bench.below.down[1] === sent[2].exchange)
        for one in sent { bench.cancel(one.exchange) }
    }

    private final class Item: LineItem {
        var ticket = LineTicket()
        let hasGivenUp = false
        let priority: Priority
        let time: Int

        init(_ priority: Priority, _ time: Int) {
            self.priority = priority
            self.time = time
        }

        var due: Int { time + priority.level * PriorityLine<Item>.aging }
    }

    @Test("none waits for ever, whatever comes: of those that are due, the longest goes with each fourth at the latest")
    func aging() throws {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<20 {
            var line = PriorityLine<Item>()
            var waiting: [Item] = []
            var now = 0
            var others = 0
            for _ in 0..<1000 {
                now += Int.random(in: 0...PriorityLine<Item>.aging / 20, using: &random)
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    let priority = try #require(Priority.allCases.randomElement(using: &random))
                    let item = Item(priority, now)
                    line.add(item, since: now)
                    waiting.append(item)
                }
                guard let item = line.popFirst(now: now) else { continue }
                let longest = try #require(waiting.map(\.due).min())
                waiting.removeAll { $0 === item }
                others = item.due == longest || longest > now ? 0 : others + 1
                #expect(others < PriorityLine<Item>.share)
            }
            #expect(line.count == waiting.count)
        }
    }

    @Test("the higher priority goes first, and those of one in the order of their coming")
    func order() {
        var line = PriorityLine<Item>()
        let items = [Priority.low, .default, .high, .default, .high].enumerated().map { Item($1, $0) }
        for item in items { line.add(item, since: item.time) }
        line.remove(items[3])
        var order: [Int] = []
        while let item = line.popFirst(now: 5) { order.append(item.time) }
        #expect(order == [2, 4, 1, 0])
    }
}
