@testable import Netcore
import NetcoreHTTP
import Testing

/// An application tests itself with answers of its own.
@Suite struct StubTests {
    private let table = StubTable()

    private func client(_ change: (inout Client.Options) -> Void = { _ in }) throws -> Client {
        var options = Client.Options()
        options.transport = table.transport
        change(&options)
        return try Client(options)
    }

    @Test("answers come one after the other, the last one again and again")
    func sequence() async throws {
        let stub = try table.add(
            Stub("GET", "/a", StubAnswer(503), StubAnswer(200, [("X-A", "1")], text: "found")))
        let client = try client()
        let request = try Request("GET", "http://app.test/a")
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await client.perform(request).status) }
        #expect(statuses == [503, 200, 200])
        #expect(try table.callCount(of: stub) == 3)
        #expect(table.calls.map(\.stub) == [stub, stub, stub])
        try table.check()
    }

    @Test("retries and the cache stand above it")
    func above() async throws {
        try table.add(Stub("GET", "/a", StubAnswer(503), StubAnswer(200, [("Cache-Control", "max-age=60")], text: "x")))
        let cache = Cache()
        let client = try client {
            var policy = RetryPolicy()
            policy.baseDelay = .milliseconds(1)
            $0.retries = policy
            $0.cache = cache
        }
        let request = try Request("GET", "http://app.test/a")
        #expect(try await client.perform(request).text == "x")
        #expect(try await client.perform(request).text == "x")
        #expect(table.calls.count == 2)
    }

    @Test("a request without a stub is an error that names the nearest one, and so is a stub without a request")
    func unmatched() async throws {
        try table.add(Stub("GET", "/users"))
        let client = try client()
        let error = try await #require(throws: NetcoreError.self) {
            try await client.perform(Request("POST", "http://app.test/users"))
        }
        #expect(error.code == .noStub && error.message.contains("the nearest of 1 is GET /users"))
        #expect(throws: NetcoreError.self) { try table.check() }
        table.reset()
        try table.check()
        try table.add(Stub("GET", "/never"))
        let unused = try #require(throws: NetcoreError.self) { try table.check() }
        #expect(unused.message == "not requested: GET /never")
    }

    @Test("a stub that has answered as often as it may leaves the rest to the next")
    func times() async throws {
        try table.add(Stub("GET", "/a", times: 1, StubAnswer(201)))
        try table.add(Stub("GET", "/a", times: 1, StubAnswer(202)))
        let client = try client()
        let request = try Request("GET", "http://app.test/a")
        #expect(try await client.perform(request).status == 201)
        #expect(try await client.perform(request).status == 202)
        await #expect(throws: NetcoreError.self) { try await client.perform(request) }
    }

    @Test(
        "faults end as those of the network do",
        arguments: [
            (StubAnswer.Fault.reset, NetcoreError.Code.connectionLost), (.empty, .connectionLost),
            (.cut(after: 2), .truncated), (.malformedChunk(after: 2), .protocol), (.error(.tls), .tls),
            (.silence, .timeoutFirstByte), (.stall(after: 2), .timeoutIdle),
        ])
    func faults(fault: StubAnswer.Fault, code: NetcoreError.Code) async throws {
        try table.add(Stub(nil, nil, StubAnswer(text: "content", fault: fault)))
        let client = try client()
        var request = try Request("GET", "http://app.test/a")
        if code == .timeoutFirstByte { request.timeouts.firstByte = .milliseconds(20) }
        if code == .timeoutIdle { request.timeouts.idle = .milliseconds(20) }
        let sent = request
        let error = try await #require(throws: NetcoreError.self) { try await client.perform(sent) }
        #expect(error.code == code)
    }

    @Test("a streamed answer comes in pieces, and its end after them")
    func pieces() async throws {
        var answer = StubAnswer(text: "abcdefgh")
        answer.pieceSize = 3
        answer.pieceDelay = .fixed(.milliseconds(1))
        try table.add(Stub("GET", "/whole", answer))
        answer.fault = .cut(after: 5)
        try table.add(Stub("GET", "/cut", answer))
        let client = try client()
        var text = ""
        for try await piece in try await client.stream(Request("GET", "http://app.test/whole")).bytes {
            text += String(decoding: piece.bytes, as: UTF8.self)
        }
        #expect(text == "abcdefgh")
        text = ""
        let error = try await #require(throws: NetcoreError.self) {
            for try await piece in try await client.stream(Request("GET", "http://app.test/cut")).bytes {
                text += String(decoding: piece.bytes, as: UTF8.self)
            }
        }
        #expect(text == "abcde" && error.code == .truncated)
    }

    @Test("a reader that takes its time gets all of a body that is larger than its window")
    func window() async throws {
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        var answer = StubAnswer(body: body)
        answer.pieceSize = 1000
        try table.add(Stub("GET", "/a", answer))
        let client = try client()
        var taken: [UInt8] = []
        for try await piece in try await client.stream(Request("GET", "http://app.test/a"), window: 4096).bytes {
            taken += piece.bytes
            await Task.yield()
        }
        #expect(taken == body)
    }

    @Test("a cancel ends a delayed answer")
    func cancel() async throws {
        try table.add(Stub(nil, nil, StubAnswer(text: "late", delay: .fixed(.seconds(3600)))))
        let client = try client()
        let task = Task { try await client.perform(Request("GET", "http://app.test/a")) }
        while table.calls.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        client.destroy()
    }

    @Test("a function answers by the hop's own functions")
    func function() async throws {
        var stub = Stub("PUT", "/echo")
        stub.function = { request, hop in try? hop.answer(StubAnswer(body: request.bodyData)) }
        try table.add(stub)
        var request = try Request("PUT", "http://app.test/echo")
        try request.setBody(Array("abc".utf8))
        #expect(try await client().perform(request).text == "abc")
        #expect(String(decoding: table.calls[0].request.bodyData, as: UTF8.self) == "abc")
    }

    @Test("answers that no transport can give are refused when they are added")
    func refused() {
        #expect(throws: NetcoreError.self) { try table.add(Stub("GET", "/", StubAnswer(100))) }
        #expect(throws: NetcoreError.self) { try table.add(Stub("GET", "/", StubAnswer(200, [("a b", "c")]))) }
        #expect(throws: NetcoreError.self) { try table.add(Stub("GET", "/", .fault(.error(.canceled)))) }
        #expect(throws: NetcoreError.self) { try table.add(Stub("GET", "/", .fault(.cut(after: -1)))) }
        #expect(throws: NetcoreError.self) { try table.addAnswer(StubAnswer(), to: 3) }
        #expect(table.count == 0)
    }
}
