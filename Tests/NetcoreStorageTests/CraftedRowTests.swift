import Glibc
@testable import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("Rows that somebody else wrote, with right checksums")
struct CraftedRowTests {
    private let crafted = CraftedFolder()
    private let events = Events()

    private static let numbers = [
        ("sent", Int64.max), ("sent", .min), ("wall", .max), ("wall", .min), ("uptime", .max), ("uptime", .min),
        ("uptime", -1), ("fresh", .max), ("fresh", .min), ("size", .max), ("size", -1), ("body_size", -1),
        ("body_size", .max), ("body_size", 1 << 40), ("stored_size", -1), ("stored_size", .max), ("coding", -1),
        ("coding", 2), ("coding", .max),
    ]

    @Test(
        "a number that no store writes is damage: told once, removed, and the key can be stored anew",
        arguments: numbers)
    func outOfRange(column: String, value: Int64) throws {
        withStore(crafted.folder) { store in
            store.store(record("small"))
            store.store(record("packed", body: Array(repeating: 65, count: 3000)))
            store.store(record("large", body: noise(100_000)))
        }
        try crafted.change("\(column) = \(value)")
        withStore(crafted.folder, options(events)) { store in
            for key in ["small", "packed", "large"] {
                if case .damaged = store.load(StoreKey(key), select: { _ in 0 }) {} else { Issue.record("\(key)") }
            }
            store.flush()
            #expect(store.currentStatistics.count == 0 && events.all.count == 3, "\(events.all)")
            #expect(store.store(record("small"), synchronously: true) && store.has("small"))
        }
    }

    @Test("the list leaves such rows out, and has them removed")
    func list() throws {
        withStore(crafted.folder) { store in
            for number in 0..<5 { store.store(record("\(number)")) }
        }
        try crafted.change("wall = 9223372036854775807")
        withStore(crafted.folder, options(events)) { store in
            store.store(record("good"))
            #expect(store.entries(limit: 2).map(\.key) == ["good"])
            store.flush()
            #expect(events.all.count == 5 && store.currentStatistics.count == 1)
        }
    }

    private func rowCount() throws -> Int64 {
        try SQLiteConnection(crafted.folder.path + "/cache.db", .writing, busyMilliseconds: 1000)
            .integer("SELECT count(*) FROM entry")
    }

    @Test(
        "a text that is not UTF-8 is damage: the first list has the row removed, and says so once",
        arguments: ["key", "variant", "url", "tag", "scope", "file"])
    func notUTF8(column: String) throws {
        withStore(crafted.folder) { store in
            store.store(record("small"))
            store.store(record("large", body: noise(100_000)))
        }
        try crafted.change("\(column) = CAST(x'61FF62' AS TEXT)")
        try withStore(crafted.folder, options(events)) { store in
            #expect(store.entries().isEmpty)
            store.flush()
            let left = try rowCount()
            #expect(left == 0 && events.all.count == 2, "\(events.all)")
            #expect(store.entries().isEmpty && !store.has("small"))
            #expect(events.all.count == 2 && store.currentStatistics.count == 0)
            #expect(store.store(record("small"), synchronously: true) && store.has("small"))
        }
    }

    @Test("a row whose variant is not UTF-8 is not served either")
    func variantNotUTF8() throws {
        withStore(crafted.folder) { $0.store(record("a")) }
        try crafted.change("variant = x'FF'")
        withStore(crafted.folder, options(events)) { store in
            if case .damaged = store.load(StoreKey("a"), select: { _ in 0 }) {} else { Issue.record("not damaged") }
            store.flush()
            #expect(store.currentStatistics.count == 0 && events.all.count == 1)
        }
    }

    @Test(
        "a checksum that is no integer is damage once: the row is removed",
        arguments: ["'x'", "1e300", "x'FF'", "'12'", "0.5"])
    func sums(value: String) throws {
        withStore(crafted.folder) { $0.store(record("a")) }
        try crafted.run("UPDATE entry SET sum = \(value)")
        try withStore(crafted.folder, options(events)) { store in
            #expect(!store.has("a"))
            store.flush()
            let left = try rowCount()
            #expect(left == 0 && !store.has("a") && events.all.count == 1)
        }
    }

    @Test("uses and hits may be any numbers", arguments: [Int64.max, .min, -1])
    func uses(value: Int64) throws {
        withStore(crafted.folder) { $0.store(record("a")) }
        try crafted.change("used = \(value), hits = \(value)")
        withStore(crafted.folder) { store in
            #expect(store.has("a") && store.store(record("b"), synchronously: true))
            #expect(store.entries().count == 2)
        }
        withStore(crafted.folder) { #expect($0.has("a") && $0.has("b")) }
    }

    @Test(
        "totals may say anything: storing and evicting go on",
        arguments: [
            (Int64.max, Int64.max, Int64.max), (0, 0, .max), (0, .max, 0), (.max, 0, 0), (-1, -1, -1), (0, 0, 1 << 62),
            (1 << 56, 1 << 56, 0), (0, 0, 0),
        ])
    func totals(count: Int64, bytes: Int64, clock: Int64) throws {
        withStore(crafted.folder) { store in
            for number in 0..<10 { store.store(record("\(number)")) }
        }
        try crafted.setTotals(count: count, bytes: bytes, clock: clock)
        for round in 0..<2 {
            withStore(crafted.folder, options(events) { $0.limits.count = 8 }) { store in
                for number in 0..<20 {
                    #expect(store.store(record("new \(round) \(number)"), synchronously: true))
                    _ = store.has("0")
                }
                #expect(store.has("new \(round) 19"))
            }
        }
        #expect(events.all.isEmpty)
    }

    @Test("sizes of rows that no store writes do not upset the count of all")
    func sizes() throws {
        withStore(crafted.folder) { store in
            for number in 0..<10 { store.store(record("\(number)", tag: "t")) }
        }
        try crafted.run("UPDATE entry SET size = 9223372036854775807; DELETE FROM totals")
        withStore(crafted.folder, options(events)) { store in
            #expect(store.currentStatistics.count == 10)
            store.clear(.tag("t"), synchronously: true)
            #expect(store.store(record("a"), synchronously: true) && store.has("a"))
            #expect(store.currentStatistics.count == 1)
        }
        #expect(events.all.isEmpty)
    }

    @Test("an answer is not read when it is larger than the store may be")
    func tooLarge() throws {
        withStore(crafted.folder) { $0.store(record("a", body: noise(100_000))) }
        withStore(crafted.folder, options(events) { $0.limits.bytes = 50_000 }) { #expect(!$0.has("a")) }
        #expect(events.all.isEmpty)
    }
}
