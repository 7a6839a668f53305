import Glibc
@testable import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("Files that are not the store's")
struct ForeignFileTests {
    private let crafted = CraftedFolder()
    private let events = Events()
    private let secret = Array("what the user keeps elsewhere".utf8)

    private static let names = [
        "my-holiday-photos.txt", "0123456789abcdef-0123456789abcdeX", "0123456789ABCDEF-0123456789ABCDEF",
        "0123456789abcdef-0123456789abcdef.jpg", "0123456789abcdef-notes", "0123456789abcdef.owner.part",
        ".hidden-by-its-owner", "a",
    ]

    @Test("those in its folder of bodies stay, also when all is cleared; what an owner that is gone left does not")
    func sweep() {
        mkdir(crafted.bodies, 0o700)
        let orphans = [
            "0123456789abcdef-0123456789abcdef", "0123456789abcdef-fedcba9876543210.part", "0123456789abcdef.owner",
        ]
        for name in Self.names + orphans { TemporaryFolder.write(secret, to: crafted.bodies + "/" + name) }
        for _ in 0..<2 {
            withStore(crafted.folder) { store in
                store.store(record("a", body: noise(100_000)), synchronously: true)
                store.clear(.all, synchronously: true)
                // A turn of the storing thread for each 64 files.
                for _ in 0..<4 { store.flush() }
            }
        }
        #expect(TemporaryFolder.names(in: crafted.bodies) == Self.names.sorted())
    }

    @Test("a folder of bodies that is a link is not used: an event says so, and nothing goes where it leads")
    func linkedBodies() {
        let elsewhere = TemporaryFolder()
        TemporaryFolder.write(secret, to: elsewhere.path + "/0123456789abcdef-0123456789abcdef")
        symlink(elsewhere.path, crafted.bodies)
        withStore(crafted.folder, options(events)) { store in
            #expect(!store.store(record("a", body: noise(100_000)), synchronously: true))
            #expect(events.all == [.storingStopped(reason: "\(crafted.bodies) is a link or a file, not a folder")])
        }
        #expect(TemporaryFolder.names(in: elsewhere.path) == ["0123456789abcdef-0123456789abcdef"])
    }

    @Test("a store that cannot write does not keep callers waiting that ask for a change", .timeLimit(.minutes(1)))
    func stopped() {
        symlink(TemporaryFolder().path, crafted.bodies)
        // Never the time of another attempt.
        let settings = options(events) { $0.clock = { MonotonicTime(microseconds: 1) } }
        withStore(crafted.folder, settings) { store in
            #expect(!store.store(record("a", body: noise(100_000)), synchronously: true))
            store.remove(StoreKey("a"), synchronously: true)
            store.clear(.all, synchronously: true)
            #expect(!store.store(record("b"), synchronously: true) && !store.has("a"))
        }
    }

    @Test("nor whoever asked while the attempt that failed was being made")
    func stoppedMeanwhile() {
        var overlay = Overlay()
        let receipt = Overlay.Receipt()
        overlay.append(.clear(.all), receipt: receipt)
        overlay.endWaiting()
        #expect(receipt.isDone && !receipt.isWritten && overlay.hasQueued)
    }

    @Test(
        "a row that names a file elsewhere is damaged: the file is neither served nor removed",
        arguments: ["../../elsewhere", "../elsewhere", "/tmp/elsewhere", "elsewhere", "", ".", "..", "../cache.db"])
    func paths(name: String) throws {
        withStore(crafted.folder) { $0.store(record("a", body: noise(100_000))) }
        let path = name.hasPrefix("/") ? name : crafted.bodies + "/" + name
        let isOwn = access(path, F_OK) == 0
        if !isOwn { TemporaryFolder.write(secret, to: path) }
        defer { if !isOwn { unlink(path) } }
        let sum = secret.withUnsafeBytes { Checksum.of($0) }
        let sizes = "body_size = \(secret.count), stored_size = \(secret.count)"
        try crafted.change("file = '\(name)', body_sum = \(sum), \(sizes), coding = 0")
        withStore(crafted.folder, options(events)) { store in
            #expect(!store.has("a"))
            store.store(record("a"), synchronously: true)
            #expect(store.body("a") == Array("body".utf8))
            store.clear(.all, synchronously: true)
        }
        #expect(access(path, F_OK) == 0 && events.all.count == 1)
    }

    enum Thing: CaseIterable {
        case pipe, link, folder
    }

    @Test(
        "what stands in the place of a body's file and is none is damage, and reading does not wait for it",
        .timeLimit(.minutes(1)), arguments: Thing.allCases)
    func things(thing: Thing) throws {
        withStore(crafted.folder) { $0.store(record("a", body: noise(100_000))) }
        let path = crafted.bodies + "/" + (try #require(crafted.files.first))
        unlink(path)
        switch thing {
        case .pipe: mkfifo(path, 0o600)
        case .link: symlink("/etc/hostname", path)
        case .folder: mkdir(path, 0o700)
        }
        withStore(crafted.folder, options(events)) { store in
            #expect(!store.has("a") && events.all == [.damagedEntry(url: "http://a.test/a")])
        }
    }

    @Test("a path longer than the system takes is refused, however many folders it names")
    func longPath() {
        let path = crafted.folder.path + String(repeating: "/a", count: 500_000)
        let store = DiskStore(path: path, options: options(events))
        #expect(!store.store(record("a"), synchronously: true) && events.all.count == 1)
        store.close()
        #expect(DiskOptions.objection(to: path)?.contains("bytes") == true)
        #expect(TemporaryFolder.names(in: crafted.folder.path).isEmpty)
    }

    @Test("a pipe that takes the database's place is not waited for", .timeLimit(.minutes(1)))
    func pipeAsDatabase() {
        withStore(crafted.folder, options(events)) { store in
            store.store(record("a"), synchronously: true)
            unlink(crafted.folder.path + "/cache.db")
            mkfifo(crafted.folder.path + "/cache.db", 0o600)
            #expect(!store.has("a"))
            #expect(store.store(record("b"), synchronously: true) && store.has("b"))
            #expect(events.setAside.count == 1)
        }
    }

    @Test("a journal that would have SQLite remove a file elsewhere is set aside with the database")
    func journal() throws {
        withStore(crafted.folder) { $0.store(record("a")) }
        let elsewhere = crafted.folder.path + "/important"
        TemporaryFolder.write(secret, to: elsewhere)
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).bigEndian) { Array($0) } }
        let name = Array(elsewhere.utf8)
        let database = crafted.folder.path + "/cache.db"
        let pages = TemporaryFolder.bytes(of: database).count / 8192
        var journal = magic + number(0) + number(0) + number(pages) + number(512) + number(8192)
        journal += [UInt8](repeating: 0, count: 512 - journal.count) + number(0x4000_0000 / 8192 + 1) + name
        journal += number(name.count) + number(name.reduce(0) { $0 + Int($1) }) + magic
        TemporaryFolder.write(journal, to: database + "-journal")
        withStore(crafted.folder, options(events)) { store in
            #expect(store.store(record("b"), synchronously: true) && store.has("b") && !store.has("a"))
        }
        #expect(TemporaryFolder.bytes(of: elsewhere) == secret && events.setAside.count == 1)
    }

    @Test("another application's database is set aside and never removed, nor are files that are named like it")
    func setAside() throws {
        let names = ["cache.db.damaged-notes", "cache.db.damaged-12-copy"]
        for name in names { TemporaryFolder.write(secret, to: crafted.folder.path + "/" + name) }
        for number in 0..<6 {
            if number < 2 {
                TemporaryFolder.write([], to: crafted.folder.path + "/cache.db")
                try crafted.run("CREATE TABLE notes (text)")
            } else {
                TemporaryFolder.write(noise(5000), to: crafted.folder.path + "/cache.db")
            }
            withStore(crafted.folder, options(events)) { _ in }
            for name in ["cache.db", "cache.db-wal", "cache.db-shm"] { unlink(crafted.folder.path + "/" + name) }
        }
        #expect(events.setAside.count == 6 && events.setAside.prefix(2).allSatisfy { access($0, F_OK) == 0 })
        #expect(events.setAside.suffix(3).allSatisfy { access($0, F_OK) == 0 } && access(events.setAside[2], F_OK) != 0)
        #expect(names.allSatisfy { TemporaryFolder.bytes(of: crafted.folder.path + "/" + $0) == secret })
    }
}
