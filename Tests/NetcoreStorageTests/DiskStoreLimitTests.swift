import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("The limits of the disk tier")
struct DiskStoreLimitTests {
    let folder = TemporaryFolder()

    @Test("what was used longest ago is evicted first, also after a restart")
    func evictionOrder() {
        let three = options { $0.limits.count = 3 }
        withStore(folder, three) { store in
            for key in ["a", "b", "c"] { store.store(record(key), synchronously: true) }
            #expect(store.has("a"))
        }
        withStore(folder, three) { store in
            store.store(record("d"), synchronously: true)
            #expect(store.has("a") && !store.has("b") && store.has("c") && store.has("d"))
            #expect(store.currentStatistics.evictions == 1 && store.currentStatistics.count == 3)
        }
    }

    @Test("bytes are bounded, those of large bodies too, and their files go")
    func bytes() {
        withStore(folder, options { $0.limits.bytes = 1_000_000 }) { store in
            for number in 0..<20 { store.store(record("\(number)", body: noise(200_000, seed: UInt64(number + 1)))) }
            store.flush()
            #expect(store.currentStatistics.bytes <= 1_000_000 && store.currentStatistics.count == 4)
            #expect(store.body("19") == noise(200_000, seed: 20))
            #expect(TemporaryFolder.names(in: folder.path + "/bodies").count == 5)
        }
        #expect(TemporaryFolder.names(in: folder.path + "/bodies").count == 4)
    }

    @Test("limits change at run time")
    func change() {
        withStore(folder) { store in
            for number in 0..<100 { store.store(record("\(number)")) }
            store.setLimits(DiskLimits(count: 10))
            store.flush()
            #expect(store.currentStatistics.count == 10)
            store.setLimits(DiskLimits(count: 0))
            store.flush()
            #expect(store.currentStatistics.count == 0 && store.currentStatistics.bytes == 0)
        }
    }

    @Test("an answer larger than the whole store is not stored, and what it replaces goes")
    func tooLarge() {
        withStore(folder, options { $0.limits.bytes = 50_000 }) { store in
            store.store(record("a", body: noise(10_000)), synchronously: true)
            store.store(record("a", order: 2, body: noise(100_000)), synchronously: true)
            #expect(!store.has("a") && store.currentStatistics.count == 0)
            #expect(TemporaryFolder.names(in: folder.path + "/bodies").filter { $0.contains("-") }.isEmpty)
        }
    }

    @Test("a full queue skips answers, and never removals")
    func fullQueue() {
        withStore(folder, options { $0.queueCount = 0 }) { store in
            #expect(!store.store(record("a")))
            #expect(store.currentStatistics.skipped == 1)
            store.remove(StoreKey("a"), synchronously: true)
        }
    }
}

@Suite("Clearing and listing the disk tier")
struct DiskStoreClearingTests {
    let folder = TemporaryFolder()

    private func fill(_ store: DiskStore, written: Bool) {
        for (key, url, tag, scope) in [
            ("1", "http://a.test/x/1", "red", "u1"), ("2", "http://a.test/x/2", "red", "u2"),
            ("3", "http://a.test/y", "blue", "u1"), ("4", "http://a.test/x", "", ""),
            ("5", "http://a.test/x/%", "_", "%"),
        ] {
            store.store(record(key, url: url, tag: tag, scope: scope), synchronously: written)
        }
    }

    private static let filters: [(ClearFilter, [String])] = [
        (.all, []), (.url("http://a.test/x"), ["1", "2", "3", "5"]), (.urlPrefix("http://a.test/x/"), ["3", "4"]),
        (.urlPrefix("http://a.test/x/%"), ["1", "2", "3", "4"]), (.urlPrefix(""), []), (.tag("red"), ["3", "4", "5"]),
        (.scope("u1"), ["2", "4", "5"]), (.scope("%"), ["1", "2", "3", "4"]),
    ]

    @Test("a filter clears what it matches, on the disk and of what is still to be written", arguments: 0..<8)
    func clear(number: Int) {
        let (filter, left) = Self.filters[number]
        for written in [false, true] {
            withStore(folder) { store in
                store.clear(.all)
                fill(store, written: written)
                store.clear(filter)
                #expect((1...5).map(String.init).filter { store.has($0) } == left)
                store.flush()
                #expect((1...5).map(String.init).filter { store.has($0) } == left)
                #expect(store.currentStatistics.count == left.count)
            }
        }
    }

    @Test("entries are listed by pages, each once, with size and hits")
    func list() {
        withStore(folder) { store in
            for number in 0..<25 { store.store(record("\(number)", tag: "t", body: noise(number * 100))) }
            store.flush()
            for _ in 0..<3 { _ = store.find("7") }
            _ = store.has("7")
            var keys: [String] = []
            var position: Int64?
            while true {
                let page = store.entries(after: position, limit: 10)
                guard let last = page.last else { break }
                position = last.position
                keys += page.map(\.key)
                for entry in page where entry.key == "7" {
                    #expect(entry.bodySize == 700 && entry.size >= 700 && entry.tag == "t")
                    #expect(entry.url == "http://a.test/7" && entry.freshUntil == 2_000_000)
                }
            }
            #expect(keys.count == 25 && Set(keys).count == 25)
            store.flush()
            #expect(store.entries().first { $0.key == "7" }?.hits == 4)
        }
    }

    @Test("cleared space goes back to the file system")
    func shrinks() {
        withStore(folder, options { $0.limits.bytes = 100 << 20 }) { store in
            for number in 0..<400 { store.store(record("\(number)", body: noise(50_000, seed: UInt64(number + 1)))) }
            store.flush()
            store.clear(.all)
            // Each is a turn of the storage thread, which gives some pages back.
            for _ in 0..<100 { store.flush() }
        }
        #expect(TemporaryFolder.bytes(of: folder.path + "/cache.db").count < 20_000_000)
    }
}
