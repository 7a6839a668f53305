import CCoding
import Foundation
import NetcoreHTTP
import NetcoreSupport
import Testing

@testable import NetcoreTransport

/// Bytes in pieces of any kind, and what comes of reading them.
@Suite struct BodyReaderTests {
    /// A stream of bytes in the given portions, an empty one standing for the end.
    private func stream(_ portions: [[UInt8]], length: Int? = nil) -> BodyStream {
        BodyStream(length: length) {
            var rest = portions[...]
            return { room in
                guard let next = rest.popFirst() else { return 0 }
                room.copyBytes(from: next)
                return next.count
            }
        }
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }

    private func piece(_ bytes: [UInt8]) throws -> BodyPiece {
        let copy = try #require(bytes.withUnsafeBytes { ByteBuffer(copying: $0) })
        return BodyPiece(.bytes(copy), label: "bytes", length: bytes.count)
    }

    private func piece(_ portions: [[UInt8]], length: Int?) -> BodyPiece {
        BodyPiece(.stream(stream(portions, length: length)), label: "stream", length: length)
    }

    private func readAll(_ reader: any ChunkReader, room: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            let size = try reader.read(into: buffer)
            guard size > 0 else { break }
            result += buffer[..<size]
        }
        #expect(try reader.read(into: buffer) == 0, "an end stays one")
        return result
    }

    @Test("pieces follow one another, empty ones among them", arguments: [1, 3, 4096])
    func pieces(room: Int) throws {
        let pieces = [
            try piece([]), try piece(bytes(100)), piece([[1], [2]].map { $0 }, length: 2), piece([], length: 0),
            piece([[3]], length: nil), try piece([4]),
        ]
        #expect(try readAll(PiecesReader(pieces), room: room) == bytes(100) + [1, 2, 3, 4])
    }

    @Test(
        "a stream of another length than was said is an error, which names it",
        arguments: [
            ([[1, 2]], 3, "stream: ended after 2 of 3 bytes"), ([], 1, "stream: ended after 0 of 1 bytes"),
            ([[1, 2]], 1, "stream: has more than its 1 bytes"), ([[1], [2]], 1, "stream: has more than its 1 bytes"),
            ([[1]], 0, "stream: has more than its 0 bytes"),
        ] as [([[UInt8]], Int, String)])
    func lengths(portions: [[UInt8]], length: Int, message: String) throws {
        let reader = PiecesReader([piece(portions, length: length)])
        let error = #expect(throws: NetcoreError.self) { try readAll(reader, room: 100) }
        #expect(error?.code == .body)
        #expect(error?.message.contains(message) == true)
    }

    @Test("the last bytes wait for the end to be known: nothing whole goes out before an error")
    func lastBytes() throws {
        let reader = PiecesReader([piece([[1], [2], [3]], length: 2)])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
        defer { buffer.deallocate() }
        #expect(try reader.read(into: buffer) == 1)
        #expect(throws: NetcoreError.self) { try reader.read(into: buffer) }
    }

    @Test("what a stream throws keeps its code, or is an error of the body")
    func thrown() throws {
        struct Other: Error {}
        for (error, code) in [(Other(), .body), (NetcoreError(.outOfMemory), .outOfMemory)]
            as [(any Error, NetcoreError.Code)]
        {
            let stream = BodyStream { { _ in throw error } }
            let reader = PiecesReader([BodyPiece(.stream(stream), label: "x", length: nil)])
            #expect(#expect(throws: NetcoreError.self) { try readAll(reader, room: 1) }?.code == code)
            let closed = BodyStream { throw Other() }
            let second = PiecesReader([BodyPiece(.stream(closed), label: "x", length: nil)])
            #expect(#expect(throws: NetcoreError.self) { try readAll(second, room: 1) }?.code == .bodyRewind)
        }
    }

    @Test("a sum that no number holds is no length")
    func sums() throws {
        #expect(StreamedBody.length(of: [piece([], length: .max), piece([], length: 1)]) == nil)
        #expect(StreamedBody.length(of: [piece([], length: .max - 1), piece([], length: 1)]) == .max)
        #expect(StreamedBody.length(of: [piece([], length: nil), piece([], length: 1)]) == nil)
        #expect(StreamedBody.length(of: []) == 0)
    }

    @Test(
        "packed, and unpacked by zlib, the bytes are the same", arguments: [0, 1, 32 << 10, 32 << 10 + 1, 1_000_000],
        [1000, 64 << 10])
    func packing(count: Int, room: Int) throws {
        let packed = try readAll(PackingReader(PiecesReader([piece(bytes(count))])), room: room)
        let decoder = try BodyDecoder([.gzip], limits: Limits())
        let unpacked = ByteBuffer()
        _ = try packed.withUnsafeBytes { try decoder.decode($0, into: unpacked) }
        try decoder.finish()
        #expect(Array(unpacked.bytes) == bytes(count))
    }

    @Test("an error under the packing comes through")
    func packingFails() throws {
        let reader = try PackingReader(PiecesReader([piece([[1]], length: 2)]))
        #expect(throws: NetcoreError.self) { try readAll(reader, room: 100) }
    }
}
