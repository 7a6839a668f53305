import NetcoreHTTP
import Testing

@Suite struct RangeRequestTests {
    @Test(
        "ranges of a body of 10 bytes",
        arguments: [
            ("bytes=0-4", 0..<5), ("bytes=0-0", 0..<1), ("bytes=9-", 9..<10), ("bytes=4-100", 4..<10),
            ("bytes=-3", 7..<10),
            ("bytes=-100", 0..<10), ("BYTES=0-4", 0..<5), ("bytes= 0-4 ", 0..<5),
            ("bytes=0-99999999999999999999", 0..<10),
            ("bytes=10-", nil), ("bytes=10-20", nil), ("bytes=-0", nil), ("bytes=99999999999999999999-", nil),
        ] as [(String, Range<Int64>?)])
    func bytes(text: String, expected: Range<Int64>?) throws {
        let range = try #require(RangeRequest(block("Range: \(text)")))
        #expect(range.bytes(of: 10) == expected)
    }

    @Test(
        "a Range that is not valid is none",
        arguments: [
            "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-4", "bytes=0-4x", "bytes=+1-4", "lines=0-4",
            "bytes 0-4",
            "bytes=0-4,x", "bytes=1.5-2", "0-4", "bytes=--1", "bytes=0 - 4",
        ])
    func invalid(text: String) { #expect(RangeRequest(block("Range: \(text)")) == nil) }

    @Test("several ranges are one request for the whole")
    func several() {
        #expect(RangeRequest(block("Range: bytes=0-1,4-5")) == .several)
        #expect(RangeRequest(block("Range: bytes=0-1", "Range: bytes=4-5")) == nil)
        #expect(RangeRequest(block("Range: bytes=0-1,")) == .from(0, through: 1))
    }

    @Test("only GET has ranges")
    func methods() throws {
        #expect(try request("Range: bytes=0-1").range != nil)
        #expect(try request("Range: bytes=0-1", method: "HEAD").range == nil)
    }
}

@Suite struct ContentRangeTests {
    @Test(
        "Content-Range says which bytes of how many",
        arguments: [
            ("bytes 0-4/10", 0..<5, 10), ("bytes 5-9/10", 5..<10, 10), ("bytes 0-4/*", 0..<5, nil),
            ("Bytes 0-0/1", 0..<1, 1),
        ] as [(String, Range<Int64>, Int64?)])
    func valid(text: String, bytes: Range<Int64>, length: Int64?) throws {
        let range = try #require(ContentRange(block("Content-Range: \(text)")))
        #expect(range == ContentRange(bytes: bytes, completeLength: length))
        #expect(range.text == text.lowercased())
    }

    @Test(
        "a Content-Range that is not valid is none",
        arguments: [
            "", "bytes */10", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-4", "bytes 0-4/", "bytes=0-4/10",
            "lines 0-4/10",
            "bytes -4/10", "bytes 0-/10", "bytes 0-4/x", "bytes 0-99999999999999999999/*", "bytes 0-4/10, bytes 5-9/10",
        ])
    func invalid(text: String) { #expect(ContentRange(block("Content-Range: \(text)")) == nil) }
}

@Suite struct RangeRuleTests {
    private let stored = variant("ETag: \"a\"", "Last-Modified: \(date(-100))", "Date: \(date())")

    private func part(_ bytes: Range<Int64>) -> RangeRule.Outcome {
        .part(ContentRange(bytes: bytes, completeLength: 10))
    }

    @Test("a range is served from the whole body")
    func whole() throws {
        func satisfy(_ lines: String..., decoded: Bool = false) throws -> RangeRule.Outcome {
            let asked = CacheableRequest(method: "GET", url: try HTTPURL("http://a/"), fields: block(lines), now: at())
            return RangeRule.satisfy(asked, stored, length: 10, isBodyDecoded: decoded)
        }
        #expect(try satisfy() == .whole)
        #expect(try satisfy("Range: bytes=2-3") == part(2..<4))
        #expect(try satisfy("Range: bytes=-2") == part(8..<10))
        #expect(try satisfy("Range: bytes=10-") == .unsatisfiable(10))
        #expect(try satisfy("Range: bytes=x") == .whole)
        #expect(try satisfy("Range: bytes=0-1,3-4") == .whole)
        #expect(try satisfy("Range: bytes=2-3", decoded: true) == .forward)
        #expect(try satisfy(decoded: true) == .whole)
        #expect(try satisfy("If-Range: \"x\"") == .whole)
    }

    @Test(
        "If-Range names the representation strongly, or the whole is served",
        arguments: [
            ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false), (date(-100), true), (date(-99), false),
            (date(-101), false),
            ("yesterday", false), ("a", false), ("", false),
        ])
    func condition(value: String, holds: Bool) throws {
        let asked = try request("Range: bytes=2-3", "If-Range: \(value)")
        #expect(RangeRule.satisfy(asked, stored, length: 10, isBodyDecoded: false) == (holds ? part(2..<4) : .whole))
    }

    @Test("a weak tag or date names nothing in If-Range")
    func weak() throws {
        let asked = try request("Range: bytes=2-3", "If-Range: W/\"a\"")
        #expect(RangeRule.satisfy(asked, variant("ETag: W/\"a\""), length: 10, isBodyDecoded: false) == .whole)
        let dated = try request("Range: bytes=2-3", "If-Range: \(date())")
        let young = variant("Last-Modified: \(date())", "Date: \(date())")
        #expect(RangeRule.satisfy(dated, young, length: 10, isBodyDecoded: false) == .whole)
    }

    @Test("a range of anything but a 200 is ignored")
    func status() throws {
        let asked = try request("Range: bytes=2-3")
        #expect(RangeRule.satisfy(asked, variant("A: 1", status: 404), length: 10, isBodyDecoded: false) == .whole)
    }

    @Test("stored parts serve the ranges that lie in them")
    func parts() throws {
        let parts = PartialContent(ranges: [4..<10], completeLength: 10)
        let partial = variant("ETag: \"a\"", status: 206, isPartial: true)
        func satisfy(_ lines: String...) throws -> RangeRule.Outcome {
            let asked = CacheableRequest(method: "GET", url: try HTTPURL("http://a/"), fields: block(lines), now: at())
            return RangeRule.satisfy(asked, partial, parts: parts)
        }
        #expect(try satisfy("Range: bytes=6-8") == part(6..<9))
        #expect(try satisfy("Range: bytes=6-") == part(6..<10))
        #expect(try satisfy("Range: bytes=-1") == part(9..<10))
        #expect(try satisfy("Range: bytes=3-8") == .forward)
        #expect(try satisfy() == .forward)
        #expect(try satisfy("Range: bytes=6-8", "If-Range: \"b\"") == .forward)
    }

    @Test("a 206 has the stored fields, and the part's range and length")
    func fields() {
        let fields = RangeRule.fields(
            of: block("ETag: \"a\"", "Content-Length: 10", "Content-Type: a/b"),
            ContentRange(bytes: 2..<4, completeLength: 10))
        #expect(names(fields) == ["etag", "content-type", "content-range", "content-length"])
        #expect(text(fields, "Content-Range") == "bytes 2-3/10" && text(fields, "Content-Length") == "2")
        let none = RangeRule.unsatisfiableFields(of: block("ETag: \"a\"", "Content-Type: a/b"), 10)
        #expect(
            names(none) == ["etag", "content-range", "content-length"] && text(none, "Content-Range") == "bytes */10")
    }
}
