import Netcore
import NetcoreAPI
import NetcoreCodable
import NetcoreHTTP
import Synchronization
import TestSupport
import Testing

/// API descriptions, as values and as types.
@Suite struct DescriptionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/apis.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
            Case(columns: $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) })
        }

        func given(_ column: Int) -> String? { columns[column] == "-" ? nil : columns[column] }

        var parameters: [APIParameter] {
            get throws {
                var rest = Substring(columns[4] == "-" ? "" : columns[4])
                var result: [APIParameter] = []
                while !rest.isEmpty {
                    let place = rest.firstRange(of: ", ")
                    let words = rest[..<(place?.lowerBound ?? rest.endIndex)].split(separator: " ").map { String($0) }
                    let names = ["default", "query", "header", "body"]
                    let index = words.count > 2 ? names.firstIndex(of: words[2]) ?? 0 : 0
                    result.append(
                        try APIParameter(
                            words[0], type: words[1],
                            in: try #require(APIParameter.Place(rawValue: Int32(index))),
                            field: words.count > 3 && words[3] != "-" ? words[3] : nil,
                            default: words.count > 4 ? .some(JSONObject.value(words[4])) : .none))
                    rest = place.map { rest[$0.upperBound...] } ?? ""
                }
                return result
            }
        }
    }

    /// Notes what is sent.
    final class Server: Sendable {
        private let requests = Mutex<[Request]>([])
        private let body: String
        private let status: Int

        init(_ body: String = "", status: Int = 200) {
            self.body = body
            self.status = status
        }

        var seen: [Request] { requests.withLock { $0 } }

        func client() throws -> Client {
            var options = Client.Options()
            options.transport = { request, hop in
                self.requests.withLock { $0.append(request) }
                try? hop.answer(self.status, [], body: Array(self.body.utf8))
            }
            return try Client(options)
        }
    }

    static func module() throws -> APIModule {
        var defaults = try Request(relative: "")
        try defaults.setBaseURL("http://app.test/v1")
        return APIModule(defaults)
    }

    @Test("the table of cases of descriptions holds through Swift", arguments: Case.all)
    func table(entry: Case) async throws {
        let server = Server()
        var request = try Request(entry.columns[1], relative: entry.columns[2])
        if entry.columns[3] == "json" { request.serializer = .json }
        var api = try APIDescription(request, module: Self.module())
        for parameter in try entry.parameters { try api.add(parameter) }
        let values = try JSONObject.parameters(entry.columns[5], "values").reduce(into: [:]) { $0[$1.name] = $1.value }
        guard entry.columns[9] != "OK" else {
            _ = try await server.client().call(api, values)
            let sent = try #require(server.seen.first)
            #expect(sent.urlString == "http://app.test\(entry.columns[6])")
            #expect(sent.headers["X-Test"] == entry.given(7))
            #expect(String(decoding: sent.bodyData, as: UTF8.self) == entry.given(8) ?? "")
            return
        }
        let error = #expect(throws: NetcoreError.self) { try api.request(values) }
        #expect(error.map { "\($0.code.name.dropFirst(12)) \($0.argument)" } == entry.columns[9])
        #expect(error?.applicationCode == .invalidRequest)
    }

    struct Post: Codable, Equatable { let id: Int; let title: String }

    struct GetPost: API, Encodable {
        typealias Model = Post
        static let path = "http://app.test/posts/{id}"
        static func configure(_ request: inout Request) throws { try request.setHeader("X-Test", "1") }
        let id: Int
        var page: Int?
    }

    struct DeletePost: API {
        typealias Model = Void
        static let method = "DELETE"
        static let path = "http://app.test/posts/{id}"
        static var described: [APIParameter] { get throws { [try APIParameter("id", type: "integer")] } }
        let id: String
        var parameters: [String: Parameter.Value] { ["id": .string(id)] }
    }

    @Test("an API as a type gives its model, has its defaults, and checks what it describes")
    func types() async throws {
        let server = Server("{\"id\":7,\"title\":\"Tea\"}")
        let client = try server.client()
        #expect(try await client.call(GetPost(id: 7)) == Post(id: 7, title: "Tea"))
        #expect(try client.callBlocking(GetPost(id: 8, page: 2)).title == "Tea")
        #expect(server.seen.map(\.urlString) == ["http://app.test/posts/7", "http://app.test/posts/8?page=2"])
        #expect(server.seen[0].headers["X-Test"] == "1")
        let error = await #expect(throws: NetcoreError.self) { try await client.call(DeletePost(id: "7")) }
        #expect(error?.code == .invalidParam && error?.argument == "id")
    }

    struct ListPosts: API {
        typealias Model = Response
        static let path = "/posts"
    }

    @Test("an API as a type is called in a module that is known only at run time")
    func modules() async throws {
        let server = Server("[]")
        let client = try server.client()
        for base in ["http://one.test/v1", "http://two.test"] {
            var defaults = try Request(relative: "")
            try defaults.setBaseURL(base)
            let module = APIModule(defaults)
            #expect(try await client.call(ListPosts(), in: module).status == 200)
            #expect(try client.callBlocking(ListPosts(), in: module).status == 200)
        }
        #expect(
            server.seen.map(\.urlString) == [
                "http://one.test/v1/posts", "http://one.test/v1/posts", "http://two.test/posts",
                "http://two.test/posts",
            ])
        #expect(throws: NetcoreError.self) { try client.callBlocking(ListPosts()) }
    }

    @Test("only 2xx is a success, unless the request or the client says otherwise")
    func success() async throws {
        let client = try Server(status: 404).client()
        let error = await #expect(throws: NetcoreError.self) { try await client.call(GetPost(id: 7)) }
        #expect(error?.code == .rejectedStatus && error?.applicationCode == .notFound)
        var request = try Request("GET", "http://app.test/")
        request.acceptedStatuses = nil
        #expect(try await client.call(APIDescription(request)).status == 404)
        try client.setRequestDefaults { $0.acceptedStatuses = try AcceptedStatuses("404") }
        #expect(try await client.call(APIDescription(Request("GET", "http://app.test/"))).status == 404)
    }

    @Test("an error table of an API goes before that of its module, and clashes are refused")
    func tables() async throws {
        var defaults = try Request(relative: "")
        try defaults.setBaseURL("http://app.test")
        defaults.errorTable = try ErrorTable(
            codeField: "/code", [.init(1001, value: "1", message: "One."), .init(1404, httpStatus: 404)])
        let module = APIModule(defaults)
        var request = try Request(relative: "/")
        request.errorTable = try ErrorTable([.init(1500, httpStatus: 404, message: "Gone.")])
        let api = try APIDescription(request, module: module)
        let first = await #expect(throws: NetcoreError.self) { _ = try await Server(status: 404).client().call(api) }
        #expect(first?.applicationCode == ApplicationCode(rawValue: 1500) && first?.userMessage == "Gone.")
        let second = await #expect(throws: NetcoreError.self) {
            _ = try await Server("{\"code\":1}").client().call(api)
        }
        #expect(second?.code == .rejectedCode && second?.userMessage == "One.")
        request.errorTable = try ErrorTable([.init(1500, httpStatus: 410, message: "Lost.")])
        let clash = #expect(throws: NetcoreError.self) { try APIDescription(request, module: module) }
        #expect(clash?.argument == "message")
        #expect(try APIDescription(request).parameters.isEmpty)
    }

    @Test("the tasks of a module are canceled together")
    func cancel() async throws {
        let table = StubTable()
        try table.add(Stub("GET", nil, StubAnswer(200, text: "", delay: .fixed(.seconds(60)))))
        let client = try Client()
        try client.setStubs(table)
        let module = try Self.module()
        let api = try APIDescription(Request(relative: "/"), module: module)
        let call = Task { try await client.call(api) }
        while module.taskCount == 0 { await Task.yield() }
        #expect(module.cancel() == 1)
        let error = await #expect(throws: NetcoreError.self) { _ = try await call.value }
        #expect(error?.cancelCause == .scope && error?.applicationCode == .canceled)
        module.close()
        await #expect(throws: NetcoreError.self) { _ = try await client.call(api) }
    }
}
