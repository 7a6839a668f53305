@testable import Netcore
import NetcoreHTTP
import TestSupport
import Testing

/// What a response tells besides status, fields and body: its text, links, redirects, and what was sent for it.
@Suite struct ResponseReadingTests {
    private func client(_ transport: @escaping Client.TransportFunction) throws -> Client {
        var options = Client.Options()
        options.transport = transport
        return try Client(options)
    }

    @Test(
        "a text is decoded by its byte order mark, else by its charset, else as UTF-8",
        arguments: [
            (nil, [0x61, 0xC3, 0xA4], "aä"),
            ("text/plain", [0xC3, 0xA4], "ä"),
            ("text/plain; charset=utf-8", [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
            ("text/plain; charset=ISO-8859-1", [0xE4, 0x80], "ä€"),
            (#"text/html; a="charset=utf-16;"; CharSet="windows-1252""#, [0x80, 0xE4], "€ä"),
            ("text/plain;charset=shift_jis", [0x83, 0x65, 0x83, 0x58, 0x83, 0x67], "テスト"),
            ("text/plain; charset=utf-16le", [0x61, 0, 0xE4, 0], "aä"),
            ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0xC3, 0xA4], "ä"),
            ("text/plain", [0xFE, 0xFF, 0, 0x61, 0, 0xE4], "aä"),
            ("text/plain", [0xFF, 0xFE, 0x61, 0, 0xE4, 0], "aä"),
            ("text/plain; charset=none-such", [0xC3, 0xA4], "ä"),
            ("text/plain; charset=latin1//TRANSLIT", [0xC3, 0xA4], "ä"),
            ("text/plain; charset=", [0xC3, 0xA4], "ä"),
            ("text/plain; charset=euc-kr", [0xB0, 0xA1, 0xFF, 0x61], "가\u{FFFD}a"),
            ("text/plain; charset=utf-16be", [0, 0x61, 0x62], "a\u{FFFD}"),
            ("text/plain; charset=utf-16", [], ""),
        ] as [(String?, [UInt8], String)])
    func text(type: String?, body: [UInt8], expected: String) async throws {
        let client = try client { _, hop in try? hop.answer(200, type.map { [("Content-Type", $0)] } ?? [], body: body)
        }
        let response = try await client.perform(Request("GET", "http://app.test/"))
        #expect(response.text == expected)
        #expect(response.textBytes.elementsEqual(expected.utf8))
    }

    @Test(
        "the table of cases of texts holds through Swift",
        arguments: Peers.lines(of: "Tests/Cases/text.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty })
    func table(line: String) async throws {
        let columns = line.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) }
        let hex = Array(columns[2])
        let body = try stride(from: 0, to: hex.count, by: 2).map {
            try #require(UInt8(String(hex[$0...$0 + 1]), radix: 16))
        }
        let client = try client { _, hop in try? hop.answer(200, [("Content-Type", columns[1])], body: body) }
        #expect(try await client.perform(Request("GET", "http://app.test/")).text == columns[3])
    }

    @Test("links have an absolute URL, a relation, and parameters")
    func links() async throws {
        let client = try client { _, hop in
            try? hop.answer(
                200,
                [
                    ("Link", #"<?page=2>; rel="next"; title="a, \"b\";", <http://o.test/>;rel=Prev"#),
                    ("Link", #"</x,y>; rel="last alternate""#), ("Link", "broken"),
                ])
        }
        let links = try await client.perform(Request("GET", "http://app.test/a?page=1")).links
        #expect(links.map(\.url) == ["http://app.test/a?page=2", "http://o.test/", "http://app.test/x,y"])
        #expect(links.map(\.relation) == ["next", "prev", "last alternate"])
        #expect(links.first?.parameters == ["title": #"a, "b";"#])
        #expect(links.last?.hasRelation("Alternate") ?? false)
    }

    @Test("redirects are kept as answers, and the fields of the last hop can be read")
    func history() async throws {
        let client = try client { request, hop in
            switch request.urlString {
            case "http://app.test/1": try? hop.answer(302, [("Location", "/2"), ("X", "first")], body: [1, 2])
            case "http://app.test/2": try? hop.answer(307, [("Location", "/3")])
            default: try? hop.answer(200)
            }
        }
        var request = try Request("GET", "http://app.test/1")
        try request.setHeader("X-Own", "1")
        let response = try await client.perform(request)
        #expect(response.history.map(\.status) == [302, 307] && response.redirects == 2)
        #expect(response.history.map(\.urlString) == ["http://app.test/1", "http://app.test/2"])
        #expect(response.history.first?.headers["x"] == "first" && response.history.first?.body.isEmpty ?? false)
        #expect(response.requestHeaders["x-own"] == "1")
        #expect(response.requestHeaders["user-agent"]?.hasPrefix("netcore/") ?? false)
        #expect(try await client.perform(Request("GET", "http://app.test/3")).history.isEmpty)
    }

    @Test("the fields of a large upload can be read, though its body is not kept")
    func upload() async throws {
        let client = try client { _, hop in try? hop.answer(200) }
        var request = try Request("POST", "http://app.test/")
        try request.setBody([UInt8](repeating: 1, count: 10_000))
        try request.setHeader("X-Own", "1")
        let response = try await client.perform(request)
        #expect(response.requestHeaders["X-Own"] == "1" && response.sent is FieldBlock)
    }
}
