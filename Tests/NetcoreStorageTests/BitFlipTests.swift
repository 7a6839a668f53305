import Glibc
import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("Damaged files", .serialized)
struct BitFlipTests {
    private static let files = ["cache.db", "cache.db-wal"]

    /// What is stored under a number: texts that pack, noise that does not, small, middling and large.
    private static let bodies: [[UInt8]] = (0..<60).map { number in
        switch number % 4 {
        case 0: Array("body \(number)".utf8)
        case 1: Array(repeating: UInt8(number), count: 20_000)
        case 2: noise(9000, seed: UInt64(number + 1))
        default: noise(70_000, seed: UInt64(number + 1))
        }
    }

    /// A copy of a store as it is found after a kill: part of it in the database, part in its log.
    private static func original() -> [String: [UInt8]] {
        let folder = TemporaryFolder()
        let store = DiskStore(path: folder.path)
        for number in 0..<40 { store.store(record("\(number)", head: "head \(number)", body: bodies[number])) }
        store.flush()
        store.close()
        let again = DiskStore(path: folder.path)
        for number in 20..<60 {
            again.store(record("\(number)", order: 2, head: "head \(number)", body: bodies[number]))
        }
        again.flush()
        var files: [String: [UInt8]] = [:]
        for name in Self.files { files[name] = TemporaryFolder.bytes(of: folder.path + "/" + name) }
        for name in TemporaryFolder.names(in: folder.path + "/bodies") where !name.hasSuffix(".owner") {
            files["bodies/" + name] = TemporaryFolder.bytes(of: folder.path + "/bodies/" + name)
        }
        again.close()
        return files
    }

    private static func damage(_ files: [String: [UInt8]], _ draws: [UInt8]) -> [String: [UInt8]] {
        var files = files
        let number = draws.reduce(0) { ($0 &* 257 &+ Int(draws[0]) &+ Int($1)) & Int.max }
        let bodies = files.keys.filter { $0.hasPrefix("bodies/") }.sorted()
        let name = draws[0] % 5 == 4 ? bodies[number % bodies.count] : Self.files[Int(draws[0]) % 2]
        guard var bytes = files[name] else { return files }
        let place = number % bytes.count
        if draws[1] % 8 == 0 {
            bytes.removeSubrange(place...)
        } else {
            bytes[draws[1] % 8 == 1 ? place % 4096 : place] ^= 1 << (draws[2] % 8)
        }
        files[name] = bytes
        return files
    }

    @Test("500 flips and truncations are found, or change nothing: no wrong byte is served, and storing goes on")
    func flips() {
        let original = Self.original()
        let draws = noise(500 * 16, seed: 99)
        var served = 0
        let events = Events()
        for round in 0..<500 {
            let folder = TemporaryFolder()
            mkdir(folder.path + "/bodies", 0o700)
            let damaged = Self.damage(original, Array(draws[round * 16..<round * 16 + 16]))
            for (name, bytes) in damaged { TemporaryFolder.write(bytes, to: folder.path + "/" + name) }
            withStore(folder, options(events)) { store in
                for number in 0..<60 {
                    guard let found = store.find("\(number)") else { continue }
                    served += 1
                    #expect(array(found.body) == Self.bodies[number], "round \(round), key \(number)")
                    #expect(array(found.head) == Array("head \(number)".utf8), "round \(round), key \(number)")
                }
                // Whatever is found while writing is put right by then.
                for number in 0..<3 { store.store(record("new \(number)"), synchronously: true) }
                store.store(record("last", body: Self.bodies[3]), synchronously: true)
                #expect(store.body("last") == Self.bodies[3], "round \(round)")
            }
        }
        #expect(served > 10_000 && events.all.count > 100)
        #expect(events.setAside.count > 5, "\(events.setAside.count) of \(events.all.count), \(served) served")
    }
}
