import Netcore
import NetcoreCodable
import NetcoreHTTP
import TestSupport
import Testing

/// Lines of streamed responses, and JSON values in them. What makes a line is in LineSplitterTests.
@Suite struct LineStreamTests {
    private func stream(_ text: String) async throws -> StreamedResponse {
        try await Client().stream(Request("GET", "\(Peers.origin)/numbered-events/1?per=0&tail=\(text)"), window: 1)
    }

    @Test("lines are text, and end with the body")
    func lines() async throws {
        let response = try await stream("a%0D%0A%C3%A4%FF%0Db")
        var lines: [String] = []
        for try await line in response.lines { lines.append(line) }
        #expect(lines == ["a", "ä\u{FFFD}", "b"])
        #expect(response.ending?.error == nil)
        for try await _ in response.lines { Issue.record("a line after the end") }
    }

    @Test("a line above the limit is an error, each time")
    func limit() async throws {
        let response = try await stream("1234%0A12345%0A1")
        var lines: [String] = []
        for _ in 0..<2 {
            await #expect {
                for try await line in response.lines(largestLine: 4) { lines.append(line) }
            } throws: {
                ($0 as? NetcoreError)?.code == .limitBodyBytes
            }
        }
        #expect(lines == ["1234"])
    }

    @Test("JSON values end with LF, and empty lines are none")
    func json() async throws {
        struct Point: Decodable, Equatable { let x: Int }
        let response = try await stream(#"{"x":1}%0D%0A%0A%20%0D%0A{"x":%0D2}%0A{"x":3}"#)
        var points: [Point] = []
        for try await point in response.jsonLines(Point.self) { points.append(point) }
        #expect(points == [Point(x: 1), Point(x: 2), Point(x: 3)])
    }

    @Test("after a line that is not such a value the next can be read")
    func badJSON() async throws {
        let values = try await stream("1%0Ano%0A2").jsonLines(Int.self).makeAsyncIterator()
        var iterator = values
        #expect(try await iterator.next() == 1)
        await #expect(throws: DecodingError.self) { try await iterator.next() }
        #expect(try await iterator.next() == 2)
        #expect(try await iterator.next() == nil)
    }
}
