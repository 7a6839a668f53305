internal import NetcoreSupport

/// What the database holds in all, kept in addition to the entries, so that they need not be counted.
struct Totals {
    var count: Int64 = 0
    var bytes: Int64 = 0
    /// Goes up by one for each use and each answer stored: the order of eviction. No store counts to the end of
    /// ``StoredRange/clock``: beyond it the writer begins anew.
    var clock: Int64 = 0

    mutating func add(_ size: Int64) {
        count = count.adding(saturating: 1)
        bytes = bytes.adding(saturating: size)
    }

    mutating func remove(_ size: Int64) {
        count = max(count.subtracting(saturating: 1), 0)
        bytes = max(bytes.subtracting(saturating: size), 0)
    }

    mutating func tick() -> Int64 {
        clock = clock.adding(saturating: 1)
        return clock
    }

    private var checksum: Int64 {
        var sum = Checksum()
        for number in [count, bytes, clock] { sum.add(number) }
        return Int64(sum.value)
    }

    private var isSound: Bool {
        StoredRange.total.contains(count) && StoredRange.total.contains(bytes) && clock >= 0
    }

    /// Reads them; counts anew where they are missing or damaged.
    static func read(_ connection: SQLiteConnection, _ select: SQLiteStatement) throws(SQLiteError) -> Totals {
        defer { select.reset() }
        if try select.step() {
            let totals = Totals(count: select.integer(0), bytes: select.integer(1), clock: select.integer(2))
            if totals.isSound, totals.checksum == select.integer(3) { return totals }
        }
        return try counted(connection)
    }

    static func counted(_ connection: SQLiteConnection) throws(SQLiteError) -> Totals {
        let row = try SQLiteStatement(
            connection,
            // total() does not overflow, whatever the rows say.
            """
            SELECT count(*), CAST(total(min(max(size, 0), \(StoredRange.size.upperBound))) AS INTEGER),
              ifnull(max(used), 0) FROM entry
            """)
        guard try row.step() else { return Totals() }
        return Totals(
            count: row.integer(0), bytes: min(max(row.integer(1), 0), StoredRange.total.upperBound),
            clock: max(row.integer(2), 0))
    }

    func write(_ replace: SQLiteStatement) throws(SQLiteError) {
        replace.bind(count, bytes, clock, checksum)
        try replace.run()
    }
}
