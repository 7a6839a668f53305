import Netcore
import TestSupport
import Testing

@Suite struct CaseTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static let all = Peers.lines(of: "Tests/Cases/cases.tsv").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
            Case(columns: $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init))
        }
    }

    @Test("the table of cases holds through Swift", arguments: Case.all)
    func run(entry: Case) async throws {
        let columns = entry.columns
        var request = try Request(columns[2], Peers.variable(columns[1]) + columns[3])
        if columns[4] != "-" { try request.setBody(Array(columns[4].utf8)) }
        let client = try client()
        let ends = Collector<Result<Response, NetcoreError>>()
        try client.dispatch(request) { ends.add($0) }
        switch ends.wait(for: 1)[0] {
        case .failure(let error): #expect(error.code.name == columns[5])
        case .success(let response):
            #expect(columns[5] == "NETCORE_OK")
            #expect("\(response.status)" == columns[6])
            if columns[7] != "-" { #expect("\(response.version?.rawValue ?? 0)" == columns[7]) }
            if columns[8] != "-" { #expect("size:\(response.body.count)" == columns[8]) }
        }
    }
}
