import Glibc
@testable import NetcoreStorage
import NetcoreSupport
import Testing

@Suite("Large bodies in blocks")
struct BlockFileTests {
    private let crafted = CraftedFolder()
    private static let size = BlockFile.smallestBody + 70_001
    private static let bodies = [
        noise(size), Array(repeating: UInt8(65), count: size),
        noise(size / 2) + Array(repeating: 66, count: size - size / 2),
    ]

    private func file(_ store: DiskStore, _ key: String = "a") throws -> BlockFile {
        guard case .file(let file) = try #require(store.find(key)).body else { throw BodyFailure.damaged }
        return file
    }

    private func store(_ body: [UInt8]) {
        withStore(crafted.folder) { $0.store(record("a", body: body)) }
    }

    private func flip(_ place: Int) throws {
        let path = crafted.bodies + "/" + (try #require(crafted.files.first))
        var bytes = TemporaryFolder.bytes(of: path)
        bytes[place] ^= 4
        TemporaryFolder.write(bytes, to: path)
    }

    @Test(
        "a table is read as it was written; no other size is taken", arguments: [1, 65_535, 65_536, 65_537, 1_000_000])
    func table(size: Int) throws {
        var table = BlockTable()
        var rest = size
        while rest > 0 {
            let length = min(rest, BlockTable.blockSize)
            table.add(length: length, stored: max(1, length - rest % 3), sum: UInt32(truncatingIfNeeded: rest))
            rest -= length
        }
        let bytes = try #require(table.bytes)
        let read = try #require(BlockTable(bytes.bytes, bodySize: size))
        for index in table.blocks(of: 0..<size) {
            #expect(read.place(of: index) == table.place(of: index) && read.sum(of: index) == table.sum(of: index))
            #expect(read.content(of: index) == table.content(of: index))
        }
        #expect(read.bodySize == size && read.storedSize == table.storedSize)
        let other = size / BlockTable.blockSize * BlockTable.blockSize + 2 * BlockTable.blockSize
        #expect(BlockTable(bytes.bytes, bodySize: other) == nil)
    }

    private func expect(_ buffer: ByteBuffer, _ bytes: ArraySlice<UInt8>, _ comment: Comment? = nil) {
        let isSame = bytes.withUnsafeBytes { wanted in
            guard wanted.count == buffer.count, let first = wanted.baseAddress, let other = buffer.bytes.baseAddress
            else {
                return wanted.count == buffer.count
            }
            return memcmp(first, other, wanted.count) == 0
        }
        #expect(isSame, comment)
    }

    @Test("any range of a stored body is read, packed or not", arguments: 0..<3)
    func ranges(number: Int) throws {
        let body = Self.bodies[number]
        store(body)
        try withStore(crafted.folder) { store in
            let file = try file(store)
            #expect(file.size == body.count)
            expect(try file.readAll(), body[...])
            for range in [
                0..<0, 0..<1, 65_535..<65_537, 65_536..<131_072, 65_537..<200_000, body.count - 1..<body.count,
            ] {
                expect(try file.read(range), body[range], "\(range)")
            }
        }
    }

    @Test("a damaged block is found when it is read, and the others are served")
    func damage() throws {
        let body = Self.bodies[0]
        store(body)
        let blocks = stride(from: 0, to: body.count, by: BlockTable.blockSize).map {
            $0..<min($0 + BlockTable.blockSize, body.count)
        }
        for damaged in blocks {
            try flip(damaged.lowerBound + 1000)
            try withStore(crafted.folder) { store in
                let file = try file(store)
                for block in blocks {
                    if block == damaged {
                        #expect(throws: BodyFailure.self) { try file.read(block) }
                    } else {
                        expect(try file.read(block), body[block])
                    }
                }
            }
            try flip(damaged.lowerBound + 1000)
        }
    }

    @Test("a body that was found damaged is gone at once, also if its head changed meanwhile")
    func discarded() throws {
        store(Self.bodies[0])
        let events = Events()
        try withStore(crafted.folder, options(events)) { store in
            let file = try file(store)
            let found = try #require(store.find("a"))
            store.updateHead(
                HeadUpdate(
                    key: found.key, identity: found.identity, order: 5, storedAt: found.storedAt, freshUntil: 1,
                    head: buffer("new")), synchronously: true)
            #expect(store.discard(file))
            #expect(!store.has("a"))
            store.flush()
            #expect(crafted.files.isEmpty && store.currentStatistics.damaged == 1 && events.all.count == 1)
        }
    }

    @Test("those who read a body at the same time share its file")
    func shared() throws {
        store(Self.bodies[0])
        try withStore(crafted.folder) { store in
            let first = try file(store)
            #expect(try file(store) === first)
        }
    }

    @Test("an open body outlives its entry")
    func replaced() throws {
        store(Self.bodies[0])
        try withStore(crafted.folder) { store in
            let file = try file(store)
            store.store(record("a", order: 2, body: Self.bodies[1]), synchronously: true)
            expect(try file.readAll(), Self.bodies[0][...])
            #expect(store.body("a") == Self.bodies[1])
            store.clear(.all, synchronously: true)
            expect(try file.readAll(), Self.bodies[0][...])
            #expect(crafted.files.isEmpty)
        }
    }

    @Test("a body that is written piece by piece is one row's, and is removed without one")
    func written() throws {
        let body = Self.bodies[2]
        try withStore(crafted.folder) { store in
            for ends in 0..<3 {
                let writer = try #require(store.beginBody())
                for start in stride(from: 0, to: body.count, by: 10_007) {
                    #expect(body[start..<min(start + 10_007, body.count)].withUnsafeBytes { writer.append($0) })
                }
                guard ends > 0 else { continue }
                let file = try #require(writer.finished())
                guard ends > 1 else { continue }
                for key in ["a", "b"] {
                    var new = record(key)
                    new.body = .file(file)
                    store.store(new, synchronously: true)
                }
                #expect(store.body("a") == body && !store.has("b"))
            }
            #expect(crafted.files.count == 1)
        }
    }

    @Test("a large body with one checksum, as earlier stores wrote it, is read")
    func oneChecksum() throws {
        withStore(crafted.folder) { $0.store(record("a", body: noise(100_000))) }
        let body = Self.bodies[0]
        TemporaryFolder.write(body, to: crafted.bodies + "/" + (try #require(crafted.files.first)))
        let sum = body.withUnsafeBytes { Checksum.of($0) }
        try crafted.change("body_size = \(body.count), stored_size = \(body.count), body_sum = \(sum)")
        withStore(crafted.folder) { #expect($0.body("a") == body) }
    }
}
