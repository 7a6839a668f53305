@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// What a cache may do to spare requests, beyond what RFC 9111 demands. Each row is two requests: an answer is stored,
/// and the second request is served from it, or asks for as little as it can.
@Suite("What a good cache does beyond what it must")
struct CacheOptimalTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        var url = "https://one.test/a"
        /// The fields of the first request and of its answer.
        var asked: [(String, String)] = []
        var status = 200
        let answered: [String]
        var body = "0123456789"
        /// The fields of the second request.
        let askedAgain: [(String, String)]
        /// Of what the cache serves; nil when the origin is asked.
        let served: (status: Int, body: String)?

        var testDescription: String { name }
    }

    private static let fresh = "Cache-Control: max-age=3600"

    private static func part(
        _ name: String, _ again: String?, _ served: (Int, String)?,
        answered: [String] = ["Content-Range: bytes 4-8/10"],
        body: String = "45678"
    ) -> Row {
        Row(
            name: name, asked: [("Range", "bytes=4-8")], status: 206, answered: [fresh] + answered, body: body,
            askedAgain: again.map { [("Range", $0)] } ?? [], served: served.map { (status: $0.0, body: $0.1) })
    }

    private static func expires(_ date: String) -> Row {
        Row(name: "Expires: \(date)", answered: ["Expires: \(date)"], askedAgain: [], served: (200, "0123456789"))
    }

    private static func vary(_ name: String, _ asked: [String], _ again: [String], isServed: Bool = true) -> Row {
        Row(
            name: "Vary: \(name), \(asked), \(again)", asked: asked.map { (name, $0) },
            answered: [fresh, "Vary: \(name)"], askedAgain: again.map { (name, $0) },
            served: isServed ? (200, "0123456789") : nil)
    }

    static let rows: [Row] = [
        // A part without a validator serves what lies in it, and nothing else.
        part("the same range", "bytes=4-8", (206, "45678")), part("a smaller range", "bytes=6-7", (206, "67")),
        part("a range that begins before it", "bytes=3-8", nil), part("one that ends behind it", "bytes=6-9", nil),
        part("a range to the end", "bytes=6-", nil), part("the last bytes", "bytes=-1", nil),
        part("the last bytes", "bytes=-2", (206, "89"), answered: ["Content-Range: bytes 4-9/10"], body: "456789"),
        part("to the end", "bytes=8-", (206, "89"), answered: ["Content-Range: bytes 4-9/10"], body: "456789"),
        part("of an unknown length", "bytes=6-8", (206, "678"), answered: ["Content-Range: bytes 4-8/*"]),
        part("the last bytes of an unknown length", "bytes=-1", nil, answered: ["Content-Range: bytes 4-8/*"]),
        part(
            "a part with a weak tag", "bytes=6-7", (206, "67"),
            answered: ["Content-Range: bytes 4-8/10", "ETag: W/\"a\""]),
        part("the whole", nil, nil),
        // Six bytes are announced and five come: which of them are missing cannot be told.
        part("a part that contradicts itself", "bytes=6-8", nil, answered: ["Content-Range: bytes 4-9/10"]),
        // RFC 9111 section 4.2: dates are read in any case.
        expires("THU, 18 Aug 2050 02:01:18 GMT"), expires("Thu, 18 AUG 2050 02:01:18 GMT"),
        expires("Thu, 18 Aug 2050 02:01:18 gMT"), expires("THURSDAY, 18-aug-50 02:01:18 GMT"),
        // What two requests may write in different ways, and mean the same.
        vary("Accept-Language", ["en, de"], ["de, en"]), vary("Accept-Language", ["en, de"], [" en ,   de"]),
        vary("Accept-Language", ["en, de"], ["eN, De"]), vary("Accept-Language", ["en, de"], ["de", "en"]),
        vary("Accept-Language", ["en, de"], ["de;q=0.5, en"], isServed: false),
        vary("X-Any", ["1,2"], ["1, 2"]), vary("X-Any", ["1", "2"], ["1 , 2"]),
        vary("X-Any", ["\"1,2\""], ["\"1, 2\""], isServed: false), vary("X-Any", ["1,2"], ["2,1"], isServed: false),
        Row(
            name: "immutable by http", url: "http://one.test/a", answered: ["Cache-Control: max-age=3600, immutable"],
            askedAgain: [("Cache-Control", "max-age=0")], served: (200, "0123456789")),
    ]

    @Test("what is stored is served where it can be", arguments: rows)
    func serves(row: Row) throws {
        let bench = try CacheBench()
        try bench.perform(bench.request("GET", row.url, row.asked)) {
            $0.answer(row.status, row.answered, row.body)
        }
        bench.clock.advance(1000)
        let again = try bench.perform(bench.request("GET", row.url, row.askedAgain)) {
            $0.answer(200, ["Cache-Control: no-store"], "new")
        }
        #expect(bench.transport.count == (row.served == nil ? 2 : 1))
        #expect(again.response?.status == row.served?.status ?? 200)
        #expect(again.text == row.served?.body ?? "new")
        bench.client.destroy()
    }

    @Test("a shared cache takes no word of http for immutable")
    func sharedImmutable() throws {
        let bench = try CacheBench { $0.isShared = true }
        for _ in 0..<2 {
            try bench.perform(
                bench.request("GET", "http://one.test/a", [("Cache-Control", "max-age=0")])
            ) { $0.answer(200, ["Cache-Control: max-age=3600, immutable"], "0123456789") }
        }
        #expect(bench.transport.count == 2)
        bench.client.destroy()
    }
}

/// Asking for the missing bytes of a stored part (RFC 9111 sections 3.3 and 3.4).
@Suite("Stored parts that are completed")
struct CacheCompletionTests {
    private let bench: CacheBench

    init() throws {
        bench = try CacheBench()
        try bench.get([("Range", "bytes=0-4")]) {
            $0.answer(206, ["Cache-Control: max-age=60", "ETag: \"a\"", "Content-Range: bytes 0-4/10"], "01234")
        }
    }

    /// A GET of the whole; what was asked of the origin goes into `asked`.
    private func whole(
        _ asked: Collector<[String]>, _ answer: @escaping @Sendable (FakeExchange) -> Void
    ) throws -> CacheBench.Event {
        try bench.get {
            asked.add([$0.sent("Range") ?? "-", $0.sent("If-Range") ?? "-"])
            answer($0)
        }
    }

    @Test("the whole is the stored bytes and those that were missing; it is served from then on")
    func completed() throws {
        let asked = Collector<[String]>()
        let first = try whole(asked) {
            $0.answer(206, ["ETag: \"a\"", "Content-Range: bytes 5-9/10", "X-New: 1"], "56789")
        }
        #expect(asked.wait(for: 1) == [["bytes=5-", "\"a\""]])
        #expect(first.response?.status == 200 && first.text == "0123456789")
        #expect(first.response?.headers["content-length"] == "10" && first.response?.headers["x-new"] == "1")
        #expect(first.response?.headers["content-range"] == nil)
        let second = try bench.get()
        #expect(second.cacheResult == .hit && second.text == "0123456789" && bench.transport.count == 2)
        bench.client.destroy()
    }

    @Test("one that has changed meanwhile comes whole, and takes its place")
    func changed() throws {
        let asked = Collector<[String]>()
        let first = try whole(asked) { $0.answer(200, ["Cache-Control: max-age=60", "ETag: \"b\""], "abcdefghij") }
        #expect(first.response?.status == 200 && first.text == "abcdefghij")
        #expect(try bench.get([("Range", "bytes=0-1")]).text == "ab" && bench.transport.count == 2)
        bench.client.destroy()
    }

    @Test(
        "an answer that completes nothing is not shown: the whole is asked for",
        arguments: [
            (206, ["ETag: \"b\"", "Content-Range: bytes 5-9/10"], "56789"),
            (206, ["Content-Range: bytes 5-9/10"], "56789"),
            (206, ["ETag: \"a\"", "Content-Range: bytes 5-8/10"], "5678"),
            (206, ["ETag: \"a\"", "Content-Range: bytes 5-9/11"], "56789"), (206, ["ETag: \"a\""], "56789"),
            (206, ["ETag: \"a\"", "Content-Range: bytes 5-9/10"], "567"), (416, ["Content-Range: bytes */3"], ""),
        ] as [(Int, [String], String)])
    func useless(status: Int, fields: [String], body: String) throws {
        let asked = Collector<[String]>()
        let first = try whole(asked) { exchange in
            if exchange.sent("Range") == nil {
                exchange.answer(200, ["Cache-Control: max-age=60", "ETag: \"c\""], "whole")
            } else {
                exchange.answer(status, fields, body)
            }
        }
        #expect(asked.wait(for: 2) == [["bytes=5-", "\"a\""], ["-", "-"]])
        #expect(first.response?.status == 200 && first.text == "whole")
        bench.client.destroy()
    }

    @Test(
        "a request with conditions or directives of its own is sent as it is",
        arguments: [("If-None-Match", "\"x\""), ("Cache-Control", "no-cache"), ("Cache-Control", "no-store")])
    func asIs(field: (String, String)) throws {
        let asked = Collector<String>()
        let found = try bench.get([field]) {
            asked.add($0.sent("Range") ?? "-")
            $0.answer(200, ["Cache-Control: max-age=60"], "whole")
        }
        #expect(asked.wait(for: 1) == ["-"] && found.text == "whole")
        bench.client.destroy()
    }
}
