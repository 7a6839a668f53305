@testable import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("SQLite, loaded when it is needed")
struct SQLiteTests {
    @Test("it is one with upserts and returning clauses")
    func version() throws {
        let version = try SQLiteConnection(":memory:", .reading, busyMilliseconds: 0).text("SELECT sqlite_version()")
        let parts = version.split(separator: ".").compactMap { Int($0) }
        #expect(parts.lexicographicallyPrecedes([3, 35]) == false)
    }

    @Test(
        "a library that is not there, or lacks a function, is an error that names both, after which storing is tried again",
        arguments: [("libno-sqlite3.so.0", "No such file"), ("libc.so.6", "sqlite3_initialize")])
    func unusable(library: String, missing: String) throws {
        let error = try #require(throws: SQLiteError.self) { _ = try SQLite.load(library) }
        #expect(error.message.contains(library) && error.message.contains(missing))
        #expect(error.kind == .refused)
    }
}
