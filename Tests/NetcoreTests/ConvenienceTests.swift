import Foundation
import Netcore
import NetcoreCodable
import Testing

/// What Swift programs may leave out.
@Suite struct ConvenienceTests {
    @Test("values of parameters are written as literals")
    func literals() {
        let number = 7
        let values: [Parameter.Value] = ["a", "n\(number)", 5, -5, 1.5, true, nil]
        let meant: [Parameter.Value] = [
            .string("a"), .string("n7"), .integer(5), .integer(-5), .double(1.5), .bool(true), .null,
        ]
        #expect(values.map { "\($0)" } == meant.map { "\($0)" })
    }

    @Test("a code is printed as its name, and an error's localized description is its message")
    func errors() throws {
        let error = try #require(throws: NetcoreError.self) { try Request("GET", "ftp://h/") }
        #expect("\(error.code)" == error.code.name && "\(error.code)".hasPrefix("NETCORE_ERR_"))
        #expect((error as any Error).localizedDescription == error.message)
    }
}
