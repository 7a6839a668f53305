@testable import Netcore
import NetcoreHTTP
import Testing

/// A client that keeps what hosts ask for, before an origin without sockets.
private struct Bench {
    let transport = FakeTransport()
    let client: Client

    init(_ change: (inout Client.Options) -> Void = { _ in }) throws {
        var options = Client.Options()
        options.hstsFile = ""
        options.makeTransport = { [transport] in transport.at($0) }
        change(&options)
        client = try Client(options)
        transport.answer { exchange in
            let fields = ["Strict-Transport-Security: max-age=60", "Cache-Control: max-age=60"]
            exchange.answer(200, fields, exchange.wire.url.string)
        }
    }

    func get(_ url: String, _ change: (inout Request) -> Void = { _ in }) async throws -> Response {
        var request = try Request("GET", url)
        change(&request)
        return try await client.perform(request)
    }

    /// Lets the host ask for https.
    func learn() async throws { _ = try await get("https://a.test/") }
}

@Suite("Requests to HSTS hosts")
struct HSTSTests {
    @Test(
        "http becomes https: port 80 is 443 then, another one stays",
        arguments: [
            ("http://a.test/x?y#z", "https://a.test/x?y#z"), ("http://a.test:80/", "https://a.test/"),
            ("http://A.test.:81/", "https://A.test.:81/"), ("http://b.test/", "http://b.test/"),
            ("http://b.a.test/", "http://b.a.test/"),
        ])
    func upgrade(url: String, expected: String) async throws {
        let bench = try Bench()
        #expect(try await bench.get(url).urlString == url)
        try await bench.learn()
        for _ in 0..<2 {
            let response = try await bench.get(url) { $0.isBare = true }
            #expect(response.urlString == expected && response.text == expected)
        }
    }

    @Test("a client without the option, or one that checks no certificate, keeps nothing", arguments: [false, true])
    func off(isChecked: Bool) async throws {
        let bench = try Bench {
            $0.verifiesPeer = isChecked
            if isChecked { $0.hstsFile = nil }
        }
        try await bench.learn()
        #expect(try await bench.get("http://a.test/").urlString == "http://a.test/")
    }

    @Test("a task that was made before goes by https, too")
    func late() async throws {
        let bench = try Bench { $0.cache = Cache(Cache.Options()) }
        let ends = Collector<String>()
        let task = try bench.client.makeTask(Request("GET", "http://a.test/x")) {
            ends.add((try? $0.get())?.urlString ?? "")
        }
        try await bench.learn()
        try bench.client.dispatch(task)
        #expect(ends.wait(for: 1) == ["https://a.test/x"])
    }

    @Test("a redirect from https to http is one to https, and keeps credentials")
    func redirect() async throws {
        let bench = try Bench()
        try await bench.learn()
        bench.transport.answer { exchange in
            exchange.wire.url.string == "https://a.test/1"
                ? exchange.answer(302, ["Location: http://a.test:80/2"])
                : exchange.answer(200, [], exchange.wire.url.string)
        }
        let response = try await bench.get("http://user:secret@a.test/1")
        #expect(response.urlString == "https://a.test/2" && response.redirects == 1)
    }

    @Test("what is stored of http is not served any more, and what is stored of https is")
    func cache() async throws {
        let bench = try Bench { $0.cache = Cache(Cache.Options()) }
        let before = try await bench.get("http://a.test/x")
        #expect(try await bench.get("http://a.test/x").cacheResult == .hit && before.text == "http://a.test/x")
        try await bench.learn()
        #expect(try await bench.get("http://a.test/x").text == "https://a.test/x")
        let count = bench.transport.count
        let request = try Request("GET", "http://a.test/x")
        #expect(
            try await bench.client.perform(request).urlString == "https://a.test/x" && bench.transport.count == count)
        guard case .found(let stored) = try bench.client.cachedResponse(request) else {
            Issue.record("nothing is stored")
            return
        }
        #expect(stored.urlString == "https://a.test/x" && stored.text == "https://a.test/x")
    }

    @Test("filters see https, and where they lead a request is looked at again")
    func filters() async throws {
        let bench = try Bench()
        try await bench.learn()
        let seen = Collector<String>()
        try bench.client.addFilter { request in
            seen.add(request.urlString)
            if request.urlString == "http://b.test/" { try request.setURL("http://a.test/b") }
        }
        #expect(try await bench.get("http://a.test/").urlString == "https://a.test/")
        #expect(try await bench.get("http://b.test/").urlString == "https://a.test/b")
        try bench.client.setCommonHeader("X-Now", current: { "1" })
        #expect(try await bench.get("http://a.test/").urlString == "https://a.test/")
        #expect(seen.wait(for: 3) == ["https://a.test/", "http://b.test/", "https://a.test/"])
    }
}
