@testable import Netcore
import NetcoreHTTP
import Testing

/// What the pipeline promises to each stage.
@Suite struct PipelineTests {
    private final class Ending: Stage {
        private(set) var ups = 0

        override func down(_ exchange: Exchange) -> Descent { .end(StageBench.response(204)) }

        override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
            ups += 1
            return .next
        }
    }

    private final class Holding: Stage {
        private let context: StageContext
        private(set) var number = 0
        private(set) var ups = 0
        private(set) var abandoned = 0

        init(_ context: StageContext) { self.context = context }

        override func down(_ exchange: Exchange) -> Descent {
            let end = context.now.adding(milliseconds: 100)
            number = context.hold(exchange, until: end, else: NetcoreError(.timeoutTotal, "late"))
            return .hold
        }

        override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
            ups += 1
            return .next
        }

        override func abandon(_ exchange: Exchange) -> Response? {
            abandoned += 1
            return nil
        }
    }

    @Test("up is called on the stage that ended an exchange, and on those above it only")
    func ending() throws {
        let stage = Ending()
        let bench = try StageBench { _ in stage }
        let (_, owner) = try bench.send()
        #expect(stage.ups == 1 && bench.above.up.count == 1 && bench.below.down.isEmpty)
        #expect(owner.end?.status == 204)
    }

    @Test("a hold ends at its time with its error, once, and up is called on who held")
    func late() throws {
        let bench = try StageBench { Holding($0) }
        let stage = try #require(bench.stage as? Holding)
        let (exchange, owner) = try bench.send()
        #expect(bench.context.isHeld(exchange, stage.number))
        bench.clock.advance(milliseconds: 99)
        bench.expire()
        #expect(owner.end == nil && bench.nextDeadline == bench.clock.now.adding(milliseconds: 1))
        bench.clock.advance(milliseconds: 1)
        bench.expire()
        #expect(owner.error == .timeoutTotal && stage.abandoned == 1 && stage.ups == 1)
        #expect(!bench.context.isHeld(exchange, stage.number) && bench.nextDeadline == .never)
    }

    @Test("an exchange that goes on in time is not ended by its hold")
    func inTime() throws {
        let bench = try StageBench { Holding($0) }
        let (exchange, owner) = try bench.send()
        bench.context.goOn(exchange)
        bench.clock.advance(milliseconds: 1000)
        bench.expire()
        #expect(owner.end == nil && bench.below.down.count == 1)
        bench.answer(exchange)
        #expect(owner.end?.status == 200)
    }

    @Test("a cancel asks the stage that holds, and then goes up through all")
    func cancel() throws {
        let bench = try StageBench { Holding($0) }
        let stage = try #require(bench.stage as? Holding)
        let (exchange, owner) = try bench.send()
        bench.context.goOn(exchange)
        bench.cancel(exchange)
        #expect(bench.below.abandoned == 1 && bench.below.up.count == 1 && stage.ups == 1 && stage.abandoned == 0)
        #expect(owner.error == .canceled)
    }
}
