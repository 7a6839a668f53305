@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing
import TestSupport

/// Equal requests in flight, by the Swift API, and the stage on a clock that the test sets.
@Suite struct DuplicateTests {
    private func bench() throws -> StageBench { try StageBench { DuplicateStage($0) } }

    private func join(
        _ bench: StageBench, total: Duration? = nil, _ url: String = "http://one.test/a"
    ) throws -> (exchange: Exchange, owner: Owner) {
        try bench.send(url) {
            $0.duplicates = .join
            $0.timeouts.total = total
        }
    }

    @Test("time in the queue is billed to no task that joined, and their total timeouts run from their own beginnings")
    func timeouts() throws {
        let bench = try bench()
        let first = try join(bench, total: .seconds(1))
        let shared = try #require(bench.below.down.first)
        bench.clock.advance(milliseconds: 5000)
        bench.expire()
        #expect(first.owner.end == nil && !first.owner.hasBegun)
        shared.begin(bench.clock.now)
        #expect(first.owner.hasBegun)
        bench.clock.advance(milliseconds: 600)
        let second = try join(bench, total: .seconds(1))
        #expect(second.owner.hasBegun && bench.below.down.count == 1)
        bench.clock.advance(milliseconds: 500)
        bench.expire()
        #expect(first.owner.error == .timeoutTotal && second.owner.end == nil)
        bench.answer(shared)
        #expect(second.owner.end?.status == 200 && second.owner.end?.isJoined == false)
        second.exchange.complete(try #require(second.owner.end), bench.clock.now)
        #expect(second.owner.end?.timings.total == 500_000 && second.owner.end?.attempts == 0)
    }

    @Test("after the total timeout of the first, those with time left send the request again")
    func late() throws {
        let bench = try bench()
        let first = try join(bench, total: .seconds(1))
        let shared = try #require(bench.below.down.first)
        shared.begin(bench.clock.now)
        let second = try join(bench)
        bench.clock.advance(milliseconds: 1000)
        bench.context.end(shared, Response(error: NetcoreError(.timeoutTotal, phase: .wait)))
        #expect(first.owner.error == .timeoutTotal && second.owner.end == nil && bench.below.down.count == 2)
        bench.answer(bench.below.down[1])
        #expect(second.owner.end?.status == 200)
    }

    @Test("the last task that leaves ends the transfer")
    func last() throws {
        let bench = try bench()
        let sent = try (0..<3).map { _ in try join(bench) }
        for one in sent.dropLast() { bench.cancel(one.exchange) }
        #expect(bench.below.abandoned == 0)
        bench.cancel(sent[2].exchange)
        #expect(bench.below.abandoned == 1 && sent.allSatisfy { $0.owner.error == .canceled })
        let next = try join(bench)
        #expect(bench.below.down.count == 2)
        bench.cancel(next.exchange)
    }

    @Test("a body that is read while it is sent is equal to no other, and a streamed response does not join")
    func apart() throws {
        let bench = try bench()
        for _ in 0..<2 {
            _ = try bench.send(method: "POST") {
                $0.duplicates = .dropNew
                try $0.setBody(file: "/dev/null")
            }
            _ = try bench.send {
                $0.duplicates = .join
                $0.options.isStreamed = true
            }
        }
        #expect(bench.below.down.count == 4)
    }

    @Test("requests that join are answered by one transfer")
    func door() async throws {
        let sent = Collector<TransportHop>()
        var options = Client.Options()
        options.transport = { _, hop in sent.add(hop) }
        let client = try Client(options)
        var request = try Request("GET", "http://app.test/")
        request.duplicates = .join
        let answers = Collector<Response>()
        for _ in 0..<3 { try client.dispatch(request) { if let answer = try? $0.get() { answers.add(answer) } } }
        let hop = try #require(sent.wait(for: 1).first)
        try hop.answer(200, body: Array("x".utf8))
        let joined = answers.wait(for: 3)
        #expect(joined.map(\.text) == ["x", "x", "x"] && joined.map(\.isJoined) == [false, true, true])
        request.duplicates = .cancelOld
        let ends = Collector<NetcoreError>()
        try client.dispatch(request) { if case .failure(let error) = $0 { ends.add(error) } }
        _ = sent.wait(for: 2)
        try client.dispatch(request) { _ in }
        let error = try #require(ends.wait(for: 1).first)
        #expect(error.code == .canceled && error.cancelCause == .replaced)
        client.destroy()
    }
}
