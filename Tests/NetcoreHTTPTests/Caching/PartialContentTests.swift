import NetcoreHTTP
import Testing

@Suite struct PartialContentTests {
    @Test(
        "parts are joined where they touch or overlap",
        arguments: [
            ([0..<5, 5..<10], [0..<10]), ([5..<10, 0..<5], [0..<10]), ([0..<5, 6..<10], [0..<5, 6..<10]),
            ([6..<10, 0..<5], [0..<5, 6..<10]), ([0..<3, 6..<9, 2..<7], [0..<9]), ([0..<10, 2..<4], [0..<10]),
            ([2..<4, 0..<10], [0..<10]), ([0..<1, 2..<3, 4..<5, 1..<2], [0..<3, 4..<5]), ([3..<3], []),
        ] as [([Range<Int64>], [Range<Int64>])])
    func joined(ranges: [Range<Int64>], expected: [Range<Int64>]) {
        #expect(PartialContent(ranges: ranges, completeLength: nil).ranges == expected)
    }

    @Test(
        "stored parts are taken only as they are written: in order, apart, within the length",
        arguments: [
            ([0..<5], 5, true), ([0..<5, 6..<7], nil, true), ([0..<Int64.max], nil, true), ([], 0, true),
            ([0..<5], 4, false), ([6..<7, 0..<5], nil, false), ([0..<5, 5..<6], nil, false),
            ([0..<5, 3..<6], nil, false), ([3..<3], nil, false),
        ] as [([Range<Int64>], Int64?, Bool)])
    func stored(ranges: [Range<Int64>], length: Int64?, isTaken: Bool) {
        let parts = PartialContent(stored: ranges, completeLength: length)
        #expect((parts != nil) == isTaken && (parts.map { $0.ranges == ranges && $0.completeLength == length } ?? true))
        #expect(parts.map { $0.byteCount == ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } } ?? true)
    }

    /// The parts after one more is added; nil when it was refused.
    private func adding(_ new: Range<Int64>, of length: Int64?, to known: ContentRange) -> PartialContent? {
        var parts = PartialContent(known)
        let before = parts
        if parts.add(ContentRange(bytes: new, completeLength: length)) { return parts }
        #expect(parts == before)
        return nil
    }

    @Test("a part that contradicts the known length is refused")
    func contradiction() {
        let known = ContentRange(bytes: 0..<5, completeLength: 10)
        #expect(adding(5..<8, of: 11, to: known) == nil)
        #expect(adding(5..<11, of: nil, to: known) == nil)
        #expect(adding(0..<2, of: 3, to: ContentRange(bytes: 0..<5, completeLength: nil)) == nil)
    }

    @Test("parts are the whole when nothing is missing of a length that is known")
    func complete() {
        let open = ContentRange(bytes: 0..<5, completeLength: nil)
        #expect(adding(5..<10, of: nil, to: ContentRange(bytes: 0..<5, completeLength: 10))?.isComplete == true)
        #expect(adding(5..<10, of: 10, to: open)?.isComplete == true)
        #expect(adding(5..<10, of: nil, to: open)?.isComplete == false)
        #expect(adding(6..<10, of: 10, to: open)?.isComplete == false)
    }

    @Test(
        "all that is missing is asked for, if it is one run of bytes",
        arguments: [
            ([0..<5], 10, "bytes=5-"), ([5..<10], 10, "bytes=0-4"), ([0..<2, 4..<6], 10, nil),
            ([0..<2, 4..<10], 10, "bytes=2-3"),
            ([0..<10], 10, nil),
            ([0..<5], nil, "bytes=5-"), ([5..<10], nil, nil), ([0..<2, 4..<6], nil, nil),
        ] as [([Range<Int64>], Int64?, String?)])
    func rest(ranges: [Range<Int64>], length: Int64?, expected: String?) {
        #expect(PartialContent(ranges: ranges, completeLength: length).rangeForRest == expected)
    }

    @Test(
        "the first gap of a range",
        arguments: [
            (0..<10, 2..<4), (3..<10, 3..<4), (4..<10, 6..<10), (4..<6, nil), (0..<2, nil), (0..<3, 2..<3),
            (8..<9, 8..<9),
        ] as [(Range<Int64>, Range<Int64>?)])
    func gap(wanted: Range<Int64>, expected: Range<Int64>?) {
        #expect(PartialContent(ranges: [0..<2, 4..<6], completeLength: 10).firstGap(in: wanted) == expected)
    }

    @Test("parts combine under the same strong tag only")
    func combinable() {
        func validators(_ tag: String) -> Validators { Validators(block("ETag: \(tag)"), now: noon) }
        #expect(PartialContent.areCombinable(validators("\"a\""), validators("\"a\"")))
        #expect(!PartialContent.areCombinable(validators("\"a\""), validators("\"b\"")))
        #expect(!PartialContent.areCombinable(validators("W/\"a\""), validators("W/\"a\"")))
        #expect(!PartialContent.areCombinable(validators("a"), validators("a")))
    }

    @Test("missing bytes are asked for on the condition that nothing changed")
    func request() throws {
        let tag = try #require(Validators(block("ETag: \"a\""), now: noon).strongTag)
        let fields = PartialRule.request(
            block("A: 1", "Range: bytes=0-", "If-None-Match: \"x\"", "If-Modified-Since: x", "If-Range: \"y\""),
            range: "bytes=5-", ifRange: tag)
        #expect(names(fields) == ["a", "range", "if-range"])
        #expect(text(fields, "Range") == "bytes=5-" && text(fields, "If-Range") == "\"a\"")
    }

    @Test("the head of all parts together is a 200 with the whole length")
    func combined() {
        let stored = head(["Content-Range: bytes 0-4/10", "Content-Length: 5", "A: 1", "B: 1"], status: 206)
        func combined(_ ranges: [Range<Int64>]) -> StoredHead {
            PartialRule.combined(
                stored, with: block("Content-Range: bytes 5-9/10", "Content-Length: 5", "B: 2", "Date: \(date())"),
                PartialContent(ranges: ranges, completeLength: 10), requestTime: at(), responseTime: seconds(1),
                settings: CacheSettings())
        }
        #expect(combined([0..<10]).status == 200 && combined([0..<5, 6..<10]).status == 206)
        #expect(names(combined([0..<10]).fields) == ["a", "b", "date", "content-length"])
        #expect(
            text(combined([0..<10]).fields, "Content-Length") == "10" && text(combined([0..<10]).fields, "B") == "2")
        #expect(names(combined([0..<5]).fields) == ["a", "b", "date"] && combined([0..<5]).responseTime == seconds(1))
    }
}
