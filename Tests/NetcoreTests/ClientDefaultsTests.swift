@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing

/// Options that a client sets for all its requests: the request's own win.
@Suite struct ClientDefaultsTests {
    private func client(_ answer: @escaping @Sendable (Request) -> String) throws -> Client {
        var options = Client.Options()
        options.transport = { request, hop in try? hop.answer(body: Array(answer(request).utf8)) }
        return try Client(options)
    }

    private static func text(_ request: Request) -> String {
        request.body.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
    }

    private func built(_ client: Client, _ change: (inout Request) throws -> Void) throws -> RequestOptions {
        var request = try Request("GET", "http://app.test/")
        try change(&request)
        return try request.built(for: client.engine).options
    }

    @Test("a request takes what it does not set itself")
    func taken() throws {
        let client = try client { _ in "" }
        try client.setRequestDefaults {
            $0.timeouts.total = .seconds(5)
            $0.timeouts.connect = .seconds(3)
            $0.followsRedirects = false
            $0.decodesContent = false
            $0.cacheOptions.timeToLive = .seconds(60)
            $0.maximumSendRate = 1000
        }
        let plain = try built(client) { _ in }
        #expect(plain.timeouts.total == 5000 && plain.timeouts.connect == 3000 && plain.timeouts.idle == 60_000)
        #expect(!plain.redirectPolicy.isFollowing && !plain.decodesContent && plain.rates.send == 1000)
        #expect(plain.cache.timeToLive == .seconds(60))
        let own = try built(client) {
            $0.timeouts.total = nil
            $0.timeouts.connect = .seconds(10)  // netcore's own default, but said
            $0.followsRedirects = true
            $0.cacheOptions.timeToLive = nil
            $0.maximumSendRate = nil
        }
        #expect(own.timeouts.total == 0 && own.timeouts.connect == 10_000 && own.redirectPolicy.isFollowing)
        #expect(own.cache.timeToLive == nil && own.rates.send == nil && !own.decodesContent)
    }

    @Test("defaults are replaced as a whole, also for a request that was sent before")
    func replaced() throws {
        let client = try client { _ in "" }
        let request = try Request("GET", "http://app.test/")
        try client.setRequestDefaults { $0.isSentOnce = true }
        #expect(try request.built(for: client.engine).options.isSentOnce)
        try client.setRequestDefaults { $0.priority = .high }
        let options = try request.built(for: client.engine).options
        #expect(!options.isSentOnce && options.priority == .high)
        try client.setRequestDefaults { _ in }
        #expect(client.requestDefaults == nil)
        #expect(try request.built(for: client.engine).options.priority == .default)
    }

    @Test("credentials do not go with bare requests, other defaults do")
    func bare() throws {
        let client = try client { _ in "" }
        try client.setRequestDefaults {
            try $0.setAuthentication(.bearer("token"))
            $0.timeouts.idle = .seconds(1)
        }
        #expect(try built(client) { _ in }.authentication == .bearer("token"))
        #expect(try built(client) { try $0.setAuthentication(nil) }.authentication == nil)
        let bare = try built(client) { $0.isBare = true }
        #expect(bare.authentication == nil && bare.timeouts.idle == 1000)
    }

    @Test("a default that cannot be is refused when it is set")
    func refused() throws {
        let client = try client { _ in "" }
        let error = #expect(throws: NetcoreError.self) {
            try client.setRequestDefaults { $0.timeouts.idle = .seconds(-1) }
        }
        #expect(error?.argument == "timeouts.idle" && client.requestDefaults == nil)
    }

    @Test("a default serializer, and default parameters in the query of a POST")
    func parameters() async throws {
        let client = try client { "\($0.urlString) \(Self.text($0))" }
        try client.setCommonParameter("key", "k")
        var request = try Request("POST", "http://app.test/")
        request.addParameter("a", 1)
        #expect(try await client.perform(request).text == "http://app.test/ key=k&a=1")
        try client.setRequestDefaults { $0.serializer = .json }
        #expect(try await client.perform(request).text == #"http://app.test/ {"key":"k","a":1}"#)
        try client.setSendsParametersInQuery(true)
        #expect(try await client.perform(request).text == #"http://app.test/?key=k {"a":1}"#)
        request.serializer = .query
        #expect(try await client.perform(request).text == "http://app.test/?key=k&a=1 ")
    }

    @Test("timeouts leave the minimum rate alone")
    func minimumRate() throws {
        var request = try Request("GET", "http://app.test/")
        try request.setMinimumReceiveRate(1000)
        request.timeouts.total = .seconds(1)
        #expect(request.minimumReceiveRate == 1000)
    }

    @Test("a task is canceled by each of its tags")
    func tags() throws {
        var options = Client.Options()
        options.transport = { _, _ in }
        let client = try Client(options)
        let ends = Collector<String>()
        for (name, tags) in [("first", ["a", "b"]), ("second", ["b"]), ("third", ["c"])] {
            var request = try Request("GET", "http://app.test/")
            request.tags = tags
            try client.dispatch(request) { _ in ends.add(name) }
        }
        #expect(client.cancelAll(tag: "a") == 1)
        #expect(ends.wait(for: 1) == ["first"])
        #expect(client.cancelAll(tag: "b") == 1 && client.cancelAll(tag: "c") == 1)
        #expect(ends.wait(for: 3) == ["first", "second", "third"])
        #expect(throws: NetcoreError.self) { _ = try built(client) { $0.tags = ["a", ""] } }
        #expect(throws: NetcoreError.self) { _ = try built(client) { $0.tags = ["a", "b\u{1F}c"] } }
    }
}
