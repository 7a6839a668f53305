import Netcore
import NetcoreHTTP
import Synchronization
import TestSupport
import Testing

/// Filters of answers, and tags that are read from answers.
@Suite struct ResponseFilterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/response_filters.tsv").filter {
            !$0.hasPrefix("#") && !$0.isEmpty
        }
        .map { Case(columns: $0.parts(of: "\t")) }

        func given(_ index: Int) -> String? { columns[index] == "-" ? nil : columns[index] }

        func list(_ index: Int) -> [String] { (given(index) ?? "").parts(of: "|") }
    }

    private static func take(_ step: String, _ answer: inout FilterResponse) throws {
        let words = step.parts(of: " ", atMost: 2)
        let rest = words.count > 1 ? words[1] : ""
        let pair = rest.parts(of: " ", atMost: 2)
        switch words[0] {
        case "set": try answer.setHeader(pair[0], pair[1])
        case "add": try answer.addHeader(pair[0], pair[1])
        case "remove": try answer.removeHeader(rest)
        case "body":
            let text = answer.response.text
            try answer.setBody(rest.utf8.flatMap { $0 == UInt8(ascii: "%") ? Array(text.utf8) : [$0] })
        case "tag": try answer.addTag(rest)
        default: throw NetcoreError.refused(Int32(rest) ?? 0, "refused")
        }
    }

    /// Answers with what a case says, and counts hops and calls of the filter.
    private final class Origin: Sendable {
        let hops = Atomic<Int>(0)
        let calls = Atomic<Int>(0)

        func client(_ status: Int = 200, _ fields: [String], _ body: String) throws -> Client {
            var options = Client.Options()
            options.cache = Cache()
            let fields = fields.map { $0.parts(of: ": ") }.map { (name: $0[0], value: $0[1]) }
            options.transport = { _, hop in
                self.hops.add(1, ordering: .relaxed)
                try? hop.answer(status, fields, body: Array(body.utf8))
            }
            return try Client(options)
        }
    }

    @Test("the table of cases of filters of answers holds through Swift", arguments: Case.all, [false, true])
    func table(entry: Case, isOfClient: Bool) async throws {
        let origin = Origin()
        let client = try origin.client(
            try #require(Int(entry.columns[4])), entry.list(5), entry.given(6) ?? "")
        var request = try Request(entry.columns[2], "http://app.test/a")
        request.acceptedContentTypes = entry.given(3).map { $0.parts(of: ",") } ?? []
        let kind: ResponseFilterKind = entry.columns[1] == "network" ? .network : .delivery
        let filter: Client.ResponseFilter = { answer in
            origin.calls.add(1, ordering: .relaxed)
            for step in entry.columns[7].parts(of: "|") { try Self.take(step, &answer) }
        }
        if isOfClient {
            try client.addResponseFilter(kind, filter)
        } else {
            request.addResponseFilter(kind, filter)
        }
        for _ in 0..<2 { try await check(entry, client, request) }
        #expect(origin.hops.load(ordering: .relaxed) == Int(entry.columns[11]))
        #expect(origin.calls.load(ordering: .relaxed) == Int(entry.columns[12]))
        client.destroy()
    }

    private func check(_ entry: Case, _ client: Client, _ request: Request) async throws {
        var response: Response?
        do {
            response = try await client.perform(request)
            #expect(entry.columns[8] == "NETCORE_OK")
        } catch let error as NetcoreError {
            #expect(entry.columns[8] == error.code.name || entry.columns[8] == "\(error.code.rawValue)")
            response = error.response
        }
        #expect(response?.text ?? "" == entry.given(10) ?? "")
        for field in entry.list(9) {
            let parts = field.parts(of: ": ")
            let headers = try #require(response).headers
            if parts.count > 1 {
                #expect(headers.values(of: parts[0]) == [parts[1]])
            } else {
                #expect(headers.values(of: String(field.dropFirst())).isEmpty)
            }
        }
    }

    private static func append(_ text: String) -> Client.ResponseFilter {
        { answer in try answer.setBody(answer.body + Array(text.utf8)) }
    }

    @Test("filters of a client, a module and a request run in this order, and what is stored passed the network's")
    func order() async throws {
        let origin = Origin()
        let client = try origin.client(200, ["Cache-Control: max-age=60"], "-")
        var defaults = try Request("GET", "http://app.test/a")
        var request = defaults
        for (letter, kind) in [("m", ResponseFilterKind.network), ("M", .delivery)] {
            defaults.addResponseFilter(kind, Self.append(letter))
        }
        for (letter, kind) in [("R", ResponseFilterKind.delivery), ("r", .network), ("s", .network)] {
            request.addResponseFilter(kind, Self.append(letter))
        }
        try client.addResponseFilter(.delivery, Self.append("C"))
        try client.addResponseFilter(.network, Self.append("c"))
        request = try request.taking(module: defaults)
        for _ in 0..<2 { #expect(try await client.perform(request).text == "-cmrsCMR") }
        #expect(origin.hops.load(ordering: .relaxed) == 1)
        guard case .found(let stored) = try client.cachedResponse(Request("GET", "http://app.test/a")) else {
            Issue.record("nothing is stored")
            return
        }
        #expect(stored.text == "-cmrs")
        try client.removeResponseFilters()
        #expect(try await client.perform(Request("GET", "http://app.test/a")).text == "-cmrs")
        client.destroy()
    }

    @Test("what any error of a filter becomes, and what a filter may not do", arguments: ResponseFilterKind.allCases)
    func refused(kind: ResponseFilterKind) async throws {
        struct Gone: Error {}
        let client = try Origin().client(200, [], "ab")
        var request = try Request("HEAD", "http://app.test/a")
        request.addResponseFilter(kind) { answer in
            #expect(throws: NetcoreError.self) { try answer.setHeader("a b", "c") }
            #expect(throws: NetcoreError.self) { try answer.setBody([1]) }
            #expect(throws: NetcoreError.self) { try answer.addTag("") }
            #expect(answer.kind == kind)
            throw Gone()
        }
        let error = try await #require(throws: NetcoreError.self) { try await client.perform(request) }
        #expect(error.code == .refused && error.message.contains("Gone"))
        client.destroy()
    }

    @Test(
        "tags that are read from an answer are those that it is stored with", arguments: [("post:7", 3), ("post:9", 2)])
    func tags(invalidated: String, hops: Int) async throws {
        let origin = Origin()
        let client = try origin.client(200, ["Cache-Control: max-age=60"], "7")
        var request = try Request("GET", "http://app.test/a")
        request.addResponseFilter(.network) { answer in try answer.addTag("post:\(answer.response.text)") }
        _ = try await client.perform(request)
        var other = try Request("POST", "http://app.test/b")
        other.invalidatedTags = [invalidated]
        _ = try await client.perform(other)
        _ = try await client.perform(request)
        #expect(origin.hops.load(ordering: .relaxed) == hops)
        client.destroy()
    }

    @Test("tasks with different filters of the network's answers do not join, those with others do")
    func joined() async throws {
        for (kind, expected) in [(ResponseFilterKind.network, 2), (.delivery, 1)] {
            let origin = Origin()
            var options = Client.Options()
            let held = Mutex<[TransportHop]>([])
            options.transport = { _, hop in
                origin.hops.add(1, ordering: .relaxed)
                held.withLock { $0.append(hop) }
            }
            let client = try Client(options)
            async let first = perform("a", kind, client)
            async let second = perform("b", kind, client)
            while client.statistics.tasks < 2 || client.statistics.queuedTasks > 0
                || held.withLock({ $0.count }) < expected
            {
                await Task.yield()
            }
            for hop in held.withLock({ $0 }) { try hop.answer(200, [], body: Array("-".utf8)) }
            #expect(try await [first, second].sorted() == ["-a", "-b"])
            #expect(origin.hops.load(ordering: .relaxed) == expected)
            client.destroy()
        }
    }

    private func perform(_ letter: String, _ kind: ResponseFilterKind, _ client: Client) async throws -> String {
        var request = try Request("GET", "http://app.test/a")
        request.duplicates = .join
        request.addResponseFilter(kind, Self.append(letter))
        return try await client.perform(request).text
    }
}
