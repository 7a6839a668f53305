internal import NetcoreSupport

/// Where the blocks of a body are in its file, and their checksums.
///
/// A file has the blocks one after the other, then the table: for each block its size in the file and the CRC-32 of what the file
/// has of it, as two 32-bit numbers, the least significant byte first. A block as large in the file as in the body is plain; a
/// smaller one is packed by itself (zlib).
struct BlockTable {
    /// Bytes of a body in each of its blocks, except the last (docs/decisions.md).
    static let blockSize = 64 << 10
    private static let entrySize = 8

    /// Bytes of the body.
    private(set) var bodySize = 0
    /// Where each block begins in the file, and where the last one ends.
    private var offsets: ContiguousArray<Int> = [0]
    private var sums: ContiguousArray<UInt32> = []

    init() {}

    /// Reads the table of a body of `bodySize` bytes. Nil if no store writes such a one.
    init?(_ bytes: UnsafeRawBufferPointer, bodySize: Int) {
        guard bytes.count == Self.size(ofBody: bodySize) else { return nil }
        var rest = bodySize
        for offset in stride(from: 0, to: bytes.count, by: Self.entrySize) {
            let stored = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
            let length = min(rest, Self.blockSize)
            guard stored > 0, stored <= length else { return nil }
            let sum = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
            add(length: length, stored: stored, sum: sum)
            rest -= length
        }
    }

    mutating func add(length: Int, stored: Int, sum: UInt32) {
        bodySize += length
        offsets.append(storedSize + stored)
        sums.append(sum)
    }

    /// Bytes of all blocks in the file.
    var storedSize: Int { offsets[offsets.count - 1] }

    /// As it stands in the file; nil when memory ran out.
    var bytes: ByteBuffer? {
        let bytes = ByteBuffer()
        guard bytes.reserve(max(sums.count * Self.entrySize, 1)) else { return nil }
        for (index, sum) in sums.enumerated() {
            for number in [UInt32(place(of: index).count), sum] {
                withUnsafeBytes(of: number.littleEndian) { _ = bytes.append($0) }
            }
        }
        return bytes
    }

    /// Bytes of the table of a body.
    static func size(ofBody size: Int) -> Int { (size / blockSize + (size % blockSize == 0 ? 0 : 1)) * entrySize }

    /// The blocks that have some bytes of the body.
    func blocks(of range: Range<Int>) -> Range<Int> {
        guard !range.isEmpty else { return 0..<0 }
        return range.lowerBound / Self.blockSize..<(range.upperBound - 1) / Self.blockSize + 1
    }

    /// The bytes of the body that a block has.
    func content(of index: Int) -> Range<Int> {
        index * Self.blockSize..<min((index + 1) * Self.blockSize, bodySize)
    }

    /// The bytes of the file that a block has.
    func place(of index: Int) -> Range<Int> { offsets[index]..<offsets[index + 1] }

    func sum(of index: Int) -> UInt32 { sums[index] }
}
