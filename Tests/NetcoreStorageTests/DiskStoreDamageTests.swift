import CSQLite
import Glibc
import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("A disk tier that cannot be used as it is")
struct DiskStoreDamageTests {
    let folder = TemporaryFolder()
    let events = Events()
    private var database: String { folder.path + "/cache.db" }

    private func run(_ statements: String) {
        var handle: OpaquePointer?
        #expect(sqlite3_open(database, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
    }

    private func prepare(_ kind: String) {
        switch kind {
        case "garbage": TemporaryFolder.write(noise(50_000), to: database)
        case "foreign": run("CREATE TABLE notes (text)")
        case "foreign id": run("PRAGMA application_id = 77")
        case "folder": mkdir(database, 0o700)
        case "link": symlink("/etc/hostname", database)
        default:
            withStore(folder) { store in
                for number in 0..<100 { store.store(record("\(number)", body: noise(3000))) }
            }
            if kind == "newer" { run("PRAGMA user_version = 2") }
            if kind == "older" { run("PRAGMA user_version = 0") }
            if kind == "no table" { run("DROP TABLE body") }
            if kind == "truncated" { truncate(database, 10_000) }
            if kind == "unreadable" { chmod(database, 0) }
        }
    }

    @Test(
        "it is set aside, one event says so, and a fresh one begins",
        arguments: [
            "garbage", "foreign", "foreign id", "folder", "link", "newer", "older", "no table", "truncated",
            "unreadable",
        ])
    func setAside(kind: String) throws {
        if kind == "unreadable", getuid() == 0 { return }
        prepare(kind)
        try withStore(folder, options(events)) { store in
            store.store(record("a"), synchronously: true)
            #expect(store.has("a"))
            for number in 0..<100 { #expect(!store.has("\(number)")) }
            let aside = try #require(events.setAside.first)
            #expect(events.all.count == 1 && aside.hasPrefix(database + ".damaged-"))
            #expect(access(aside, F_OK) == 0)
        }
        withStore(folder, options(events)) { #expect($0.has("a")) }
        #expect(events.all.count == 1)
    }

    @Test("three of those set aside are kept")
    func keptAside() {
        for _ in 0..<6 {
            TemporaryFolder.write(noise(5000), to: database)
            withStore(folder, options(events)) { _ in }
        }
        #expect(events.setAside.count == 6)
        let aside = TemporaryFolder.names(in: folder.path).filter { $0.contains("damaged") && !$0.hasSuffix("-wal") }
        #expect(aside.count == 3)
        #expect(events.setAside.suffix(3).allSatisfy { access($0, F_OK) == 0 })
    }

    @Test("where there can be no folder the store is an empty one, with one event, and tries again later")
    func noFolder() {
        let clock = TestClock()
        let file = folder.path + "/file"
        TemporaryFolder.write([1], to: file)
        let store = DiskStore(path: file, options: options(events) { $0.clock = { clock.now } })
        #expect(!store.has("a") && !store.store(record("a"), synchronously: true))
        store.remove(StoreKey("a"))
        store.flush()
        #expect(store.entries().isEmpty && events.all.count == 1)
        clock.advance(milliseconds: 31_000)
        #expect(!store.store(record("a"), synchronously: true))
        #expect(events.all.count == 1 && TemporaryFolder.bytes(of: file) == [1])
        unlink(file)
        clock.advance(milliseconds: 31_000)
        #expect(store.store(record("a"), synchronously: true))
        #expect(store.has("a") && events.all.count == 2 && events.all.last == .storingResumed)
        store.close()
    }

    private func overwrite(_ name: String) {
        let bytes = noise(TemporaryFolder.bytes(of: folder.path + "/" + name).count)
        let file = open(folder.path + "/" + name, O_WRONLY)
        pwrite(file, bytes, bytes.count, 0)
        close(file)
    }

    @Test("a database that is damaged while it is used is set aside by who finds out, and all go on with a fresh one")
    func damagedInUse() {
        withStore(folder, options(events)) { first in
            for number in 0..<100 { first.store(record("\(number)", body: noise(3000))) }
            first.flush()
            withStore(folder, options(events)) { second in
                for name in ["cache.db", "cache.db-wal"] { overwrite(name) }
                // The first one may have all pages in its memory; the second has read nothing so far.
                for number in 0..<100 {
                    #expect(!second.has("\(number)"))
                    if let body = first.body("\(number)") { #expect(body == noise(3000)) }
                }
                second.flush()
                second.store(record("a"), synchronously: true)
                first.store(record("b"), synchronously: true)
                for store in [first, second] { #expect(store.has("a") && store.has("b") && !store.has("1")) }
            }
        }
        #expect(events.setAside.count == 1 && events.all.count == 1)
    }

    @Test("a database that vanishes while it is used is made anew")
    func vanished() {
        withStore(folder, options(events)) { store in
            store.store(record("a"), synchronously: true)
            for name in ["cache.db", "cache.db-wal", "cache.db-shm"] { unlink(folder.path + "/" + name) }
            store.store(record("b"), synchronously: true)
            #expect(store.has("b") && !store.has("a"))
        }
    }

    @Test("a damaged entry is not served: told, counted and removed, the others stay")
    func damagedEntry() {
        withStore(folder) { store in
            store.store(record("a", body: noise(100_000)))
            store.store(record("b", body: noise(200)))
        }
        let bodies = folder.path + "/bodies/"
        let other = noise(100_000, seed: 2)
        for name in TemporaryFolder.names(in: bodies) { TemporaryFolder.write(other, to: bodies + name) }
        withStore(folder, options(events)) { store in
            if case .damaged = store.load(StoreKey("a"), select: { _ in 0 }) {} else { Issue.record() }
            #expect(!store.has("a"))
            store.flush()
            if case .notFound = store.load(StoreKey("a"), select: { _ in 0 }) {} else { Issue.record() }
            #expect(store.has("b"))
            #expect(store.currentStatistics.damaged == 1 && store.currentStatistics.count == 1)
            #expect(events.all == [.damagedEntry(url: "http://a.test/a")])
            #expect(TemporaryFolder.names(in: bodies).isEmpty)
        }
    }

    @Test("an answer whose file is lost is removed")
    func lostFile() {
        withStore(folder, options(events)) { store in
            store.store(record("a", body: noise(100_000)), synchronously: true)
            let bodies = folder.path + "/bodies/"
            for name in TemporaryFolder.names(in: bodies) where !name.hasSuffix(".owner") { unlink(bodies + name) }
            #expect(!store.has("a") && events.all.count == 1)
        }
    }

    @Test("when the folder becomes read-only, storing stops with one event and reading goes on")
    func readOnly() {
        if getuid() == 0 { return }
        let clock = TestClock()
        withStore(folder, options(events) { $0.clock = { clock.now } }) { store in
            store.store(record("a"), synchronously: true)
            chmod(folder.path + "/bodies", 0o500)
            for number in 0..<5 {
                #expect(!store.store(record("\(number)", body: noise(100_000)), synchronously: true))
            }
            #expect(store.has("a") && events.all.count == 1)
            store.remove(StoreKey("a"))
            #expect(!store.has("a"))
            chmod(folder.path + "/bodies", 0o700)
            #expect(!store.store(record("b")))
            clock.advance(milliseconds: 30_000)
            #expect(store.store(record("b"), synchronously: true))
            #expect(events.all.last == .storingResumed && !store.has("a") && store.has("b"))
        }
    }
}
