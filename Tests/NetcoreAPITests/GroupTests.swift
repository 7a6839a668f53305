@testable import Netcore
import NetcoreAPI
import NetcoreHTTP
import Synchronization
import Testing

/// Groups, chains and graphs of a client whose transport is a table of stubs.
@Suite("Groups with a rule")
struct GroupTests {
    /// Each path answers with its own name; "/failing" fails, and "/slow" takes a minute.
    private func client() throws -> Client {
        let stubs = StubTable()
        try stubs.add(Stub("GET", "/failing", StubAnswer(fault: .reset)))
        try stubs.add(Stub("GET", "/slow", StubAnswer(delay: .fixed(.seconds(60)))))
        for name in ["a", "b", "c", "a.b"] { try stubs.add(Stub("GET", "/\(name)", StubAnswer(text: name))) }
        var options = Client.Options()
        options.transport = stubs.transport
        return try Client(options)
    }

    private func get(_ name: String) throws -> Request { try Request("GET", "https://api.test/\(name)") }

    @Test("all settled: results are in the order of adding, with failures among them")
    func allSettled() async throws {
        let group = try client().makeGroup(.init(limit: 2))
        for name in ["a", "failing", "b"] { try group.add(get(name)) }
        let results = try await group.run()
        #expect(results.map(\.failure) == [nil, .connectionLost, nil])
        #expect(try results[2].get().text == "b")
        #expect(throws: NetcoreError.self) { try results[1].get() }
        #expect(group.progress.succeeded == 2 && group.progress.failed == 1)
        #expect(group.bytes.received >= 2)
    }

    @Test("all or nothing: the first failure is thrown, and the rest is canceled")
    func allOrNothing() async throws {
        let group = try client().makeGroup(.init(.allOrNothing))
        try group.add(get("slow"))
        let failing = try group.add(get("failing"))
        let error = await #expect(throws: NetcoreError.self) { try await group.run() }
        #expect(error?.code == .connectionLost && group.decidingTaskID == failing.id)
        #expect(group.results.map(\.?.failure) == [.canceled, .connectionLost])
    }

    @Test("any: the first success wins")
    func any() async throws {
        let group = try client().makeGroup(.init(.any))
        for name in ["slow", "failing", "c"] { try group.add(get(name)) }
        let results = try await group.run()
        let winner = try #require(results.first { $0.taskID == group.decidingTaskID })
        #expect(try winner.get().text == "c")
    }

    @Test("a group that takes too long is canceled, and throws that")
    func timeLimit() async throws {
        let group = try client().makeGroup(.init(timeLimit: .milliseconds(20)))
        try group.add(get("slow"))
        let error = await #expect(throws: NetcoreError.self) { try await group.run() }
        #expect(error?.code == .timeoutTotal && group.progress.canceled == 1)
    }

    @Test("a step of a chain sees what the one before brought, and may add steps")
    func chain() async throws {
        let chain = try client().makeGroup(.chain)
        try chain.add(get("a"))
        try chain.addStep { [unowned chain] inputs in
            let text = try inputs[0].get().text
            try chain.addWork { inputs in
                let text = try inputs[0].get().text
                #expect(text == "a.b")
                await Task.yield()
            }
            return try Request("GET", "https://api.test/\(text).b")
        }
        let results = try await chain.run()
        #expect(results.count == 3 && results.allSatisfy { $0.failure == nil })
        #expect(throws: NetcoreError.self) { try chain.dispatch() }
    }

    @Test("what a step throws ends the chain, and the rest is skipped")
    func throwingStep() async throws {
        struct Mine: Error {}
        let chain = try client().makeGroup(.chain)
        let step = try chain.addStep { _ in throw Mine() }
        try chain.add(get("a"))
        let error = await #expect(throws: NetcoreError.self) { try await chain.run() }
        #expect(error?.code == .refused && chain.decidingTaskID == step.id)
        #expect(chain.results.map(\.?.failure) == [.refused, .skipped])
    }

    @Test("members of a graph wait for others, and get what these brought")
    func graph() async throws {
        let graph = try client().makeGroup(.init())
        let first = try graph.add(get("a"))
        let second = try graph.add(get("b"), after: [first])
        try graph.addStep(after: [first, second]) { inputs in
            try Request("GET", "https://api.test/" + inputs.map { try $0.get().text }.joined(separator: "."))
        }
        #expect(throws: NetcoreError.self) { try graph.require(second, before: first) }
        let results = try await graph.run()
        #expect(try results[2].get().text == "a.b")
    }

    @Test("canceling the surrounding task cancels the work of the application's own")
    func cancellation() async throws {
        let group = try client().makeGroup(.init(.allOrNothing))
        let started = Mutex(false)
        let canceled = Mutex(false)
        try group.addWork { _ in
            started.withLock { $0 = true }
            do { try await Task.sleep(for: .seconds(60)) } catch {
                canceled.withLock { $0 = true }
                throw error
            }
        }
        let running = Task { try await group.run() }
        while !started.withLock({ $0 }) { await Task.yield() }
        running.cancel()
        await #expect(throws: CancellationError.self) { try await running.value }
        #expect(canceled.withLock { $0 })
    }

    @Test("a group is a member of a group, and notifies before it")
    func nested() async throws {
        let client = try client()
        let (outer, inner) = (try client.makeGroup(.chain), try client.makeGroup(.init(.any)))
        let order = Mutex<[String]>([])
        try inner.add(get("a")) { _ in order.withLock { $0.append("member") } }
        try outer.add(inner) { _ in order.withLock { $0.append("inner") } }
        try outer.add(get("b")) { _ in order.withLock { $0.append("after") } }
        #expect(throws: NetcoreError.self) { try inner.add(outer) }
        #expect(throws: NetcoreError.self) { try inner.dispatch() }
        try await outer.run()
        #expect(order.withLock { $0 } == ["member", "inner", "after"])
    }

    @Test("groups that are nested too deep are refused")
    func depth() throws {
        let client = try client()
        var groups = [try client.makeGroup()]
        while groups.count < 64 {
            let outer = try client.makeGroup()
            try outer.add(groups[groups.count - 1])
            groups.append(outer)
        }
        #expect(throws: NetcoreError.self) { try client.makeGroup().add(groups[63]) }
        groups[63].cancel()
    }

    @Test("options that make no sense are refused")
    func options() throws {
        let client = try client()
        #expect(throws: NetcoreError.self) { try client.makeGroup(.init(limit: 0)) }
        #expect(throws: NetcoreError.self) { try client.makeGroup(.init(timeLimit: .zero)) }
        let group = try client.makeGroup()
        try group.add(get("a"))
        #expect(throws: NetcoreError.self) { try group.setOptions(.chain) }
        group.cancel()
    }
}
