import Netcore
import NetcoreHTTP
import TestSupport
import Testing

/// The events of streamed responses. What makes an event of which lines is in EventParserTests.
@Suite struct EventStreamTests {
    private func client() throws -> Client { try Client() }

    @Test("events come in order, and the stream ends with the body")
    func events() async throws {
        let response = try await client().stream(Request("GET", "\(Peers.nginx)/events"), window: 1)
        var events: [String] = []
        for try await event in response.events() { events.append("\(event.type) \(event.data)") }
        #expect(events == ["delta Hello,", "delta world", "message [DONE]"])
        #expect(response.ending?.error == nil)
        for try await _ in response.events() { Issue.record("an event after the end") }
    }

    @Test("an answer that is no event stream is refused, and can be read")
    func otherAnswers() async throws {
        for (path, code) in [("/small.txt", NetcoreError.Code.protocol), ("/no-such", .httpStatus)] {
            let response = try await client().stream(Request("GET", "\(Peers.nginx)\(path)"))
            await #expect {
                for try await _ in response.events() {}
            } throws: {
                ($0 as? NetcoreError)?.code == code
            }
            var count = 0
            for try await chunk in response.bytes { count += chunk.count }
            #expect(count > 0)
        }
    }

    @Test("an event above the limit is an error, each time")
    func limit() async throws {
        let response = try await client().stream(Request("GET", "\(Peers.nginx)/events"))
        for _ in 0..<2 {
            await #expect {
                for try await _ in response.events(largestEvent: 10) {}
            } throws: {
                ($0 as? NetcoreError)?.code == .limitBodyBytes
            }
        }
    }
}
