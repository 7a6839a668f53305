@testable import Netcore
import NetcoreHTTP
import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("Stored heads that somebody else wrote, with right checksums")
struct CraftedHeadTests {
    private let folder = ModelFolder()
    private let clock = ModelClock()

    private func bench() throws -> CacheBench { try CacheBench(clock: clock) { $0.folder = folder.path } }

    /// Stores an answer and puts a changed one in its place: of head and body as they are on disk.
    private func craft(
        _ fields: [String] = ["Cache-Control: max-age=60", "ETag: \"a\""], part: Bool = false,
        _ change: (String) -> String
    ) throws {
        try craft(fields, part: part, bytes: { Array(change(String(decoding: $0, as: UTF8.self)).utf8) })
    }

    private func craft(_ fields: [String], part: Bool = false, bytes change: ([UInt8]) -> [UInt8]) throws {
        let first = try bench()
        if part {
            try first.get([("Range", "bytes=0-4")]) {
                $0.answer(206, fields + ["Content-Range: bytes 0-4/10"], "12345")
            }
        } else {
            try first.store(fields)
        }
        first.client.destroy()
        first.cache.flush()
        let store = DiskStore(path: folder.path)
        defer { store.close() }
        let key = StoreKey(try #require(store.entries().first).key)
        guard case .found(var record) = store.load(key, select: { _ in 0 }) else {
            Issue.record("nothing is stored")
            return
        }
        let head = ByteBuffer()
        change(Array(record.head.bytes)).withUnsafeBytes { _ = head.append($0) }
        record.head = head
        record.order += 1
        #expect(store.store(record, synchronously: true))
    }

    /// A head with another number at a place of its first line.
    private static func replacing(_ head: String, at place: Int, with number: String) -> String {
        let line = head.prefix { $0 != "\n" }
        var words = line.split(separator: " ").map(String.init)
        words[2 + place] = number
        return words.joined(separator: " ") + head.dropFirst(line.count)
    }

    /// Nothing of it is served; asking again brings the answer, which is stored.
    private func expectDamaged(_ comment: Comment, _ fields: [(String, String)] = []) throws {
        let second = try bench()
        #expect(try second.get(fields).text == "new", comment)
        #expect(try second.get().text == "new", comment)
        #expect(second.transport.count == 1, comment)
        second.client.destroy()
    }

    private static let numbers: [(place: Int, number: String)] = [
        (0, "-2147483648"), (0, "0"), (0, "199"), (0, "600"), (0, "206"), (0, "9223372036854775807"), (1, "2147483648"),
        (2, "9223372036854775807"), (2, "-9223372036854775808"), (3, "-9223372036854775808"), (3, "-1"),
        (5, "9223372036854775807"), (5, "-9223372036854775808"), (6, "9223372036854775807"), (6, "-1"),
        (8, "9223372036854775807"), (9, "2"), (9, "-1"), (10, "-1"), (10, "4294967296"), (11, "-1"),
        (11, "9223372036854775807"), (12, "4611686018427387904"), (13, "9223372036854775807"), (15, "0"),
        (15, "9223372036854775807"), (15, "4611686018427387904"), (4, "99999999999999999999"),
    ]

    @Test("a number that no cache writes is damage, and the request goes to the origin", arguments: numbers)
    func outOfRange(place: Int, number: String) throws {
        try craft { Self.replacing($0, at: place, with: number) }
        try expectDamaged("\(place): \(number)")
    }

    @Test("one that is as it was written is served", arguments: [false, true])
    func untouched(part: Bool) throws {
        try craft(part: part) { $0 }
        let second = try bench()
        let found = try second.get(part ? [("Range", "bytes=0-4")] : [])
        #expect(found.cacheResult == .hit && found.text == (part ? "12345" : "old") && second.transport.count == 0)
        second.client.destroy()
    }

    @Test("a text that is not UTF-8 is damage: it is not repaired", arguments: [11, 12, 13])
    func notUTF8(place: Int) throws {
        try craft(
            ["Cache-Control: max-age=60"],
            bytes: { head in
                let line = head.prefix { $0 != 0x0A }
                let numbered = Self.replacing(String(decoding: line, as: UTF8.self), at: place, with: "2")
                return Array(numbered.utf8) + [0x0A, 0xC3, 0x28] + head[(line.count + 1)...]
            })
        let second = try bench()
        let found = try second.get { $0.answer(200, [], "new") }
        #expect(found.cacheResult == .damaged && found.text == "new")
        second.cache.flush()
        #expect(second.cache.entries().isEmpty)
        second.client.destroy()
    }

    private static let parts: [(place: Int, number: String)] = [
        (15, "9223372036854775807"), (15, "4611686018427387904"), (15, "2"), (16, "-1"), (16, "5"), (16, "9"),
        (17, "90000"), (17, "9223372036854775807"), (17, "4"), (17, "6"), (14, "3"), (0, "200"), (15, "-1"),
    ]

    @Test("parts that are not as long as the stored bytes are damage: no other memory is read", arguments: parts)
    func wrongParts(place: Int, number: String) throws {
        try craft(part: true) { Self.replacing($0, at: place, with: number) }
        try expectDamaged("\(place): \(number)", [("Range", "bytes=0-4")])
    }

    @Test(
        "a field that no origin can send is damage",
        arguments: ["X-A\0b\r\nX-B: c\0", "X A\0b\0", "\0b\0", "X-A\0b", "X-A\0\u{1}\0"])
    func fields(field: String) throws {
        try craft { $0 + field }
        try expectDamaged("\(field)")
    }

    @Test(
        "dates and ages at the ends of what can be said make an answer stale, or fresh, and nothing else",
        arguments: [
            "Date\0Sat, 01 Jan 0000 00:00:00 GMT\0", "Date\0Fri, 31 Dec 9999 23:59:59 GMT\0", "Age\02147483648\0",
            "Age\099999999999999999999\0", "Expires\0Fri, 31 Dec 9999 23:59:59 GMT\0",
            "Last-Modified\0Sat, 01 Jan 0000 00:00:00 GMT\0",
        ],
        [Int64.min, -(1 << 53), 0, 1 << 53, .max])
    func dates(field: String, wall: Int64) throws {
        try craft(["ETag: \"a\""]) { head in
            let times = [2, 5].reduce(head) { Self.replacing($0, at: $1, with: "\(wall)") }
            return Self.replacing(times, at: 4, with: "99") + field
        }
        let second = try bench()
        let found = try second.get { $0.answer(200, ["Cache-Control: max-age=60"], "new") }
        #expect(["old", "new"].contains(found.text))
        second.client.destroy()
    }

    @Test("a time to live may be any duration that is not negative", arguments: [Duration.seconds(Int64.max), .zero])
    func timeToLive(duration: Duration) throws {
        let bench = try bench()
        for _ in 0..<2 {
            #expect(try bench.get(with: { $0.cacheOptions.timeToLive = duration }).text == "new")
        }
        #expect(bench.cache.entries().count <= 1)
        #expect(throws: NetcoreError.self) { try bench.get(with: { $0.cacheOptions.timeToLive = .seconds(Int64.min) }) }
        bench.client.destroy()
    }

    @Test("values that say they are as large as can be do not upset the memory level")
    func costs() throws {
        let bench = try bench()
        try bench.store()
        for size in [Int.max, Int.max, -1] {
            #expect(try #require(bench.get().response).setCachedValue("value", size: size))
        }
        #expect(bench.cache.statistics.memoryBytes >= 0)
        bench.client.destroy()
    }
}
