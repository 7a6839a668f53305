import NetcoreHTTP
import Testing

@Suite struct ValidationFieldsTests {
    private func fields(
        _ variants: [StoredVariant], _ selected: Int?, _ lines: String...
    ) throws -> (tags: String?, since: String?, areOwn: Bool) {
        let request = CacheableRequest(
            method: "GET", url: try HTTPURL("https://a.example/"), fields: block(lines), now: at())
        let made = ValidationFields(variants, selected: selected, request: request)
        let applied = made.applied(to: request.fields)
        return (text(applied, "If-None-Match"), text(applied, "If-Modified-Since"), made.areOwn)
    }

    private let modified = "Last-Modified: \(date(-100))"

    @Test("a single stored answer is validated by both of its validators, as they were received")
    func single() throws {
        #expect(try fields([variant("ETag: W/\"a\"", modified)], 0) == ("W/\"a\"", date(-100), true))
        #expect(try fields([variant("ETag: \"a\"")], 0) == ("\"a\"", nil, true))
        #expect(try fields([variant("ETag: abc")], 0) == ("abc", nil, true))
        #expect(try fields([variant(modified)], 0) == (nil, date(-100), true))
        let asctime = "Last-Modified: Sun Nov  6 08:49:37 1994"
        #expect(try fields([variant(asctime)], 0) == (nil, "Sun Nov  6 08:49:37 1994", true))
    }

    @Test("without a validator there is no condition")
    func none() throws {
        #expect(try fields([variant("Last-Modified: yesterday")], 0) == (nil, nil, false))
        #expect(try fields([], nil) == (nil, nil, false))
    }

    @Test("the tags of all stored answers are sent, and then no date")
    func several() throws {
        let variants = [variant("ETag: \"a\"", modified), variant("ETag: \"b\"", "Vary: X"), variant("ETag: \"a\"")]
        #expect(try fields(variants, 0) == ("\"a\", \"b\"", nil, true))
        #expect(try fields(variants, nil) == ("\"a\", \"b\"", nil, true))
        #expect(try fields([variant(modified), variant("ETag: \"b\"")], 0) == ("\"b\"", nil, true))
    }

    @Test("the tag of a part is not sent")
    func partial() throws {
        #expect(try fields([variant("ETag: \"a\"", modified, isPartial: true)], 0) == (nil, nil, false))
    }

    @Test("the caller's tags are added, its date is replaced")
    func caller() throws {
        let variants = [variant("ETag: \"a\"", modified)]
        #expect(try fields(variants, 0, "If-None-Match: \"b\", \"a\"") == ("\"a\", \"b\"", nil, false))
        #expect(try fields(variants, 0, "If-None-Match: \"a\"") == ("\"a\"", date(-100), true))
        #expect(try fields(variants, 0, "If-None-Match: *") == ("*", nil, false))
        #expect(try fields(variants, 0, "If-Modified-Since: \(date(-5))") == ("\"a\"", date(-100), true))
        #expect(try fields([variant("A: 1")], 0, "If-Modified-Since: \(date(-5))") == (nil, date(-5), false))
    }

    @Test("conditions that are the origin's to judge stay alone")
    func originCondition() throws {
        #expect(try fields([variant("ETag: \"a\"")], 0, "If-Match: \"a\"") == (nil, nil, false))
    }

    @Test("a date does not validate for a range")
    func range() throws {
        let variants = [variant("ETag: \"a\"", modified)]
        #expect(try fields(variants, 0, "Range: bytes=0-1") == ("\"a\"", nil, true))
    }
}
