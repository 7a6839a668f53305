import CSQLite
import Glibc
@testable import NetcoreStorage
import NetcoreSupport
import Testing

/// A folder in which somebody else writes, too: rows that no store wrote, with checksums that are right.
struct CraftedFolder {
    let folder = TemporaryFolder()

    var bodies: String { folder.path + "/bodies" }

    /// The names of the files of bodies.
    var files: [String] { TemporaryFolder.names(in: bodies).filter { !$0.hasSuffix(".owner") } }

    /// Changes all entries, as in `UPDATE entry SET …`, and makes their checksums right.
    func change(_ assignments: String) throws {
        let connection = try SQLiteConnection(folder.path + "/cache.db", .writing, busyMilliseconds: 1000)
        try connection.execute("UPDATE entry SET \(assignments)")
        let rows = try SQLiteStatement(connection, "SELECT \(EntryRow.columns) FROM entry")
        var sums: [(id: Int64, sum: Int64)] = []
        while try rows.step() {
            let row = try #require(EntryRow(rows))
            sums.append((row.id, row.checksum))
        }
        for (id, sum) in sums { try connection.execute("UPDATE entry SET sum = \(sum) WHERE id = \(id)") }
    }

    /// Writes totals with a right checksum.
    func setTotals(count: Int64, bytes: Int64, clock: Int64) throws {
        let connection = try SQLiteConnection(folder.path + "/cache.db", .writing, busyMilliseconds: 1000)
        let replace = try SQLiteStatement(
            connection, "INSERT OR REPLACE INTO totals (id, count, bytes, clock, sum) VALUES (1, ?1, ?2, ?3, ?4)")
        try Totals(count: count, bytes: bytes, clock: clock).write(replace)
    }

    /// Runs statements on the database as it is.
    func run(_ statements: String) throws {
        try SQLiteConnection(folder.path + "/cache.db", .writing, busyMilliseconds: 1000).execute(statements)
    }
}
