@testable import Netcore
import NetcoreHTTP
import Testing

/// An application tests its own code without a socket.
@Suite struct ClientTransportTests {
    private func client(_ transport: @escaping Client.TransportFunction) throws -> Client {
        var options = Client.Options()
        options.transport = transport
        return try Client(options)
    }

    @Test("a function answers what a client sends, redirects on top")
    func answers() async throws {
        let client = try client { request, hop in
            request.urlString.hasSuffix("/1")
                ? try? hop.answer(302, [("Location", "/2")])
                : try? hop.answer(200, [("X-Method", request.method)], body: Array(request.urlString.utf8))
        }
        let response = try await client.perform(Request("GET", "http://app.test/1"))
        #expect(response.text == "http://app.test/2" && response.redirects == 1 && response.attempts == 1)
        #expect(response.headers["x-method"] == "GET")
    }

    @Test("a token function may await something, also a request of its own client")
    func awaitedToken() async throws {
        var options = Client.Options()
        options.transport = { request, hop in
            try? hop.answer(body: Array((request.headers["authorization"] ?? "none").utf8))
        }
        let client = try Client(options)
        try client.setTokenSource(
            "http://app.test",
            awaiting: { _ in
                var inner = try Request("GET", "http://app.test/token")
                inner.isBare = true
                return try await client.perform(inner).text + "-token"
            })
        #expect(try await client.perform(Request("GET", "http://app.test/")).text == "Bearer none-token")
        try client.setTokenSource("http://app.test", awaiting: { _ in throw NetcoreError.refused(2007, "no") })
        let error = try await #require(throws: NetcoreError.self) {
            try await client.perform(Request("GET", "http://app.test/"))
        }
        #expect(error.code.rawValue == 2007)
        client.destroy()
    }

    @Test("the whole body comes to the function, whatever it was made of")
    func body() async throws {
        let client = try client { request, hop in
            try? hop.answer(body: Array("\(request.headers["content-type"] ?? "") \(request.bodyText)".utf8))
        }
        var request = try Request("POST", "http://app.test/")
        request.addParameter("a", .string("b c"))
        #expect(try await client.perform(request).text == "application/x-www-form-urlencoded a=b+c")
        request = try Request("POST", "http://app.test/")
        try request.addPart(Part("p", .bytes(Array("content".utf8))))
        #expect(try await client.perform(request).text.contains("name=\"p\"\r\n\r\ncontent\r\n"))
    }

    @Test("a body beyond the limit is an error, and a failure is the task's")
    func failures() async throws {
        let client = try client { request, hop in
            request.method == "GET" ? try? hop.answer(body: [1, 2, 3]) : try? hop.fail(.connect)
        }
        var request = try Request("GET", "http://app.test/")
        var limits = Limits()
        limits.bodyBytes = 2
        request.setLimits(limits)
        await #expect { try await client.perform(request) } throws: {
            ($0 as? NetcoreError)?.code == .limitBodyBytes
        }
        await #expect { try await client.perform(Request("PUT", "http://app.test/")) } throws: {
            ($0 as? NetcoreError)?.code == .connect
        }
    }

    @Test("a function may use its client, which goes on while hops wait, and ends them when it is destroyed")
    func waiting() throws {
        let hops = Collector<TransportHop>()
        let client = try client { _, hop in hops.add(hop) }
        let ends = Collector<NetcoreError.Code?>()
        for _ in 0..<3 {
            try client.dispatch(Request("GET", "http://app.test/")) { result in
                if case .failure(let error) = result { ends.add(error.code) } else { ends.add(nil) }
            }
        }
        let given = hops.wait(for: 3)
        try given[1].answer()
        #expect(ends.wait(for: 1) == [nil])
        client.destroy()
        #expect(ends.wait(for: 3) == [nil, .canceled, .canceled] && given.allSatisfy { !$0.isAwaited })
    }
}

extension Request {
    fileprivate var bodyText: String {
        String(decoding: body?.bytes ?? UnsafeRawBufferPointer(start: nil, count: 0), as: UTF8.self)
    }
}
