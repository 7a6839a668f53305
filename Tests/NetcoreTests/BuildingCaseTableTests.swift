import Netcore
import NetcoreCodable
import NetcoreHTTP
import TestSupport
import Testing

/// The table of cases of building requests that all doors share, through Swift; its head explains the steps.
@Suite struct BuildingCaseTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/building.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
            Case(columns: $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) })
        }.filter { !$0.columns.contains("not swift") }
    }

    /// A step: its word, all that is behind it, and that as two.
    struct Step {
        let word: String
        let rest, name, value: [UInt8]

        init(_ column: String, boundary: String = "") {
            let parts = Self.parted(Array(column.utf8))
            let pair = Self.parted(parts.1)
            word = String(decoding: parts.0, as: UTF8.self)
            rest = Self.decoded(parts.1, boundary)
            name = Self.decoded(pair.0, boundary)
            value = Self.decoded(pair.1, boundary)
        }

        var text: String { String(decoding: rest, as: UTF8.self) }
        var nameText: String { String(decoding: name, as: UTF8.self) }
        var valueText: String { String(decoding: value, as: UTF8.self) }

        private static func parted(_ bytes: [UInt8]) -> ([UInt8], [UInt8]) {
            let parts = bytes.split(separator: 0x20, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
            return (parts[0], parts.count > 1 ? parts[1] : [])
        }

        /// Puts bytes, hosts and a boundary in the place of what the table has for them.
        private static func decoded(_ bytes: [UInt8], _ boundary: String) -> [UInt8] {
            let names = [("$ORIGIN", host(Peers.origin)), ("$TLS", host(Peers.originTLS)), ("{boundary}", boundary)]
            var result: [UInt8] = []
            var rest = bytes[...]
            while let byte = rest.first {
                if let (name, value) = names.first(where: { rest.starts(with: $0.0.utf8) }) {
                    result += value.utf8
                    rest = rest.dropFirst(name.utf8.count)
                } else if rest.starts(with: #"\x"#.utf8),
                    let byte = UInt8(String(decoding: rest.dropFirst(2).prefix(2), as: UTF8.self), radix: 16)
                {
                    result.append(byte)
                    rest = rest.dropFirst(4)
                } else {
                    result.append(byte)
                    rest = rest.dropFirst()
                }
            }
            return result
        }

        static func host(_ url: String) -> String { String(url.split(separator: "/")[1]) }
    }

    /// A case on its way, with what was said of a request and of a part before it is made.
    struct Run {
        let client: Client
        var request: Request?
        var service: String?
        var fileName: String?
        var type: String?
        var partHeaders: [(name: String, value: String)] = []
    }

    struct Echo: Decodable {
        let target: String
        let headers: [[String]]
        let body: String

        /// Nil where there is no field of that name.
        func values(_ name: String) -> [String]? {
            let found = headers.filter { $0[0].lowercased() == name.lowercased() }.map { $0[1] }
            return found.isEmpty ? nil : found
        }
    }

    @Test("the table of cases of building requests holds through Swift", arguments: Case.all)
    func run(entry: Case) async throws {
        let steps = entry.columns.dropFirst().prefix { !$0.hasPrefix("=> ") }
        let expected = entry.columns.filter { $0.hasPrefix("=> ") }.map { String($0.dropFirst(3)) }
        let first = Step(expected[0])
        do {
            var run = Run(client: try client { $0.keepsCookies = true })
            for step in steps { try Self.apply(Step(step), to: &run) }
            let response = try await run.client.perform(#require(run.request))
            try Self.check(response, expected)
        } catch let error as NetcoreError {
            #expect(error.code.name == first.word && error.message.contains(first.text), "\(error)")
        }
    }

    private static func check(_ response: Response, _ expected: [String]) throws {
        // A HEAD, and what is beside /echo, have the final URL alone.
        let echo = try? response.decode(Echo.self)
        let boundary = echo?.values("Content-Type")?.first?.split(separator: "=").last ?? ""
        for column in expected {
            let step = Step(column, boundary: String(boundary))
            switch step.word {
            case "url": #expect(response.urlString == step.text)
            case "target": #expect(echo?.target == step.text)
            case "body": #expect(echo?.body == latin1(step.rest))
            case "field": #expect(echo?.values(step.nameText)?.joined(separator: ", ") == latin1(step.value))
            case "no_field": #expect(echo != nil && echo?.values(step.nameText) == nil)
            default: Issue.record("it was sent: \(column)")
            }
        }
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        bytes.reduce(into: "") { $0.unicodeScalars.append(Unicode.Scalar($1)) }
    }

    private static func apply(_ step: Step, to run: inout Run) throws {
        let (name, value) = (step.nameText, step.valueText)
        switch step.word {
        case "not": break
        case "service":
            let words = value.utf8.split(separator: 0x20, omittingEmptySubsequences: false).map {
                String(Substring($0))
            }
            try run.client.addService(
                name, environment: words[0], baseURL: words.count > 1 ? words[1] : "",
                cdnURL: words.count > 2 ? words[2] : nil)
        case "select_service": try run.client.selectService(name)
        case "select_environment": try run.client.selectEnvironment(name)
        case "common_header": try run.client.setCommonHeader(name, value)
        case "common_param": try run.client.setCommonParameter(name, .string(value))
        case "common_list": try run.client.addCommonParameter(name, .list(JSONObject.elements(value)))
        case "cookie":
            let host = Step.host(Peers.origin).split(separator: ":")[0]
            try run.client.setCookie(Cookie(name: name, value: value, domain: String(host)))
        case "named": run.service = step.text
        case "file_name": run.fileName = step.text
        case "type": run.type = step.text
        case "part_field": run.partHeaders.append((name, value))
        case "to": run.request = try Request(name, value)
        case "relative": run.request = try Request(name, relative: value, service: run.service)
        case "part":
            try run.request?.addPart(
                Part(name, .bytes(step.value), fileName: run.fileName, contentType: run.type, headers: run.partHeaders))
        default:
            var request = try #require(run.request)
            try apply(step, to: &request)
            run.request = request
        }
    }

    private static func apply(_ step: Step, to request: inout Request) throws {
        let (name, value) = (step.nameText, step.valueText)
        switch step.word {
        case "base": try request.setBaseURL(step.text)
        case "cdn": request.usesCDN = true
        case "https": request.usesHTTPS = true
        case "custom": request.isBare = true
        case "value": try request.setPathValue(name, value)
        case "param": request.addParameter(name, .string(value))
        case "int": request.addParameter(name, .integer(try #require(Int64(value))))
        case "double": request.addParameter(name, .double(try #require(Double(value))))
        case "bool": request.addParameter(name, .bool(value == "true"))
        case "null": request.addParameter(name, .null)
        case "list": request.addParameter(name, .list(try JSONObject.elements(value)))
        case "content_type": try request.setContentType(step.text)
        case "json": request.addParameter(name, .json(value))
        case "serializer": request.serializer = name == "json" ? .json : name == "query" ? .query : .form
        case "nesting": request.parameterNesting = name == "brackets" ? .brackets : .repeating
        case "header": try request.addHeader(name, value)
        case "body": try request.setBody(step.rest)
        case "basic": try request.setAuthentication(.basic(user: name, password: value))
        case "bearer": try request.setAuthentication(.bearer(step.text))
        case "no_cookies": request.usesCookies = false
        default: Issue.record("an unknown step: \(step.word)")
        }
    }
}
