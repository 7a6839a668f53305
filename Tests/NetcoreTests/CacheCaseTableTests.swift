import Netcore
import TestSupport
import Testing

/// The table of cases of the cache that all doors share, through Swift; its head explains the columns.
@Suite struct CacheCaseTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/cache.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
            Case(columns: $0.split(separator: "\t").map(String.init))
        }
    }

    @Test("the table of cases of the cache holds through Swift", arguments: Case.all)
    func run(entry: Case) async throws {
        let client = try client { $0.cache = Cache() }
        let url = Peers.variable(entry.columns[1]) + entry.columns[2]
        for step in entry.columns[3...] {
            var words = step.split(separator: " ").map(String.init)
            let expected = words.removeLast()
            #expect(words.removeLast() == "=>")
            var request = try Request(words.removeFirst(), url)
            for word in words { try Self.apply(word, to: &request) }
            let response = try await client.perform(request)
            #expect("\(response.cacheResult.rawValue)/\(response.status)" == expected, "\(step)")
        }
    }

    private static func apply(_ word: String, to request: inout Request) throws {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let value = parts[1]
        switch parts[0] {
        case "mode": request.cacheOptions.mode = try #require(Int32(value).flatMap { CacheMode(rawValue: $0) })
        case "ttl_ms": request.cacheOptions.timeToLive = .milliseconds(try #require(Int(value)))
        case "errors": request.cacheOptions.keepsErrors = value == "1"
        case "scope": request.cacheOptions.scope = value
        case "version": request.cacheOptions.version = try #require(UInt32(value))
        case "key": request.cacheOptions.key = value
        case "key_field": request.cacheOptions.keyFields.append(value)
        case "body": try request.setBody(Array(value.utf8))
        case "field":
            let field = value.split(separator: ":", maxSplits: 1).map(String.init)
            try request.setHeader(field[0], field[1])
        default: Issue.record("an unknown option: \(word)")
        }
    }
}
