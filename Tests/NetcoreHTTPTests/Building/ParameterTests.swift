import NetcoreHTTP
import Testing

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

@Suite struct ParameterTests {
    private static let typed: [Parameter] = [
        Parameter("s", .string("a b")), Parameter("i", .integer(-7)), Parameter("d", .double(0.1)), Parameter("t", .bool(true)),
        Parameter("n", .null), Parameter("j", .json(#"{"a":[1,2]}"#)),
    ]

    @Test("a query keeps order and repeated names, and encodes all but unreserved characters")
    func query() {
        #expect(text([Parameter("a", .string("1")), Parameter("b", .string("x&y=z")), Parameter("a", .string("ü~*"))].encoded(.component))
            == "a=1&b=x%26y%3Dz&a=%C3%BC~%2A")
        #expect(text(Self.typed.encoded(.component)) == "s=a%20b&i=-7&d=0.1&t=true&n=&j=%7B%22a%22%3A%5B1%2C2%5D%7D")
    }

    /// The cases of the WHATWG URL standard, section 5.2.
    @Test("a form is written as browsers write it")
    func form() {
        #expect(text([Parameter("a b", .string("c+d")), Parameter("*-._", .string("~!'()"))].encoded(.form))
            == "a+b=c%2Bd&*-._=%7E%21%27%28%29")
        #expect(text([Parameter("line", .string("a\r\nb"))].encoded(.form)) == "line=a%0D%0Ab")
    }

    @Test("a JSON object has each type")
    func json() throws {
        #expect(try text(JSONObject.encode(Self.typed)) == #"{"s":"a b","i":-7,"d":0.1,"t":true,"n":null,"j":{"a":[1,2]}}"#)
        #expect(try text(JSONObject.encode([])) == "{}")
        #expect(try text(JSONObject.encode([Parameter("q\"\\", .string("\u{1}\n\u{2028}é"))])) == "{\"q\\\"\\\\\":\"\\u0001\\n\u{2028}é\"}")
        #expect(try text(JSONObject.encode([Parameter("x", .integer(.max)), Parameter("y", .double(1e300))]))
            == #"{"x":9223372036854775807,"y":1e+300}"#)
    }

    @Test("what is no JSON is refused, by its name", arguments: [
        [Parameter("x", .double(.nan))], [Parameter("x", .double(.infinity))], [Parameter("x", .json("{"))],
        [Parameter("x", .json(""))], [Parameter("x", .json("1 2"))], [Parameter("x", .json(#"{"a":1,"a":2}"#))],
        [Parameter("x", .null), Parameter("x", .null)],
    ])
    func refused(parameters: [Parameter]) {
        let error = #expect(throws: NetcoreError.self) { try JSONObject.encode(parameters) }
        #expect(error?.code == .invalidArgument && error?.message.contains("parameters: x ") == true)
    }
}
