internal import NetcoreSupport

/// What is kept beside the part of a file about it: a header, which says what it is a part of, and two places for records, which are
/// written in turn. Each has a checksum, so that of a torn one only that one is lost.
package struct PartNotes: Sendable, Equatable {
    /// The state of the part at some time.
    package struct Record: Sendable, Equatable {
        /// So many bytes of the part were there.
        package var position: Int64
        /// The system that wrote it, from one start to the next.
        package var bootID: [UInt8]
        /// ``RunningDigest/kept`` of these bytes; empty if nothing made it.
        package var digest: [UInt8] = []
        /// Whether the bytes were seen to be on disk before.
        package var isDurable = true
    }

    /// What the caller has to say of the representation.
    package var description: [UInt8]
    /// As of the record, for a part without one.
    package var bootID: [UInt8]
    package var record: Record?

    private static let magic = Array("ncpart01".utf8)
    static let bootIDSize = 36
    private static let largestDescription = 1 << 16
    private static let recordSize = 8 + bootIDSize + 4 + RunningDigest.stateSize + 8

    package init(description: [UInt8], bootID: [UInt8]) {
        self.description = description
        self.bootID = bootID
    }

    // MARK: Writing

    /// The bytes of the header.
    package var header: [UInt8] { headerFields + Self.number(headerSum) }

    private var headerFields: [UInt8] {
        Self.magic + Self.number(Int64(description.count)) + Self.padded(bootID) + description
    }

    /// Where a record goes, and its bytes.
    ///
    /// - Parameter turn: of the records of this header, its number, from 0 on.
    package func place(of record: Record, turn: Int) -> (offset: Int64, bytes: [UInt8]) {
        var bytes = Self.number(record.position) + Self.padded(record.bootID)
        let hasDigest = record.digest.count == RunningDigest.stateSize
        bytes += [hasDigest ? 1 : 0, record.isDurable ? 1 : 0, 0, 0]
        bytes += hasDigest ? record.digest : [UInt8](repeating: 0, count: RunningDigest.stateSize)
        bytes += Self.number(Self.sum(bytes, headerSum))
        return (Int64(header.count + turn % 2 * Self.recordSize), bytes)
    }

    /// Ties records to their header. (A sum of the header with its sum would be the same for all: that is how a CRC is.)
    private var headerSum: Int64 { Self.sum(headerFields, 0) }

    // MARK: Reading

    /// Larger files are none of these.
    package static let largestSize = largestDescription + 1024

    /// Nil without a whole header.
    package init?(_ bytes: [UInt8]) {
        let start = Self.magic.count + 8 + Self.bootIDSize
        guard bytes.count >= start, bytes.starts(with: Self.magic) else { return nil }
        let size = Self.readNumber(bytes, Self.magic.count)
        guard size >= 0, size <= Self.largestDescription, bytes.count >= start + Int(size) + 8 else { return nil }
        let end = start + Int(size)
        guard Self.readNumber(bytes, end) == Self.sum(Array(bytes[..<end]), 0) else { return nil }
        description = Array(bytes[start..<end])
        bootID = Array(bytes[(Self.magic.count + 8)..<start])
        let records = [0, 1].compactMap { Self.record(bytes, at: end + 8 + $0 * Self.recordSize, headerSum) }
        record = records.max { $0.position < $1.position }
    }

    private static func record(_ bytes: [UInt8], at start: Int, _ headerSum: Int64) -> Record? {
        let end = start + recordSize - 8
        guard bytes.count >= end + 8, readNumber(bytes, end) == sum(Array(bytes[start..<end]), headerSum) else {
            return nil
        }
        let position = readNumber(bytes, start)
        guard position >= 0 else { return nil }
        let digestStart = start + 8 + bootIDSize + 4
        return Record(
            position: position, bootID: Array(bytes[(start + 8)..<(start + 8 + bootIDSize)]),
            digest: bytes[digestStart - 4] == 1 ? Array(bytes[digestStart..<end]) : [],
            isDurable: bytes[digestStart - 3] == 1)
    }

    // MARK: Rules

    /// How many bytes of a part count: after a restart of the system only those that a record speaks of, for the others may not have
    /// come to the disk.
    package func trustedSize(ofPart size: Int64, bootID now: [UInt8]) -> Int64 {
        if (record?.bootID ?? bootID) == now { return size }
        guard let record, record.isDurable else { return 0 }
        return min(size, record.position)
    }

    // MARK: Bytes

    private static func padded(_ bootID: [UInt8]) -> [UInt8] {
        Array((bootID + [UInt8](repeating: 0, count: bootIDSize)).prefix(bootIDSize))
    }

    private static func number(_ value: Int64) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }

    private static func readNumber(_ bytes: [UInt8], _ offset: Int) -> Int64 {
        bytes.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int64.self)) }
    }

    private static func sum(_ bytes: [UInt8], _ seed: Int64) -> Int64 {
        var checksum = Checksum()
        checksum.add(seed)
        bytes.withUnsafeBytes { checksum.add($0) }
        return Int64(checksum.value)
    }
}
