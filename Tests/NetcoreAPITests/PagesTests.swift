import Netcore
import NetcoreAPI
import NetcoreCodable
import NetcoreHTTP
import Synchronization
import TestSupport
import Testing

/// Lists that come page by page.
@Suite struct PagesTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/pages.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
            Case(columns: $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) })
        }

        var options: PageOptions {
            get throws {
                var result = PageOptions()
                for pair in columns[1] == "-" ? [] : columns[1].split(separator: ",") {
                    let (name, value) = (pair.prefix { $0 != "=" }, String(pair.drop { $0 != "=" }.dropFirst()))
                    switch name {
                    case "style":
                        let names = [
                            "detect", "link_header", "body_link", "page_number", "offset", "body_cursor",
                            "header_cursor",
                            "function",
                        ]
                        let index = try #require(names.firstIndex(of: value))
                        result.style = try #require(PageStyle(rawValue: Int32(index)))
                    case "items": result.items = value
                    case "next": result.next = value
                    case "total": result.total = value
                    case "parameter": result.parameter = value
                    case "size_parameter": result.sizeParameter = value
                    case "header": result.header = value
                    case "zero_based": result.firstPage = 0
                    case "page_size": result.pageSize = try #require(Int(value))
                    case "max_items": result.maximumItems = try #require(Int(value))
                    default: result.maximumRequests = try #require(Int(value))
                    }
                }
                return result
            }
        }
    }

    /// Answers one after the other, and notes what was asked for.
    final class Server: Sendable {
        private let answers: [[String]]
        private let requests = Mutex<[Request]>([])

        init(_ text: String) {
            answers = Self.split(text, " ;; ").map { Self.split($0, "|") }
        }

        private static func split(_ text: String, _ separator: String) -> [String] {
            var (parts, rest) = ([String](), Substring(text))
            while parts.count < (separator == "|" ? 2 : .max), let place = rest.firstRange(of: separator) {
                parts.append(String(rest[..<place.lowerBound]))
                rest = rest[place.upperBound...]
            }
            return parts + [String(rest)]
        }

        var seen: [Request] { requests.withLock { $0 } }

        var urls: [String] {
            seen.map { $0.urlString.hasPrefix("http://app.test") ? String($0.urlString.dropFirst(15)) : $0.urlString }
        }

        func client() throws -> Client {
            var options = Client.Options()
            options.transport = { request, hop in
                let count = self.requests.withLock {
                    $0.append(request)
                    return $0.count
                }
                let answer = self.answers[min(count, self.answers.count) - 1]
                let field = Self.split(answer[1], ": ")
                let fields = field.count == 2 ? [(name: field[0], value: field[1])] : []
                try? hop.answer(Int(answer[0]) ?? 200, fields, body: Array(answer[2].utf8))
            }
            return try Client(options)
        }
    }

    @Test("the table of cases of pages holds through Swift", arguments: Case.all)
    func table(entry: Case) async throws {
        let server = Server(entry.columns[3])
        let request = try Request("GET", "http://app.test\(entry.columns[2])")
        let pages = try Pages(server.client(), request, options: entry.options) { $0.headers["X-Function"] }
        var items: [String] = []
        let error = try await #require(throws: NetcoreError.self) {
            while true { items += try await pages.load().items ?? [] }
        }
        #expect(error.code.name == "NETCORE_ERR_\(entry.columns[6])")
        #expect(items.joined(separator: ",") == (entry.columns[5] == "-" ? "" : entry.columns[5]))
        #expect(server.urls.joined(separator: " ") == entry.columns[4])
    }

    @Test("pages and items are sequences, with and without a request ahead", arguments: [false, true])
    func sequences(prefetches: Bool) async throws {
        let text = "||{\"total\":3,\"items\":[1,2]} ;; ||{\"total\":3,\"items\":[3]}"
        var options = PageOptions(.pageNumber)
        options.prefetches = prefetches
        let request = try Request("GET", "http://app.test/")
        let pages = try Pages(Server(text).client(), request, options: options)
        #expect(pages.info.page == 0 && pages.info.hasMore && pages.info.total == nil)
        var numbers: [Int] = []
        for try await page in pages { numbers.append(page.number) }
        #expect(numbers == [1, 2])
        #expect(pages.info.loaded == 3 && pages.info.pageCount == 2 && !pages.info.hasMore && !pages.info.isLoading)
        var items: [String] = []
        for try await item in try Pages(Server(text).client(), request, options: options).items { items.append(item) }
        #expect(items == ["1", "2", "3"])
    }

    @Test("items are decoded, of a page and of all")
    func models() async throws {
        struct User: Decodable, Equatable { let name: String }
        let text = "|Link: </b>; rel=next|[{\"name\":\"ann\"}] ;; ||[{\"name\":\"bob\"}] ;; ||[{\"name\":\"ann\"}]"
        let pages = try Pages(Server(text).client(), Request("GET", "http://app.test/a"))
        var names: [String] = []
        for try await user in pages.items(as: User.self) { names.append(user.name) }
        #expect(names == ["ann", "bob"])
        #expect(try await pages.load(.refresh).decodeItems() == [User(name: "ann")])
    }

    @Test("loads that overlap go as the policy says")
    func overlaps() async throws {
        for overlap in PageOverlap.allCases {
            let table = StubTable()
            try table.add(Stub("GET", nil, StubAnswer(200, text: "[1]", delay: .fixed(.milliseconds(50)))))
            var options = PageOptions(.pageNumber)
            options.overlap = overlap
            let client = try Client()
            try client.setStubs(table)
            let pages = try Pages(client, Request("GET", "http://app.test/"), options: options)
            let first = Task { try await pages.load() }
            while !pages.info.isLoading { await Task.yield() }
            let second = Task { try await pages.load(.refresh) }
            let ends = (await first.result, await second.result)
            let codes = [ends.0, ends.1].map { result -> NetcoreError.Code? in
                if case .failure(let error) = result { (error as? NetcoreError)?.code } else { nil }
            }
            switch overlap {
            case .join: #expect(codes == [nil, nil])
            case .replace: #expect(codes == [.canceled, nil])
            case .refuse: #expect(codes == [nil, .invalidState])
            }
            // A load that is replaced may end before its request is sent.
            #expect(overlap == .replace || table.calls.count == 1)
        }
    }

    @Test("a link to another origin takes no credentials along")
    func credentials() async throws {
        let server = Server(
            "|Link: </b>; rel=next|[1] ;; |Link: <http://other.test/c>; rel=next|[2] ;; ||[3]")
        let client = try server.client()
        try client.setCommonHeader("Authorization", "Bearer client")
        var request = try Request("GET", "http://app.test/a")
        try request.setAuthentication(.basic(user: "ann", password: "pw"))
        try request.setHeader("Cookie", "a=1")
        try request.setHeader("X-A", "1")
        for try await _ in try Pages(client, request) {}
        let seen = server.seen
        #expect(seen.map { $0.hasHeader("Authorization") } == [true, true, false])
        #expect(seen.map { $0.hasHeader("Cookie") } == [true, true, false])
        #expect(seen.allSatisfy { $0.hasHeader("X-A") })
    }
}
