import CSQLite
import Glibc
import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("A folder that several use")
struct DiskStoreSharingTests {
    let folder = TemporaryFolder()

    private func integrity() -> String {
        var handle: OpaquePointer?
        sqlite3_open(folder.path + "/cache.db", &handle)
        defer { sqlite3_close(handle) }
        var statement: OpaquePointer?
        sqlite3_prepare_v2(handle, "PRAGMA integrity_check", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        return sqlite3_step(statement) == SQLITE_ROW ? String(cString: sqlite3_column_text(statement, 0)) : "none"
    }

    @Test("what one stores the other finds, and what one removes is gone for both")
    func two() {
        withStore(folder) { first in
            withStore(folder) { second in
                first.store(record("a"), synchronously: true)
                #expect(second.has("a"))
                second.store(record("a", order: 2, body: noise(100_000)), synchronously: true)
                #expect(first.body("a") == noise(100_000))
                first.store(record("a", order: 1), synchronously: true)
                #expect(second.body("a") == noise(100_000))
                first.clear(.all, synchronously: true)
                #expect(!second.has("a"))
            }
        }
    }

    @Test("when one sets the database aside, the other goes on with the fresh one")
    func oneSetsAside() {
        let events = Events()
        withStore(folder, options(events)) { first in
            first.store(record("a"), synchronously: true)
            #expect(first.has("a"))
            rename(folder.path + "/cache.db", folder.path + "/elsewhere")
            withStore(folder, options(events)) { second in
                second.store(record("b"), synchronously: true)
                first.store(record("c"), synchronously: true)
                #expect(second.has("c") && first.has("b") && first.has("c") && !first.has("a"))
            }
        }
        #expect(events.all.isEmpty && integrity() == "ok")
    }

    /// Bodies that say themselves under which key, and by whom, they were stored.
    private static func body(_ key: Int, _ writer: Int, _ round: Int) -> [UInt8] {
        let line = Array("\(key) \(writer) \(round);".utf8)
        let count = key % 5 == 0 ? 80_000 / line.count : 1 + round % 50
        return Array((0..<count).flatMap { _ in line })
    }

    @Test("four threads and two stores write, read and clear at once: each answer found is one that was stored")
    func threads() {
        let events = Events()
        let stores = (0..<2).map { _ in DiskStore(path: folder.path, options: options(events)) }
        let wrong = Events()
        let threads = (0..<4).compactMap { writer in
            Thread(name: "test") {
                let store = stores[writer % 2]
                let draws = noise(1200, seed: UInt64(writer + 1))
                for (round, draw) in draws.enumerated() {
                    let key = Int(draw) % 20
                    switch draw / 20 {
                    case 0..<5:
                        store.store(
                            record("\(key)", order: Int64(round), body: Self.body(key, writer, round)),
                            packing: draw % 2 == 0)
                    case 5: store.remove(StoreKey("\(key)"))
                    case 6 where round % 100 == 0: store.clear(.all)
                    default:
                        guard let body = store.body("\(key)") else { continue }
                        let line = body.prefix { $0 != UInt8(ascii: ";") } + [UInt8(ascii: ";")]
                        let isWhole =
                            body.count % line.count == 0
                            && (0..<body.count / line.count).allSatisfy {
                                body[$0 * line.count..<($0 + 1) * line.count].elementsEqual(line)
                            }
                        if !isWhole || !line.starts(with: "\(key) ".utf8) { wrong.add(.storingResumed) }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        for store in stores { store.close() }
        #expect(threads.count == 4 && wrong.all.isEmpty && events.all.isEmpty, "\(events.all)")
        #expect(integrity() == "ok")
        withStore(folder) { store in
            let listed = store.entries(limit: 1000)
            #expect(store.currentStatistics.count == listed.count)
            #expect(store.currentStatistics.bytes == listed.reduce(0) { $0 + $1.size })
        }
    }

    @Test("a reader keeps its snapshot while another replaces the entry")
    func snapshot() {
        withStore(folder) { first in
            first.store(record("a", body: noise(100_000)), synchronously: true)
            withStore(folder) { second in
                let result = first.load(StoreKey("a")) { _ in
                    second.store(record("b"), synchronously: true)
                    return 0
                }
                #expect(result.body == noise(100_000))
                // Its file is gone by the time that it is opened: it looks again, and finds the new answer.
                let again = first.load(StoreKey("a")) { heads in
                    if heads[0].order == 1 {
                        second.store(record("a", order: 2, body: noise(90_000)), synchronously: true)
                    }
                    return 0
                }
                #expect(again.body == noise(90_000))
                #expect(first.currentStatistics.damaged == 0)
            }
        }
    }

    @Test("files without a row are swept when their owner is gone, and not before")
    func orphans() {
        let bodies = folder.path + "/bodies/"
        withStore(folder) { store in
            store.store(record("a", body: noise(100_000)), synchronously: true)
            let owner = TemporaryFolder.names(in: bodies).first { $0.hasSuffix(".owner") }.map { String($0.prefix(16)) }
            let living = (owner ?? "") + "-00000000000000aa"
            TemporaryFolder.write([1], to: bodies + living)
            TemporaryFolder.write([1], to: bodies + "0123456789abcdef-00000000000000aa")
            TemporaryFolder.write([1], to: bodies + "0123456789abcdef-00000000000000ab.part")
            TemporaryFolder.write([], to: bodies + "0123456789abcdef.owner")
            withStore(folder) { second in
                // Each is a turn of the storage thread, which looks at some files.
                for _ in 0..<5 { second.flush() }
                let left = TemporaryFolder.names(in: bodies)
                #expect(left.count == 3 && left.contains(living), "\(left)")
                #expect(second.body("a") == noise(100_000))
            }
        }
        withStore(folder) { store in
            for _ in 0..<5 { store.flush() }
            #expect(TemporaryFolder.names(in: bodies).count == 1)
            #expect(store.body("a") == noise(100_000))
        }
    }
}
