import NetcoreHTTP
import Testing

/// Feeds a whole head, line by line, as libcurl does.
func parse(
    _ text: String, limit: Int = 1 << 20, expectsHTTP2: Bool = false
) throws(NetcoreError) -> HeadParser {
    var parser = HeadParser()
    parser.begin(limit: limit)
    parser.expectsHTTP2 = expectsHTTP2
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
        let bytes = line + [0x0A]
        do {
            _ = try bytes.withUnsafeBytes { try parser.consume($0) }
        } catch let error as NetcoreError {
            throw error
        } catch {
            Issue.record(error)
        }
    }
    return parser
}

func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite struct HeadParserTests {
    @Test("a head is read: status, version, fields in order")
    func plain() throws {
        let parser = try parse("HTTP/1.1 200 OK\r\nB: 1\r\na:  two words \t\r\nB: 3\r\nE:\r\n\r\n")
        let fields = try #require(parser.fields)
        #expect(parser.isWhole && parser.status == 200 && parser.version == 11)
        #expect((0..<fields.count).map { text(fields.name(at: $0)) } == ["B", "a", "B", "E"])
        #expect((0..<fields.count).map { text(fields.value(at: $0)) } == ["1", "two words", "3", ""])
        #expect(fields.index(of: "b") == 0)
    }

    @Test("names and values are followed by a NUL byte")
    func terminated() throws {
        let fields = try #require(try parse("HTTP/1.1 200 OK\r\nName: value\r\n\r\n").fields)
        #expect(fields.name(at: 0).baseAddress?.load(fromByteOffset: 4, as: UInt8.self) == 0)
        #expect(fields.value(at: 0).baseAddress?.load(fromByteOffset: 5, as: UInt8.self) == 0)
    }

    @Test("bytes that are not UTF-8 survive")
    func bytes() throws {
        var parser = HeadParser()
        parser.begin(limit: 1000)
        for line in [Array("HTTP/1.1 200 OK\r\n".utf8), Array("X: ".utf8) + [0xE9, 0xFF] + [13, 10]] {
            _ = try line.withUnsafeBytes { try parser.consume($0) }
        }
        #expect(parser.fields.map { Array($0.value(at: 0)) } == [0xE9, 0xFF])
    }

    @Test("libcurl's status line of HTTP/2 is read on a connection that speaks it")
    func http2() throws {
        let parser = try parse("HTTP/2 404 \r\n\r\n", expectsHTTP2: true)
        #expect(parser.version == 20 && parser.status == 404)
    }

    @Test(
        "a status line names the version that the connection speaks",
        arguments: [
            ("HTTP/2 200 OK\r\n", false), ("HTTP/2.0 200 OK\r\n", false), ("HTTP/20 200 OK\r\n", false),
            ("HTTP/3 200 OK\r\n", false), ("HTTP/1.15 200 OK\r\n", false), ("HTTP/1.1 200 OK\r\n", true),
            ("HTTP/3 200 OK\r\n", true),
        ])
    func otherVersion(head: String, expectsHTTP2: Bool) {
        #expect { try parse(head, expectsHTTP2: expectsHTTP2) } throws: { ($0 as? NetcoreError)?.code == .protocol }
    }

    @Test("control bytes are kept in values, except line ends and NUL", arguments: 0..<32)
    func controlBytes(byte: UInt8) {
        var parser = HeadParser()
        parser.begin(limit: 1000)
        let isRefused = [0x00, 0x0A, 0x0D].contains(byte)
        let lines = [Array("HTTP/1.1 200 OK\r\n".utf8), Array("X: a".utf8) + [byte] + Array("b\r\n".utf8)]
        let isRead = lines.allSatisfy { line in
            (try? line.withUnsafeBytes { try parser.consume($0) }) != nil
        }
        #expect(isRead != isRefused)
    }

    @Test("1xx answers are passed over, their fields forgotten")
    func interim() throws {
        let parser = try parse(
            "HTTP/1.1 103 Early Hints\r\nLink: x\r\nContent-Length: 7\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n")
        #expect(parser.status == 200 && parser.fields?.count == 1 && parser.contentLength == nil)
    }

    @Test("trailers are kept apart, and do not frame")
    func trailers() throws {
        let parser = try parse("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nX: 1\r\nContent-Length: 9\r\n\r\n")
        #expect(parser.trailers?.count == 2 && parser.contentLength == nil && parser.isChunked)
    }

    @Test("a folded line is joined with one space")
    func folded() throws {
        let fields = try #require(try parse("HTTP/1.1 200 OK\r\nA: one\r\n \t two\r\nB: 3\r\n\r\n").fields)
        #expect(text(fields.value(at: 0)) == "one two")
        #expect(text(fields.value(at: 1)) == "3")
    }

    @Test(
        "heads that break the rules are a protocol error",
        arguments: [
            "HTTP/1.1 99 Low\r\n", "HTTP/1.1 2000 Long\r\n", "HTTP/1.1 2x0 OK\r\n", "HTP/1.1 200 OK\r\n",
            "HTTP/1.1 101 Switching Protocols\r\n", "HTTP/1.1 200 OK\r\nno colon\r\n",
            "HTTP/1.1 200 OK\r\nname : x\r\n", "HTTP/1.1 200 OK\r\n: x\r\n", "HTTP/1.1 200 OK\r\n folded first\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        ])
    func broken(head: String) {
        #expect { try parse(head) } throws: { ($0 as? NetcoreError)?.code == .protocol }
    }

    @Test(
        "Content-Length is digits, once or repeated alike",
        arguments: [
            ("5", 5), ("0", 0), ("5, 5", 5), ("007", 7), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
            ("99999999999999999999999", nil), ("-1", nil), ("+1", nil), ("1.0", nil), ("0x10", nil), ("", nil),
            ("5,6", nil), ("5,", nil), ("1 2", nil), ("5 ", 5),
        ] as [(String, Int?)])
    func contentLength(value: String, expected: Int?) {
        let result = Array(value.utf8).withUnsafeBytes { bytes in Result { try HeadParser.contentLength(bytes) } }
        #expect((try? result.get()) == expected)
    }

    @Test("all sections together are bounded")
    func limit() {
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nA: 1\r\n\r\n", count: 10)
        #expect { try parse(interim, limit: 300) } throws: { ($0 as? NetcoreError)?.code == .limitHeaderBytes }
        #expect(throws: Never.self) { try parse(interim, limit: 400) }
    }

    @Test(
        "codings are listed in the order of application; too many are refused, and none is undone where one is unknown")
    func codings() throws {
        #expect(
            try parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, identity\r\nContent-Encoding: BR\r\n\r\n")
                .decodableCodings() == [.gzip, .brotli])
        let many = try parse("HTTP/1.1 200 OK\r\nContent-Encoding: gzip, gzip, gzip\r\n\r\n")
        #expect { try many.decodableCodings() } throws: { ($0 as? NetcoreError)?.code == .contentCoding }
        for value in ["compress", "gzip, aws-chunked"] {
            #expect(try parse("HTTP/1.1 200 OK\r\nContent-Encoding: \(value)\r\n\r\n").decodableCodings().isEmpty)
        }
    }

    @Test(
        "which answers have a body",
        arguments: [
            ("GET", 200, true), ("HEAD", 200, false), ("GET", 204, false), ("GET", 304, false), ("POST", 404, true),
        ])
    func hasBody(method: String, status: Int, expected: Bool) throws {
        let head = try parse("HTTP/1.1 \(status) X\r\n\r\n")
        #expect(HeadParser.hasBody(status: head.status, method: method) == expected)
    }
}
