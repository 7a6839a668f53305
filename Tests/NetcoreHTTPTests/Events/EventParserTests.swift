import NetcoreHTTP
import Testing

/// Event streams (HTML standard, section 9.2.6). Its examples, and what it says of each field.
@Suite struct EventParserTests {
    private struct Parsed: Equatable {
        var events: [String] = []
        var lastEventID = ""
        var retry: Int?
    }

    /// Each event as "type|data|id".
    private func parse(_ pieces: [[UInt8]], limit: Int = EventParser.defaultLimit) throws -> Parsed {
        var parser = EventParser(limit: limit)
        var result = Parsed()
        for piece in pieces {
            try piece.withUnsafeBytes { bytes in
                var position = 0
                while let event = try parser.next(in: bytes, from: &position) {
                    result.events.append("\(event.type)|\(event.data)|\(event.lastEventID)")
                }
            }
        }
        result.lastEventID = parser.lastEventID
        result.retry = parser.retry
        return result
    }

    private static let cases: [(name: String, text: String, events: [String])] = [
        ("three lines of data", "data: YHOO\ndata: +2\ndata: 10\n\n", ["message|YHOO\n+2\n10|"]),
        (
            "comment, id, an empty id, a leading space, no blank line at the end",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event",
            ["message|first event|1", "message|second event|"]
        ),
        ("data without a value", "data\n\ndata\ndata\n\ndata:", ["message||", "message|\n|"]),
        (
            "one space is left out", "data:test\n\ndata: test\n\ndata:  test\n\n",
            ["message|test|", "message|test|", "message| test|"]
        ),
        ("types", "event: add\ndata: 1\n\ndata: 2\n\nevent:\ndata: 3\n\n", ["add|1|", "message|2|", "message|3|"]),
        ("a type without data is no event, and is forgotten", "event: add\n\ndata: 1\n\n", ["message|1|"]),
        ("an id without data counts", "id: 7\n\ndata: 1\n\n", ["message|1|7"]),
        ("ids stay", "id: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n", ["message|1|7", "message|2|7", "message|3|"]),
        ("an id with NUL is ignored", "id: 7\ndata: 1\n\nid: a\0b\ndata: 2\n\n", ["message|1|7", "message|2|7"]),
        ("names are exact", "Data: 1\n data: 2\ndata : 3\ndatax: 4\ndata:5\n\n", ["message|5|"]),
        ("a colon in the value", "data: a: b\n\ndata::\n\n", ["message|a: b|", "message|:|"]),
        ("CR ends lines", "data: 1\rdata: 2\r\rdata: 3\r\r", ["message|1\n2|", "message|3|"]),
        ("CR LF ends lines", "data: 1\r\ndata: 2\r\n\r\ndata: 3\r\n\r\n", ["message|1\n2|", "message|3|"]),
        (
            "all ends of lines", "data: 1\r\n\ndata: 2\n\r\ndata: 3\n\rdata: 4\r\n\r",
            ["message|1|", "message|2|", "message|3|", "message|4|"]
        ),
        (
            "no other ends of lines", "data: a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f\n\n",
            ["message|a\u{0B}b\u{0C}c\u{85}d\u{2028}e\u{2029}f|"]
        ),
        (
            "a byte order mark at the start, and only there",
            "\u{FEFF}data: 1\n\n\u{FEFF}data: 2\n\ndata: \u{FEFF}3\n\n", ["message|1|", "message|\u{FEFF}3|"]
        ),
        ("only one byte order mark", "\u{FEFF}\u{FEFF}data: 1\n\n", []),
        ("text beyond ASCII", "event: ä\nid: ö\ndata: 日本\n\n", ["ä|日本|ö"]),
        ("comments", ":\n:\n\n: data: 1\n\n", []),
        ("what is not ended is no event", "data: 1\n\ndata: 2\n", ["message|1|"]),
        ("nothing", "", []),
    ]

    @Test("streams are read as the standard says, wherever they are cut", arguments: cases)
    func stream(_ stream: (name: String, text: String, events: [String])) throws {
        let bytes = Array(stream.text.utf8)
        #expect(try parse([bytes]).events == stream.events)
        for cut in 0...bytes.count {
            #expect(try parse([Array(bytes[..<cut]), Array(bytes[cut...])]).events == stream.events)
        }
        #expect(try parse(bytes.map { [$0] }).events == stream.events)
        #expect(try parse(bytes.map { [$0] } + [[]]).events == stream.events)
    }

    @Test(
        "retry is a number of digits, and nothing else",
        arguments: [
            ("retry: 1000", 1000), ("retry:0", 0), ("retry: 007", 7), ("retry", nil), ("retry: ", nil),
            ("retry: -1", nil),
            ("retry: 1.5", nil), ("retry: 10s", nil), ("retry:  1", nil), ("retry: ١", nil),
        ])
    func retry(line: String, expected: Int?) throws {
        #expect(try parse([Array("\(line)\n".utf8)]).retry == expected)
        #expect(try parse([Array("retry: 5\n\(line)\n".utf8)]).retry == expected ?? 5)
    }

    @Test("a number beyond all range is a large one")
    func largeRetry() throws {
        let digits = String(repeating: "9", count: 100)
        #expect(try #require(try parse([Array("retry: \(digits)\n".utf8)]).retry) > 1 << 50)
    }

    @Test("bytes that are no UTF-8 become U+FFFD")
    func invalidText() throws {
        #expect(try parse([Array("data: a".utf8) + [0xFF] + Array("b\n\n".utf8)]).events == ["message|a\u{FFFD}b|"])
    }

    @Test("an id of more than 1,024 bytes is ignored")
    func longID() throws {
        let id = String(repeating: "i", count: 1024)
        #expect(try parse([Array("id: \(id)\n\n".utf8)]).lastEventID == id)
        #expect(try parse([Array("id: 1\n\nid: \(id)i\n\n".utf8)]).lastEventID == "1")
    }

    @Test("an event larger than the limit is an error, in one line or in many, whole or in pieces")
    func limit() throws {
        let long = Array("data: \(String(repeating: "x", count: 100))\n\n".utf8)
        let many = Array(String(repeating: "data: xxxx\n", count: 20).utf8)
        for stream in [long, many] {
            #expect(throws: NetcoreError.self) { try parse([stream], limit: 90) }
            #expect(throws: NetcoreError.self) { try parse(stream.map { [$0] }, limit: 90) }
        }
        #expect(try parse([long, long], limit: 110).events.count == 2)
    }
}
