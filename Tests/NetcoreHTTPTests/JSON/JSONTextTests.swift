import NetcoreHTTP
import Testing

@Suite struct JSONTextTests {
    @Test(
        "a pointer leads to a value as it stands in the text",
        arguments: [
            ("[1, 2]", "", "[1, 2]"), ("\u{FEFF} {\"a\" : 1.0 } ", "/a", "1.0"),
            ("{\"a\":{\"b\":[null,{}]}}", "/a/b/1", "{}"),
            ("{\"a/b\":1,\"~\":2}", "/a~1b", "1"), ("{\"a/b\":1,\"~\":2}", "/~0", "2"), ("{\"\":3}", "/", "3"),
            ("{\"\\u0061\":\"x\\\"}\"}", "/a", "\"x\\\"}\""), ("[[],[[4]]]", "/1/0/0", "4"), ("[1]", "/1", nil),
            ("[1]", "/-", nil), ("{\"a\":1}", "/b", nil), ("{\"a\":1}", "/a/b", nil), ("{\"a\":1,\"a\":2}", "/a", "2"),
            ("true", "", "true"),
        ] as [(String, String, String?)])
    func pointers(text: String, pointer: String, expected: String?) throws {
        let json = try #require(Array(text.utf8).withUnsafeBytes { JSONText($0) })
        let place = json.value(at: try #require(JSONPointer.steps(pointer)))
        #expect(place.map { String(decoding: json.bytes[$0], as: UTF8.self) } == expected)
    }

    @Test("what is no pointer has no steps", arguments: ["a", "/~", "/~2", "/a~"])
    func noPointers(text: String) {
        #expect(JSONPointer.steps(text) == nil)
    }

    @Test("what is no JSON is refused", arguments: ["", "{", "[1,]", "a", "{\"a\":1}x"])
    func noJSON(text: String) {
        #expect(Array(text.utf8).withUnsafeBytes { JSONText($0) } == nil)
    }
}
