import NetcoreHTTP
import Testing

/// What ends a line, wherever the bytes are cut.
@Suite struct LineSplitterTests {
    private func lines(_ pieces: [[UInt8]], _ ends: LineSplitter.Ends, limit: Int = 100) throws -> [String] {
        var parser = LineParser(ends, limit: limit)
        var lines: [String] = []
        for piece in pieces {
            try piece.withUnsafeBytes { bytes in
                var position = 0
                while let line = try parser.next(in: bytes, from: &position) {
                    lines.append(String(decoding: line, as: UTF8.self))
                }
                #expect(position == bytes.count)
            }
        }
        if let last = parser.finish() { lines.append(String(decoding: last, as: UTF8.self)) }
        #expect(parser.finish() == nil)
        return lines
    }

    private static let cases: [(text: String, all: [String], feeds: [String])] = [
        ("", [], []),
        ("a", ["a"], ["a"]),
        ("a\nb\n", ["a", "b"], ["a", "b"]),
        ("a\rb\r", ["a", "b"], ["a\rb\r"]),
        ("a\r\nb\r\n", ["a", "b"], ["a\r", "b\r"]),
        ("\n\r\n\r", ["", "", ""], ["", "\r", "\r"]),
        ("\r\n\n\r\ra", ["", "", "", "", "a"], ["\r", "", "\r\ra"]),
        ("ä\n日\u{2028}本\u{85}\u{0B}\n", ["ä", "日\u{2028}本\u{85}\u{0B}"], ["ä", "日\u{2028}本\u{85}\u{0B}"]),
    ]

    @Test("lines end with LF, CR or CRLF, cut at every place", arguments: 0..<cases.count)
    func cuts(_ index: Int) throws {
        let (text, all, feeds) = Self.cases[index]
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Array($0) }
                #expect(try lines(pieces, .all) == all)
                #expect(try lines(pieces, .lineFeed) == feeds)
            }
        }
        #expect(try lines(bytes.map { [$0] }, .all) == all)
    }

    @Test("a line end is found wherever it is in a long line, of either kind")
    func longLines() throws {
        for size in [1023, 1024, 1025, 5000] {
            for end in ["\n", "\r", "\r\n"] {
                let line = String(repeating: "x", count: size)
                let found = try lines([Array("\(line)\(end)\(line)\(end)".utf8)], .all, limit: size)
                #expect(found == [line, line])
            }
        }
    }

    @Test("a line above the limit is an error, also before its end has come")
    func limit() throws {
        #expect(try lines([Array("1234\n1234".utf8)], .all, limit: 4) == ["1234", "1234"])
        for text in ["12345\n", "12345", "1\n12345"] {
            for size in 1...text.utf8.count {
                let pieces = stride(from: 0, to: text.utf8.count, by: size).map {
                    Array(Array(text.utf8)[$0..<min($0 + size, text.utf8.count)])
                }
                #expect(throws: NetcoreError.self) { try lines(pieces, .all, limit: 4) }
            }
        }
    }
}
