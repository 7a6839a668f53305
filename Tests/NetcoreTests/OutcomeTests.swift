@testable import Netcore
import NetcoreHTTP
import Testing

/// What ends say: of groups, of tasks that are canceled twice, and of progress.
@Suite struct OutcomeTests {
    private let transport = FakeTransport()
    private let client: Client

    init() throws {
        var options = Client.Options()
        let transport = self.transport
        options.makeTransport = { transport.at($0) }
        client = try Client(options)
    }

    /// How a group ends whose members end like this, one after the other.
    private func outcome(of ends: [NetcoreError.Code?]) throws -> NetcoreError.Code {
        let group = try client.makeGroup()
        let notified = Collector<NetcoreError.Code>()
        let tasks = try ends.map { _ in try group.addApplicationTask() }
        try group.dispatch { notified.add($0.outcome) }
        for (task, code) in zip(tasks, ends) {
            while task.state != .running {}
            if code == .canceled { task.cancel() }
            try task.complete(code)
        }
        return notified.wait(for: 1).first ?? .internal
    }

    @Test(
        "a group ends as its first member that failed; a canceled one counts if none did",
        arguments: [
            ([nil, nil], .ok), ([.canceled, .storage], .storage), ([.storage, .canceled], .storage),
            ([.canceled, nil], .canceled), ([.canceled, .connect, .storage], .connect),
            ([.canceled, .canceled], .canceled),
        ] as [([NetcoreError.Code?], NetcoreError.Code)])
    func groups(ends: [NetcoreError.Code?], expected: NetcoreError.Code) throws {
        #expect(try outcome(of: ends) == expected)
        client.destroy()
    }

    @Test("a group that is canceled as a whole is canceled, whatever its members did")
    func canceledGroup() throws {
        let group = try client.makeGroup()
        let notified = Collector<NetcoreError.Code>()
        let tasks = try (0..<2).map { _ in try group.addApplicationTask() }
        try group.dispatch { notified.add($0.outcome) }
        for task in tasks { while task.state != .running {} }
        try tasks[0].complete(.storage)
        group.cancel()
        try tasks[1].complete()
        #expect(notified.wait(for: 1) == [.canceled])
        client.destroy()
    }

    @Test("canceling all counts what it cancels, and not what was canceled before")
    func cancelAll() throws {
        let group = try client.makeGroup()
        let tasks = try (0..<3).map { _ in try group.addApplicationTask() }
        try group.dispatch()
        for task in tasks { while task.state != .running {} }
        // Work of the application's goes on after its cancel until the application says that it has ended.
        #expect(tasks[0].cancel())
        #expect(client.cancelAll() == 2)
        #expect(client.cancelAll() == 0)
        for task in tasks { try task.complete() }
        client.destroy()
    }

    @Test(
        "the last report says that the whole body came, whatever was known of its length",
        arguments: [(Int?.none, [Int]()), (10, [4]), (nil, [4]), (10, [10]), (nil, [10])] as [(Int?, [Int])])
    func progress(length: Int?, reports: [Int]) throws {
        let seen = Collector<[Int?]>()
        let ended = Collector<Bool>()
        var request = try Request("GET", "http://one.test/")
        request.progressInterval = .seconds(3600)
        transport.answer { exchange in
            for received in reports { exchange.progress(received: received, expected: length ?? -1) }
            if reports.last.map({ $0 < 10 }) ?? true { exchange.progress(received: 10, expected: length ?? -1) }
            exchange.answer(200, [], "0123456789")
        }
        try client.dispatch(request, onProgress: { seen.add([$0.received, $0.expected]) }) { _ in ended.add(true) }
        #expect(ended.wait(for: 1) == [true])
        #expect(seen.wait(for: 1).last == [10, 10])
        client.destroy()
    }

    @Test("a request that is awaited reports as often as it says, and all of it before its end")
    func awaited() async throws {
        let seen = Collector<Int>()
        var request = try Request("POST", "http://one.test/")
        request.progressInterval = .zero
        transport.answer { exchange in
            for received in [3, 6, 10] { exchange.progress(received: received, expected: 10) }
            exchange.answer(200, [], "0123456789")
        }
        let response = try await client.perform(request, onProgress: { seen.add($0.received) })
        #expect(response.text == "0123456789")
        #expect(seen.wait(for: 0).last == 10)
        client.destroy()
    }

    @Test("a request that is awaited with reports ends with its client, and as canceled with the surrounding task")
    func awaitedAndCanceled() async throws {
        transport.answer { _ in }
        let waiting = Task { [client] in
            try await client.perform(Request("GET", "http://one.test/"), onProgress: { _ in })
        }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        let last = Task { [client] in
            try await client.perform(Request("GET", "http://one.test/"), onProgress: { _ in })
        }
        client.destroy()
        await #expect(throws: NetcoreError.self) { try await last.value }
    }

    @Test("reports are refused by a client that runs no callbacks")
    func awaitedWithoutCallbacks() async throws {
        var options = Client.Options()
        options.completions = .queue
        let client = try Client(options)
        let error = await #expect(throws: NetcoreError.self) {
            try await client.perform(Request("GET", "http://one.test/"), onProgress: { _ in })
        }
        #expect(error?.code == .invalidState)
        client.destroy()
    }

    @Test("a failed task has no last report")
    func failed() throws {
        let seen = Collector<Int>()
        let ended = Collector<Bool>()
        var request = try Request("GET", "http://one.test/")
        request.progressInterval = .seconds(3600)
        transport.answer { $0.fail(.connect) }
        try client.dispatch(request, onProgress: { seen.add($0.received) }) { _ in ended.add(true) }
        #expect(ended.wait(for: 1) == [true])
        client.destroy()
        #expect(seen.wait(for: 0).isEmpty)
    }
}
