import Netcore
import NetcoreHTTP
import TestSupport
import Testing

/// Sources of events over real connections. When one connects again is in EventSourceRuleTests.
@Suite struct EventSourceTests {
    @Test("events of one connection after the other, until a 204")
    func connections() async throws {
        let source = try Client().eventSource(Request("GET", "\(Peers.origin)/numbered-events/5?per=2&retry=1"))
        var ids: [String] = []
        for try await event in source { ids.append(event.lastEventID) }
        #expect(ids == ["1", "2", "3", "4", "5"])
        #expect(source.connections == 4)
        #expect(source.state == .closed)
        #expect(source.lastEventID == "5")
    }

    @Test("a body is sent with each connection, lost ones included")
    func bodies() async throws {
        var request = try Request("POST", "\(Peers.origin)/numbered-events/3?retry=1&lost=1")
        try request.setBody(Array("body".utf8))
        let source = try Client().eventSource(request)
        var texts: [String] = []
        for try await event in source { texts.append(event.data) }
        #expect(texts == ["POST 4", "POST 4", "POST 4"])
    }

    @Test("another answer ends it, each time")
    func otherAnswers() async throws {
        for (path, code) in [("/bytes/3", NetcoreError.Code.protocol), ("/status/503", .httpStatus)] {
            let source = try Client().eventSource(Request("GET", "\(Peers.origin)\(path)"))
            for _ in 0..<2 {
                await #expect {
                    for try await _ in source {}
                } throws: {
                    ($0 as? NetcoreError)?.code == code
                }
            }
            #expect(source.connections == 1)
        }
    }

    @Test("a task that is canceled while the source waits throws at once")
    func cancel() async throws {
        let source = try Client().eventSource(Request("GET", "\(Peers.origin)/numbered-events/5?retry=60000"))
        let (first, told) = AsyncStream.makeStream(of: String.self)
        let task = Task {
            for try await event in source { told.yield(event.lastEventID) }
        }
        for await id in first {
            #expect(id == "1")
            break
        }
        while source.state != .waiting { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(source.state == .closed)
    }
}
