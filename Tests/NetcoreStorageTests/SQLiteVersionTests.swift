import NetcoreStorage
import Testing

@Test("SQLite is one with upserts and returning clauses")
func version() {
    let parts = SQLiteVersion.string.split(separator: ".").compactMap { Int($0) }
    #expect(parts.lexicographicallyPrecedes([3, 35]) == false)
}
