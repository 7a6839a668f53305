import NetcoreHTTP
import NetcoreSupport
import TestSupport
import Testing

/// Errors for people.
@Suite struct UserErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let columns: [String]
        var testDescription: String { columns[0] }

        static func all(_ table: String) -> [Case] {
            Peers.lines(of: "Tests/Cases/\(table)").filter { !$0.hasPrefix("#") && !$0.isEmpty }.map {
                Case(columns: $0.utf8.split(separator: UInt8(ascii: "\t")).map { String(Substring($0)) })
            }
        }

        func given(_ column: Int) -> String? { columns[column] == "-" ? nil : columns[column] }

        /// "code value status message ;; …"
        var rows: [ErrorTable.Row] {
            get throws {
                var result: [ErrorTable.Row] = []
                var rest = Substring(given(5) ?? "")
                while !rest.isEmpty {
                    let place = rest.firstRange(of: " ;; ")
                    let text = rest[..<(place?.lowerBound ?? rest.endIndex)]
                    let words = text.split(separator: " ", maxSplits: 3).map { String($0) }
                    result.append(
                        ErrorTable.Row(
                            try #require(Int32(words[0])), value: words[1] == "-" ? nil : words[1],
                            httpStatus: try #require(Int(words[2])), message: words[3] == "-" ? nil : words[3]))
                    rest = place.map { rest[$0.upperBound...] } ?? ""
                }
                return result
            }
        }
    }

    @Test("the table of cases of errors holds through Swift", arguments: Case.all("errors.tsv"))
    func table(entry: Case) throws {
        ErrorCatalogue.set(ApplicationCode(rawValue: 1999), "From the catalogue.")
        var rules = ResponseRules()
        rules.statuses = try entry.given(1).map { try AcceptedStatuses($0) }
        rules.errors = try ErrorTable(
            codeField: entry.given(2), messageField: entry.given(3),
            success: entry.given(4)?.split(separator: ",").map { String($0) } ?? [], entry.rows)
        let body = Array((entry.given(7) ?? "").utf8).withUnsafeBytes { ByteBuffer(copying: $0) }
        let response = Response(
            url: try HTTPURL("http://app.test/"), status: try #require(Int(entry.columns[6])), fields: FieldBlock(),
            body: try #require(body))
        guard let error = rules.objection(to: response) else {
            #expect(entry.columns[8] == "OK")
            return
        }
        #expect(error.code.name == "NETCORE_ERR_\(entry.columns[8])")
        #expect(String(error.applicationCode.rawValue) == entry.columns[9])
        #expect(error.userMessage == entry.given(10) ?? "")
    }

    @Test("statuses have the general codes of the table", arguments: Case.all("codes.tsv"))
    func codes(entry: Case) throws {
        let row = try #require(
            NetcoreError.Code.table.first { $0.name.description == "NETCORE_ERR_\(entry.columns[0])" })
        let code = ApplicationCode(row.code, httpStatus: try #require(Int(entry.columns[1])))
        #expect(String(code.rawValue) == entry.columns[3])
        #expect(ErrorCatalogue.message(code) != nil)
    }

    @Test(
        "the template of a path",
        arguments: [
            ("/users/{id}?x=1", "/users/{id}"), ("users", "/users"), ("https://h:1/a/{b}#c", "/a/{b}"),
            ("http://h", "/"),
            ("", "/"), ("?a=http://x", "/"),
        ])
    func templates(given: String, path: String) { #expect(PathTemplate.path(of: given) == path) }
}
