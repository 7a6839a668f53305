import Netcore
import NetcoreCodable
import NetcoreSupport
import Synchronization
import TestSupport
import Testing

/// Collects what callbacks say, and waits for it.
final class Collector<Value: Sendable>: @unchecked Sendable {
    private let condition = Condition()
    private var values: [Value] = []

    func add(_ value: Value) {
        condition.lock.withLock { values.append(value) }
        condition.broadcast()
    }

    /// What came, once it is as many as expected; or what came in 30 seconds.
    func wait(for count: Int) -> [Value] {
        let deadline = MonotonicTime.now.adding(milliseconds: 30_000)
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while values.count < count, condition.wait(until: deadline) {}
        return values
    }
}

func client(_ change: (inout Client.Options) -> Void = { _ in }) throws -> Client {
    var options = Client.Options()
    options.caFile = Peers.caFile
    change(&options)
    return try Client(options)
}

@Suite struct ClientTests {
    @Test("an answer arrives whole, by each version", arguments: [Peers.nginx, Peers.nginxTLS, Peers.nginxHTTP2])
    func get(base: String) async throws {
        let response = try await client().perform(Request("GET", "\(base)/100k"))
        #expect(response.status == 200)
        #expect(response.body == (0..<100 * 1024).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) })
        #expect(response.version == (base == Peers.nginxHTTP2 ? .http2 : .http1_1))
        #expect(response.headers["content-length"] == "102400")
        #expect(response.urlString == "\(base)/100k")
        #expect((response.timings.tls != nil) == (base != Peers.nginx))
    }

    @Test("a hundred at once, over one connection each time it can be")
    func hundred() async throws {
        let client = try client()
        let request = try Request("GET", "\(Peers.nginxHTTP2)/small.txt")
        let sizes = try await withThrowingTaskGroup(of: Int.self) { tasks in
            for _ in 0..<100 { tasks.addTask { try await client.perform(request).body.count } }
            return try await tasks.reduce(into: []) { $0.append($1) }
        }
        #expect(sizes == Array(repeating: 128, count: 100))
    }

    @Test("a failure is thrown, with what is known of it")
    func refused() async throws {
        let client = try client()
        await #expect {
            try await client.perform(Request("GET", "\(Peers.refused)/?token=secret"))
        } throws: {
            guard let error = $0 as? NetcoreError else { return false }
            return error.code == .connect && error.phase == .connect && error.isRetryable && error.nativeCode == 7
                && error.attempts == 1 && !error.message.contains("secret") && error.message.contains("127.0.0.1")
        }
    }

    @Test("canceling the surrounding task cancels the transfer and throws CancellationError")
    func cancelSurrounding() async throws {
        let client = try client()
        let request = try Request("GET", "\(Peers.origin)/delay/30000?canceled-by-task")
        let surrounding = Task { try await client.perform(request) }
        await waitUntilSeen(by: client, "/delay/30000?canceled-by-task")
        surrounding.cancel()
        await #expect(throws: CancellationError.self) { try await surrounding.value }
    }

    @Test("a request that is canceled by its tag throws a NetcoreError")
    func cancelTagged() async throws {
        let client = try client()
        var request = try Request("GET", "\(Peers.origin)/delay/30000?canceled-by-tag")
        request.tag = "tagged"
        let surrounding = Task { [request] in try await client.perform(request) }
        await waitUntilSeen(by: client, "/delay/30000?canceled-by-tag")
        #expect(client.cancelAll(tag: "tagged") == 1)
        await #expect { try await surrounding.value } throws: { ($0 as? NetcoreError)?.code == .canceled }
    }

    @Test("a task that is canceled before it begins never sends")
    func canceledBefore() async throws {
        let client = try client()
        let request = try Request("GET", "\(Peers.origin)/echo?never-sent")
        let surrounding = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.perform(request)
        }
        await #expect(throws: CancellationError.self) { try await surrounding.value }
        let stats = try await client.perform(Request("GET", "\(Peers.origin)/stats")).text
        #expect(!stats.contains("never-sent"))
    }

    /// Waits until the origin has a request.
    private func waitUntilSeen(by client: Client, _ target: String) async {
        for _ in 0..<1000 {
            let stats = try? await client.perform(Request("GET", "\(Peers.origin)/stats")).text
            if stats?.contains(target) ?? false { return }
        }
        Issue.record("the origin never saw \(target)")
    }

    @Test("callbacks run once, and the id is known before")
    func callbacks() throws {
        let client = try client()
        let ends = Collector<Int>()
        let request = try Request("GET", "\(Peers.nginx)/small.txt")
        let tasks = try (0..<50).map { number in
            try client.dispatch(request) { result in ends.add((try? result.get().status) ?? -number) }
        }
        #expect(Set(tasks.map(\.id)).count == 50)
        #expect(ends.wait(for: 50) == Array(repeating: 200, count: 50))
        client.destroy()
        #expect(tasks.allSatisfy { $0.state == .finished && !$0.cancel() && !client.cancel(id: $0.id) })
    }

    @Test("cancel by id, of a task that runs and of one that waits")
    func cancelByID() throws {
        let client = try client { $0.limits.transfers = 1 }
        let ends = Collector<NetcoreError.Code?>()
        let request = try Request("GET", "\(Peers.origin)/delay/30000")
        let tasks = try (0..<2).map { _ in
            try client.dispatch(request) { result in
                if case .failure(let error) = result { ends.add(error.code) } else { ends.add(nil) }
            }
        }
        for task in tasks { #expect(client.cancel(id: task.id)) }
        #expect(ends.wait(for: 2) == [.canceled, .canceled])
    }

    @Test("a group notifies after its members; an empty one too")
    func groups() async throws {
        let client = try client()
        for size in [0, 1, 30] {
            let order = Collector<String>()
            let group = try client.makeGroup()
            for _ in 0..<size {
                try group.add(Request("GET", "\(Peers.nginx)/small.txt")) { _ in order.add("member") }
            }
            try group.dispatch { group in order.add("group \(group.progress.succeeded) of \(group.progress.total)") }
            let expected = Array(repeating: "member", count: size) + ["group \(size) of \(size)"]
            #expect(order.wait(for: size + 1) == expected)
        }
    }

    @Test("a group waits for work of the application's own")
    func applicationTask() async throws {
        let group = try client().makeGroup()
        try group.addApplicationTask(resume: { task in try? task.complete() })
        let late = try group.addApplicationTask(resume: nil)
        #expect(throws: NetcoreError.self) { try late.complete() }
        Task {
            while late.state != .running { await Task.yield() }
            try late.complete(.storage)
        }
        try await group.dispatchAndWait()
        #expect(group.progress.succeeded == 1 && group.progress.failed == 1)
    }

    @Test("JSON is decoded and encoded")
    func json() async throws {
        struct Hello: Codable, Equatable { let hello: String }
        let client = try client()
        let hello = try await client.perform(Request("GET", "\(Peers.nginx)/hello.json")).decode(Hello.self)
        #expect(hello == Hello(hello: "world"))
        var request = try Request("POST", "\(Peers.origin)/echo")
        try request.setBody(json: hello)
        let echo = try await client.perform(request).text
        #expect(echo.contains("application/json") && echo.contains(#"{\"hello\":\"world\"}"#))
    }

    @Test("a dispatch takes a snapshot")
    func snapshot() async throws {
        let client = try client()
        var request = try Request("POST", "\(Peers.origin)/echo")
        try request.setHeader("X-Version", "first")
        let ends = Collector<String>()
        try client.dispatch(request) { result in ends.add((try? result.get().text) ?? "failed") }
        try request.setHeader("X-Version", "second")
        #expect(ends.wait(for: 1)[0].contains("first"))
        #expect(try await client.perform(request).text.contains("second"))
    }

    @Test("an abandoned HTTP/2 stream is reset at once", arguments: [1, 3])
    func abandonedStream(streams: Int) async throws {
        let client = try client()
        let mark = "/logged/slow?abandoned-\(streams)-\(MonotonicTime.now.microseconds)"
        let others = try (1..<streams).map { _ in
            try client.dispatch(Request("GET", "\(Peers.nginxHTTP2)/slow")) { _ in }
        }
        let task = try client.dispatch(Request("GET", Peers.nginxHTTP2 + mark)) { _ in }
        while task.progress.received == 0, task.state != .finished { await Task.yield() }
        #expect(task.cancel())
        // The server writes the line when the stream ends; uncut it would take hours.
        let deadline = MonotonicTime.now.adding(milliseconds: 5000)
        while MonotonicTime.now < deadline, !Peers.accessLog.contains(mark) { await Task.yield() }
        #expect(Peers.accessLog.contains(mark))
        for other in others { other.cancel() }
    }
}
