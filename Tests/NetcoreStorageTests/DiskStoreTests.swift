import Glibc
import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("The disk tier")
struct DiskStoreTests {
    let folder = TemporaryFolder()

    @Test("an answer survives a restart, with all that belongs to it", arguments: [4, 1000, 100_000, 1_000_000])
    func restart(size: Int) throws {
        let random = noise(size)
        let text = Array(String(repeating: "netcore ", count: size / 8 + 1).utf8)
        let stored = record("a", variant: "v", tag: "t", scope: "s", body: random)
        withStore(folder) { store in
            store.store(stored)
            store.store(record("b", body: text))
        }
        try withStore(folder) { store in
            let found = try #require(store.find("a"))
            #expect(array(found.body) == random && array(found.head) == Array("head".utf8))
            #expect(found.variant == "v" && found.tag == "t" && found.scope == "s" && found.url == stored.url)
            #expect(found.order == 1 && found.storedAt == stored.storedAt && found.identity == stored.identity)
            #expect(store.body("b") == text)
            #expect(!store.has("c"))
            let statistics = store.currentStatistics
            #expect(statistics.hits == 2 && statistics.misses == 1 && statistics.count == 2)
            #expect(statistics.bytesServed == random.count + text.count)
        }
    }

    @Test("what compresses is stored compressed, unless it is said to be packed already")
    func compression() {
        withStore(folder) { store in
            store.store(record("a", body: Array(repeating: 65, count: 100_000)))
            store.flush()
            #expect(store.currentStatistics.bytes < 2000)
            store.store(record("b", body: Array(repeating: 65, count: 100_000)), packing: false)
            store.flush()
            #expect(store.currentStatistics.bytes > 100_000)
        }
    }

    @Test("an answer is seen before it is written, and a removal too")
    func overlay() {
        withStore(folder) { store in
            for number in 0..<200 {
                store.store(record("\(number)"))
                #expect(store.has("\(number)"))
                if number % 2 == 0 {
                    store.remove(StoreKey("\(number)"))
                    #expect(!store.has("\(number)"))
                }
            }
            store.clear(.urlPrefix("http://a.test/1"))
            #expect(!store.has("1") && !store.has("11") && store.has("3"))
            store.store(record("1"))
            #expect(store.has("1"))
            store.flush()
            #expect(store.has("1") && !store.has("11") && store.has("3") && !store.has("4"))
        }
    }

    @Test("a synchronous store says that it was written")
    func synchronous() {
        withStore(folder) { store in
            #expect(store.store(record("a"), synchronously: true))
            #expect(store.currentStatistics.count == 1)
        }
    }

    @Test("an older answer never overwrites a newer one", arguments: [false, true])
    func order(written: Bool) {
        withStore(folder) { store in
            store.store(record("a", order: 5, body: [5]), synchronously: written)
            store.store(record("a", order: 4, body: [4]), synchronously: written)
            #expect(store.body("a") == [5])
            store.store(record("a", order: 6, body: [6]), synchronously: written)
            #expect(store.body("a") == [6])
        }
    }

    @Test("an answer from before the wall clock was set back does not stay for ever", arguments: [false, true])
    func clockSetBack(written: Bool) {
        withStore(folder) { store in
            store.store(record("a", order: 999_999_999, body: [1]), synchronously: written)
            store.store(record("a", order: 500, body: [2]), synchronously: written)
            #expect(store.body("a") == [2])
        }
    }

    @Test("variants of a key are told apart, and the caller chooses")
    func variants() throws {
        withStore(folder) { store in
            for number in 0..<5 {
                store.store(record("a", variant: "v\(number)", head: "h\(number)", body: [UInt8(number)]))
            }
        }
        withStore(folder) { store in
            store.store(record("a", variant: "v5", head: "h5", body: [5]))
            for wanted in 0..<6 {
                let result = store.load(StoreKey("a")) { heads in
                    #expect(heads.count == 6)
                    return heads.firstIndex { array($0.head) == Array("h\(wanted)".utf8) }
                }
                guard case .found(let record) = result else { return #expect(Bool(false), "not found") }
                #expect(array(record.body) == [UInt8(wanted)] && record.variant == "v\(wanted)")
            }
            if case .notSelected = store.load(StoreKey("a"), select: { _ in nil }) {} else { Issue.record() }
            store.remove(StoreKey("a"), variant: "v2")
            _ = store.load(StoreKey("a")) { heads in
                #expect(heads.count == 5)
                return nil
            }
        }
    }

    @Test("a key keeps 64 variants at most")
    func mostVariants() {
        withStore(folder) { store in
            for number in 0..<100 { store.store(record("a", variant: "\(number)")) }
            store.flush()
            _ = store.load(StoreKey("a")) { heads in
                #expect(heads.count == 64 && heads.contains { $0.variant == "99" })
                return nil
            }
        }
    }

    @Test("a new head leaves the body, in the database or in its file", arguments: [10, 200_000], [false, true])
    func headUpdate(size: Int, written: Bool) throws {
        let body = noise(size)
        let stored = record("a", order: 5, body: body)
        func update(_ order: Int64, _ identity: UInt64, _ head: String) -> HeadUpdate {
            HeadUpdate(
                key: StoreKey("a"), identity: identity, order: order, storedAt: stored.storedAt, freshUntil: 3,
                head: buffer(head))
        }
        withStore(folder) { store in
            store.store(stored, synchronously: written)
            store.updateHead(update(6, stored.identity, "new"), synchronously: written)
            store.updateHead(update(4, stored.identity, "older"), synchronously: written)
            store.updateHead(update(9, stored.identity &+ 1, "of another body"), synchronously: written)
            #expect(store.find("a").map { array($0.head) } == Array("new".utf8))
        }
        try withStore(folder) { store in
            let found = try #require(store.find("a"))
            #expect(array(found.head) == Array("new".utf8) && array(found.body) == body && found.order == 6)
        }
    }

    @Test("folder and files are the owner's alone, whatever the umask")
    func permissions() {
        let path = folder.path + "/deep/store"
        let before = umask(0)
        let store = DiskStore(path: path)
        store.store(record("a", body: noise(200_000)), synchronously: true)
        umask(before)
        for name in ["", "/bodies"] { #expect(TemporaryFolder.mode(of: path + name) == 0o700) }
        #expect(TemporaryFolder.mode(of: folder.path + "/deep") == 0o700)
        for name in TemporaryFolder.names(in: path) where name != "bodies" {
            #expect(TemporaryFolder.mode(of: path + "/" + name) == 0o600, "\(name)")
        }
        let bodies = TemporaryFolder.names(in: path + "/bodies")
        #expect(bodies.count == 2)
        for name in bodies { #expect(TemporaryFolder.mode(of: path + "/bodies/" + name) == 0o600) }
        store.close()
    }

    @Test("after its end a store finds nothing and stores nothing")
    func closed() {
        let store = DiskStore(path: folder.path)
        store.store(record("a"))
        store.close()
        store.close()
        #expect(!store.has("a") && !store.store(record("b")))
        store.flush()
        #expect(store.entries().isEmpty)
    }
}
