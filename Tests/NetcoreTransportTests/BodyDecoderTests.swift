import CCoding
import NetcoreHTTP
import NetcoreSupport
@testable import NetcoreTransport
import Testing

/// Compressed bodies, made with zlib.
enum Compressed {
    static let plain = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 >> 8) }

    /// RFC 1950.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var size = compressBound(UInt(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(size))
        compress(&result, &size, bytes, UInt(bytes.count))
        return Array(result.prefix(Int(size)))
    }

    /// RFC 1951: without the wrapper of RFC 1950.
    static func raw(_ bytes: [UInt8]) -> [UInt8] { Array(zlib(bytes).dropFirst(2).dropLast(4)) }

    /// RFC 1952.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        let sum = UInt32(crc32(0, bytes, UInt32(bytes.count)))
        let trailer = [sum, UInt32(bytes.count)].flatMap { word in (0..<4).map { UInt8(word >> ($0 * 8) & 255) } }
        return header + raw(bytes) + trailer
    }

    /// Bytes of gzip that decode to nothing: a file name without an end, members without content.
    static let empty: [[UInt8]] = [
        [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255] + [UInt8](repeating: 65, count: 8 << 20),
        Array(repeatElement(gzip([]), count: 50_000).joined()),
    ]
}

@Suite struct BodyDecoderTests {
    private func decode(
        _ codings: [ContentCoding], _ input: [UInt8], piece: Int = 1000, limits: Limits = Limits(),
        allowsUncleanEnd: Bool = false
    ) throws -> [UInt8] {
        let decoder = try BodyDecoder(codings, limits: limits, allowsUncleanEnd: allowsUncleanEnd)
        let body = ByteBuffer()
        var rest = input[...]
        while !rest.isEmpty {
            _ = try Array(rest.prefix(piece)).withUnsafeBytes { try decoder.decode($0, into: body) }
            rest = rest.dropFirst(piece)
        }
        try decoder.finish()
        return Array(body.bytes)
    }

    @Test("whole bodies decode, in pieces of any size", arguments: [1, 7, 1000, 1 << 20])
    func whole(piece: Int) throws {
        let plain = Compressed.plain
        #expect(try decode([.gzip], Compressed.gzip(plain), piece: piece) == plain)
        #expect(try decode([.deflate], Compressed.zlib(plain), piece: piece) == plain)
        #expect(try decode([.deflate], Compressed.raw(plain), piece: piece) == plain)
    }

    @Test("all members of a gzip body are decoded")
    func members() throws {
        let two = Compressed.gzip([1, 2, 3]) + Compressed.gzip([4, 5])
        for piece in [1, 5, 100] { #expect(try decode([.gzip], two, piece: piece) == [1, 2, 3, 4, 5]) }
    }

    @Test("codings are undone in reverse order")
    func nested() throws {
        #expect(try decode([.deflate, .gzip], Compressed.gzip(Compressed.zlib([7, 8, 9]))) == [7, 8, 9])
    }

    @Test("a body cut at any byte is truncated, never whole")
    func cut() throws {
        for (coding, whole) in [
            (ContentCoding.gzip, Compressed.gzip([1, 2, 3])), (.deflate, Compressed.zlib([1, 2, 3])),
        ] {
            for size in 1..<whole.count {
                #expect { try decode([coding], Array(whole.prefix(size))) } throws: {
                    ($0 as? NetcoreError)?.code == .truncated
                }
            }
        }
    }

    /// A body, the size of its checksum, and what it decodes to: without blocks of one kind only.
    private static let checked: [(coding: ContentCoding, whole: [UInt8], checksum: Int, plain: [UInt8])] = {
        let noise = (0..<200_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        return [[1, 2, 3], Compressed.plain, noise, []].flatMap { plain in
            [
                (.gzip, Compressed.gzip(plain), 8, plain), (.deflate, Compressed.zlib(plain), 4, plain),
                (.deflate, Compressed.raw(plain), 0, plain),
            ]
        }
    }()

    @Test(
        "where an unclean end is allowed, the checksum may be missing, and nothing of the data",
        arguments: [1, 7, 1 << 20])
    func uncleanEnd(piece: Int) throws {
        for (coding, whole, checksum, plain) in Self.checked where piece > 1 || whole.count < 1000 {
            let data = whole.count - checksum
            for size in data...whole.count {
                let body = Array(whole.prefix(size))
                #expect(try decode([coding], body, piece: piece, allowsUncleanEnd: true) == plain)
                guard size < whole.count else { continue }
                #expect { try decode([coding], body, piece: piece) } throws: {
                    ($0 as? NetcoreError)?.code == .truncated
                }
            }
            for size in Set([1, 2, data / 3, data / 2, data - 2, data - 1]) where (1..<data).contains(size) {
                #expect {
                    try decode([coding], Array(whole.prefix(size)), piece: piece, allowsUncleanEnd: true)
                } throws: { ($0 as? NetcoreError)?.code == .truncated }
            }
        }
    }

    @Test("an unclean end is told from a clean one, at each coding and member")
    func uncleanEndIsTold() throws {
        let inner = Compressed.gzip([1, 2, 3])
        for (codings, body, isUnclean) in [
            ([ContentCoding.gzip], inner, false), ([.gzip], Array(inner.dropLast(8)), true), ([.gzip], [], false),
            ([.gzip], inner + inner, false), ([.gzip], inner + inner.dropLast(1), true),
            ([.gzip, .gzip], Compressed.gzip(Array(inner.dropLast(8))), true),
            ([.gzip, .gzip], Array(Compressed.gzip(inner).dropLast(8)), true),
            ([.gzip, .gzip], Compressed.gzip(inner), false),
        ] {
            let decoder = try BodyDecoder(codings, limits: Limits(), allowsUncleanEnd: true)
            _ = try body.withUnsafeBytes { try decoder.decode($0, into: ByteBuffer()) }
            try decoder.finish()
            #expect(decoder.endsUncleanly == isUnclean)
        }
    }

    @Test("a wrong checksum is damage, and a cut member truncated, also where an unclean end is allowed")
    func uncleanEndIsNoDamage() {
        var damaged = Compressed.gzip([1, 2, 3])
        damaged[damaged.count - 8] ^= 1
        #expect { try decode([.gzip], damaged, allowsUncleanEnd: true) } throws: {
            ($0 as? NetcoreError)?.code == .contentCoding
        }
        let members = Compressed.gzip([1, 2, 3]) + Compressed.gzip(Compressed.plain).prefix(20)
        #expect { try decode([.gzip], members, allowsUncleanEnd: true) } throws: {
            ($0 as? NetcoreError)?.code == .truncated
        }
    }

    @Test("an empty body needs no coding")
    func empty() throws { #expect(try decode([.gzip], []).isEmpty) }

    @Test("a flipped bit in the data or the checksum is damage")
    func damaged() {
        let whole = Compressed.gzip(Compressed.plain)
        for position in [whole.count / 2, whole.count - 8, whole.count - 1] {
            var bytes = whole
            bytes[position] ^= 1
            #expect { try decode([.gzip], bytes) } throws: { ($0 as? NetcoreError)?.code == .contentCoding }
        }
    }

    @Test(
        "what comes after the end and is no further member is ignored, however it is cut", arguments: [1, 2, 3, 1000])
    func trailing(piece: Int) throws {
        for rest: [UInt8] in [[65, 66, 67], [0, 0, 0, 0], [0x1F], [0x1F, 0x1F, 0x8B], [0x1F, 65]] {
            let gzip = try decode([.gzip], Compressed.gzip([1, 2]) + rest, piece: piece)
            #expect(gzip == [1, 2])
            let deflate = try decode([.deflate], Compressed.zlib([1, 2]) + rest, piece: piece)
            #expect(deflate == [1, 2])
        }
    }

    @Test("a further member is decoded, however it is cut", arguments: [1, 2, 3, 1000])
    func members(piece: Int) throws {
        let members = Compressed.gzip([1, 2]) + Compressed.gzip([3]) + [0]
        #expect(try decode([.gzip], members, piece: piece) == [1, 2, 3])
    }

    @Test("a further member that is damaged is an error")
    func damagedMember() {
        let damaged = Compressed.gzip([1]) + [0x1F, 0x8B, 8, 0xFF] + [UInt8](repeating: 7, count: 40)
        #expect { try decode([.gzip], damaged) } throws: { ($0 as? NetcoreError)?.code == .contentCoding }
    }

    @Test("decoded bytes and their ratio are bounded")
    func bounds() {
        let zeros = Compressed.gzip([UInt8](repeating: 0, count: 4 << 20))
        var limits = Limits()
        limits.decodedBytes = 1000
        #expect { try decode([.gzip], zeros, limits: limits) } throws: {
            ($0 as? NetcoreError)?.code == .limitDecodedBytes
        }
        #expect { try decode([.gzip], zeros) } throws: { ($0 as? NetcoreError)?.code == .limitDecodeRatio }
        limits = Limits()
        limits.decodeRatio = .max
        #expect(throws: Never.self) { try decode([.gzip], zeros, limits: limits) }
    }

    @Test("what one coding brings and the next one swallows is bounded too", arguments: Compressed.empty.indices)
    func swallowed(index: Int) {
        let body = Compressed.gzip(Compressed.empty[index])
        #expect { try decode([.gzip, .gzip], body, piece: 1 << 20) } throws: {
            ($0 as? NetcoreError)?.code == .limitDecodeRatio
        }
        var limits = Limits()
        limits.decodedBytes = 1000
        #expect { try decode([.gzip, .gzip], body, limits: limits) } throws: {
            ($0 as? NetcoreError)?.code == .limitDecodedBytes
        }
    }

    @Test("an inner coding that brings little at first may not bring very much at once then")
    func burst() {
        let noise = (0..<2_000_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
        var name: [UInt8] = [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255]
        name += noise.map { $0 | 1 } + [UInt8](repeating: 65, count: 8 << 20)
        #expect { try decode([.gzip, .gzip], Compressed.gzip(name), piece: 4096) } throws: {
            ($0 as? NetcoreError)?.code == .limitDecodeRatio
        }
    }

    @Test("a body that is packed twice decodes, however well the text is packed")
    func packedTwice() throws {
        let text = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 97 + $0 / 5000) }
        #expect(try decode([.gzip, .gzip], Compressed.gzip(Compressed.gzip(text))) == text)
    }

    @Test("long work on one piece can be ended")
    func checkpoint() throws {
        var limits = Limits()
        limits.decodeRatio = .max
        let decoder = try BodyDecoder([.gzip], limits: limits)
        let body = ByteBuffer()
        var calls = 0
        let zeros = Compressed.gzip([UInt8](repeating: 0, count: 5 * BodyDecoder.checkpointSpan))
        let result = zeros.withUnsafeBytes { bytes in
            Result { () throws(NetcoreError) in
                try decoder.decode(bytes, into: body) { () throws(NetcoreError) in
                    calls += 1
                    if calls == 2 { throw NetcoreError(.canceled) }
                }
            }
        }
        #expect(throws: NetcoreError.self) { try result.get() }
        #expect(calls == 2 && body.count <= 2 * BodyDecoder.checkpointSpan)
    }
}
