import Netcore
import NetcoreHTTP
import NetcoreSupport
import Synchronization
import TestSupport
import Testing

/// What an answer must be like to be a success.
@Suite struct ValidationTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/validation.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map
        {
            Case(columns: $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) })
        }

        func given(_ index: Int) -> String? { columns[index] == "-" ? nil : columns[index] }
    }

    private static func client(
        _ status: Int, _ fields: [(name: String, value: String)] = [], _ body: String, cache: Cache? = nil
    ) throws -> Client {
        var options = Client.Options()
        options.cache = cache
        options.transport = { _, hop in try? hop.answer(status, fields, body: Array(body.utf8)) }
        return try Client(options)
    }

    @Test("the table of cases of judging answers holds through Swift", arguments: Case.all)
    func table(entry: Case) async throws {
        let status = try #require(Int(entry.columns[4]))
        let client = try Self.client(
            status, entry.given(5).map { [("Content-Type", $0)] } ?? [], entry.given(6) ?? "")
        var request = try Request("GET", "http://app.test/")
        request.acceptedStatuses = try entry.given(1).map { try AcceptedStatuses($0) }
        request.acceptedContentTypes =
            entry.given(2)?.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) } ?? []
        request.jsonShape = try entry.given(3).map { try JSONShape($0) }
        let response: Response
        do {
            response = try await client.perform(request)
            #expect(entry.columns[7] == "NETCORE_OK")
        } catch let error as NetcoreError {
            #expect(error.code.name == entry.columns[7])
            #expect(error.argument == (entry.given(8).map { $0 == "/" ? "" : $0 } ?? ""))
            response = try #require(error.response)
        }
        #expect(response.status == status && response.text == entry.given(6) ?? "")
    }

    static let digests = Peers.lines(of: "Tests/Cases/digests.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }
        .map { $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) } }

    @Test("the table of digests holds through Swift, in memory and streamed", arguments: digests, [false, true])
    func digest(columns: [String], isStreamed: Bool) async throws {
        func given(_ index: Int) -> String? { columns[index] == "-" ? nil : columns[index] }
        let fields = (given(3) ?? "").utf8.split(separator: UInt8(ascii: "|")).map { field in
            let parts = String(Substring(field)).utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
            return (name: String(Substring(parts[0].dropLast())), value: String(Substring(parts[1])))
        }
        let client = try Self.client(try #require(Int(columns[2])), fields, given(4) ?? "")
        var request = try Request("GET", "http://app.test/")
        request.bodySHA256 = given(1).map { $0 == "server" ? .server : .expected($0) }
        do {
            var response: Response?
            if isStreamed {
                let streamed = try await client.stream(request)
                for try await _ in streamed.bytes {}
                response = streamed.ending
            } else {
                response = try await client.perform(request)
            }
            #expect(columns[5] == "NETCORE_OK")
            #expect(response?.bodySHA256 == given(6))
        } catch let error as NetcoreError {
            #expect(error.code.name == columns[5])
            if !isStreamed { #expect(error.response?.bodySHA256 == given(6)) }
        }
        client.destroy()
    }

    @Test("what a function throws is the error, and its own status stays")
    func validator() async throws {
        struct Gone: Error {}
        let client = try Self.client(200, [], "ab")
        var request = try Request("GET", "http://app.test/")
        for (thrown, status) in [
            (Gone() as any Error, NetcoreError.Code.rejected.rawValue), (NetcoreError.refused(2007, "sold out"), 2007),
        ] {
            request.setValidator { response in
                #expect(response.text == "ab")
                throw thrown
            }
            let error = try await #require(throws: NetcoreError.self) { try await client.perform(request) }
            #expect(error.code.rawValue == status && error.response?.text == "ab")
        }
        request.setValidator { _ in }
        #expect(try await client.perform(request).text == "ab")
    }

    @Test("a function that waits is called once for what several tasks join, and does not outlive the total timeout")
    func joined() async throws {
        let client = try Self.client(200, [], "{}")
        let calls = Atomic<Int>(0)
        var request = try Request("GET", "http://app.test/")
        request.duplicates = .join
        request.setValidator { _ in calls.add(1, ordering: .relaxed) }
        #expect(try await client.perform(request).text == "{}")
        #expect(calls.load(ordering: .relaxed) == 1)

        let gate = Gate()
        request.timeouts.total = .milliseconds(50)
        request.setValidator { _ in gate.wait() }
        let waiting = request
        let error = try await #require(throws: NetcoreError.self) { try await client.perform(waiting) }
        gate.open()
        #expect(error.code == .timeoutTotal)
    }

    private final class Gate: @unchecked Sendable {  // under the condition's lock
        private let condition = Condition()
        private var isOpen = false

        func wait() { condition.lock.withLock { while !isOpen { condition.wait() } } }

        func open() {
            condition.lock.withLock {
                isOpen = true
                condition.broadcast()
            }
        }
    }

    private static let nullCases: [(String, String?)] = [
        ("null", "null"), (#"{"a":null}"#, "{}"), (#"{"a":null,"b":1}"#, #"{"b":1}"#),
        (#"{"a":1,"b":null}"#, #"{"a":1}"#), (#"{"a":1,"b":null,"c":2,"d":null}"#, #"{"a":1,"c":2}"#),
        (#"[null,{"a":null},null]"#, "[null,{},null]"), (#" { "a" : [ 1 , null ] } "#, #"{"a":[1,null]}"#),
        (#"{"a":"null, \"null\\","b":null}"#, #"{"a":"null, \"null\\"}"#),
        (#"{"a":{"b":null,"c":{"d":null}},"e":null}"#, #"{"a":{"c":{}}}"#),
        (#"{"a":{},"b":null,"c":{}}"#, #"{"a":{},"c":{}}"#),
        (#"{"a":1.50,"b":1e2,"c":12345678901234567890}"#, #"{"a":1.50,"b":1e2,"c":12345678901234567890}"#),
        ("\u{FEFF}{\"a\":null}", "{}"), ("{", nil), ("", nil), ("<null>", nil),
    ]

    @Test("members that are null are dropped, and all else keeps its letters", arguments: nullCases)
    func nulls(body: String, expected: String?) {
        let found = Array(body.utf8).withUnsafeBytes { JSONNulls.dropped($0) }
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == expected)
    }
}
