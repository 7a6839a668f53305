import Netcore
import NetcoreSupport
import Testing

/// Identical misses send one request, and what becomes of those that wait.
@Suite struct CacheFlightTests {
    private static let storable = ["Cache-Control: max-age=60"]

    /// A leader that was sent, and two that wait for it.
    private func flight(
        _ bench: CacheBench, _ change: (inout Request) -> Void = { _ in }
    ) throws -> (sent: FakeExchange, leader: RequestTask, events: [CacheBench.Events]) {
        let leader = try bench.dispatch(bench.request())
        let sent = try #require(bench.transport.next())
        let followers = try (0..<2).map { _ in try bench.dispatch(bench.request("GET", CacheBench.url, [], change)) }
        sent.settle()
        return (sent, leader.task, [leader.events] + followers.map(\.events))
    }

    @Test("those that wait are served what the leader stored")
    func shared() throws {
        let bench = try CacheBench()
        let (sent, _, events) = try flight(bench)
        sent.answer(200, Self.storable, "one")
        #expect(events.map { $0.wait(for: 1).first?.text } == ["one", "one", "one"])
        #expect(events[1].wait(for: 1).first?.response?.headers["cache-status"]?.contains("collapsed") == true)
        #expect(bench.transport.count == 1)
    }

    @Test("a leader that is canceled or runs out of time hands over", arguments: [nil, NetcoreError.Code.timeoutIdle])
    func handedOver(code: NetcoreError.Code?) throws {
        let bench = try CacheBench()
        let (sent, leader, events) = try flight(bench)
        if let code { sent.fail(code) } else { #expect(leader.cancel()) }
        let next = try #require(bench.transport.next())
        next.answer(200, Self.storable, "two")
        #expect(events[0].wait(for: 1).first?.error == code ?? .canceled)
        #expect(events[1...].map { $0.wait(for: 1).first?.text } == ["two", "two"])
        #expect(bench.transport.count == 2)
    }

    @Test("those that wait share the leader's error")
    func failed() throws {
        let bench = try CacheBench()
        let (sent, _, events) = try flight(bench)
        sent.fail(.connect)
        #expect(events.map { $0.wait(for: 1).first?.error } == [.connect, .connect, .connect])
        #expect(bench.transport.count == 1)
    }

    @Test("one that waits ends at its own total timeout, and the leader goes on")
    func timeout() throws {
        let bench = try CacheBench()
        let start = MonotonicTime.now
        let (sent, _, events) = try flight(bench) { $0.timeouts.total = .milliseconds(30) }
        #expect(events[1].wait(for: 1).first?.error == .timeoutTotal)
        #expect(events[2].wait(for: 1).first?.error == .timeoutTotal)
        let passed = MonotonicTime.now.microseconds(since: start)
        #expect(passed >= 30_000 && passed < 20_000_000)
        sent.answer(200, Self.storable, "one")
        #expect(events[0].wait(for: 1).first?.text == "one")
        #expect(bench.transport.count == 1)
    }

    @Test("one that waits can be canceled")
    func canceledFollower() throws {
        let bench = try CacheBench()
        let leader = try bench.dispatch(bench.request())
        let sent = try #require(bench.transport.next())
        let follower = try bench.dispatch(bench.request())
        sent.settle()
        #expect(follower.task.cancel())
        #expect(follower.events.wait(for: 1).first?.error == .canceled)
        sent.answer(200, Self.storable, "one")
        #expect(leader.events.wait(for: 1).first?.text == "one")
    }

    @Test("an answer that cannot be shared is not waited for again")
    func unshareable() throws {
        let bench = try CacheBench()
        let (sent, _, events) = try flight(bench)
        sent.answer(200, ["Cache-Control: no-store"], "mine")
        // Each goes alone now; both are on their way before either is answered.
        let others = try [#require(bench.transport.next()), #require(bench.transport.next())]
        for (index, other) in others.enumerated() { other.answer(200, ["Cache-Control: no-store"], "\(index)") }
        #expect(Set(events[1...].map { $0.wait(for: 1).first?.text }) == ["0", "1"])
        let later = try (0..<2).map { _ in try bench.dispatch(bench.request()).events }
        let sides = try [#require(bench.transport.next()), #require(bench.transport.next())]
        for side in sides { side.answer(200, Self.storable, "all") }
        #expect(later.map { $0.wait(for: 1).first?.text } == ["all", "all"])
        #expect(try bench.get().cacheResult == .hit)
    }

    @Test("requests of different scopes do not wait for each other")
    func scopes() throws {
        let bench = try CacheBench()
        let one = try bench.dispatch(bench.request { $0.cacheOptions.scope = "one" })
        let two = try bench.dispatch(bench.request { $0.cacheOptions.scope = "two" })
        let sent = try [#require(bench.transport.next()), #require(bench.transport.next())]
        sent[0].answer(200, Self.storable, "1")
        sent[1].answer(200, Self.storable, "2")
        #expect(one.events.wait(for: 1).first?.text == "1" && two.events.wait(for: 1).first?.text == "2")
    }
}

extension CacheBench {
    func request(_ change: (inout Request) -> Void) throws -> Request { try request("GET", Self.url, [], change) }
}
