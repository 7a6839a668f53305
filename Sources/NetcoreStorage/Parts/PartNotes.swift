package import NetcoreSupport

/// What is kept beside the part of a file about it: a header, which says what it is a part of, and records of the bytes that are there.
/// Records of bytes that were seen to be on disk have two places, in which they are written in turn, and so have the others. Each has a
/// checksum, so that of a torn one only that one is lost.
package struct PartNotes: Sendable, Equatable {
    /// The state of the part at some time.
    package struct Record: Sendable, Equatable {
        /// The bytes that were there.
        package var present: ByteRanges
        /// Bytes come in several places at once: the length of the part no longer says which ones are there.
        package var hasGaps = false
        /// The system that wrote it, from one start to the next.
        package var bootID: [UInt8]
        /// ``RunningDigest/kept`` of the first bytes, up to the first gap; empty if nothing made it.
        package var digest: [UInt8] = []
        /// Whether the bytes were seen to be on disk before.
        package var isDurable = true
    }

    /// What the caller has to say of the representation.
    package var description: [UInt8]
    /// As of the record, for a part without one.
    package var bootID: [UInt8]
    /// The last record in each place; nil where there is none.
    private var records: [Record?] = [nil, nil, nil, nil]

    private static let magic = Array("ncpart02".utf8)
    static let bootIDSize = 36
    private static let largestDescription = 1 << 16
    /// Of a record, besides the bytes before the first gap: one for each gap.
    private static let mostIslands = 16
    private static let recordSize = 8 + bootIDSize + 4 + RunningDigest.stateSize + 16 * mostIslands + 8

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

    /// Where a record goes, and its bytes. It takes the place of the older one of its kind.
    package mutating func place(of record: Record) -> (offset: Int64, bytes: [UInt8]) {
        let first = record.isDurable ? 0 : 2
        let counts = records[first...(first + 1)].map { other in
            other.flatMap { $0.isDurable || $0.bootID == record.bootID ? $0.present.count : nil } ?? -1
        }
        let place = first + (counts[0] > counts[1] ? 1 : 0)
        records[place] = record
        return (Int64(header.count + place * Self.recordSize), Self.bytes(record, headerSum))
    }

    private static func bytes(_ record: Record, _ headerSum: Int64) -> [UInt8] {
        let prefix = record.present.prefix
        // Bytes of which there is no note come again.
        let islands = record.present.ranges.filter { $0.lowerBound > 0 }.prefix(mostIslands)
        let hasDigest = record.digest.count == RunningDigest.stateSize
        var bytes = number(prefix) + padded(record.bootID)
        bytes += [hasDigest ? 1 : 0, record.isDurable ? 1 : 0, record.hasGaps ? 1 : 0, UInt8(islands.count)]
        bytes += hasDigest ? record.digest : [UInt8](repeating: 0, count: RunningDigest.stateSize)
        for island in islands { bytes += number(island.lowerBound) + number(island.upperBound) }
        bytes += [UInt8](repeating: 0, count: recordSize - 8 - bytes.count)
        return bytes + number(sum(bytes, headerSum))
    }

    /// Ties records to their header. (A sum of the header with its sum would be the same for all: that is how a CRC is.)
    private var headerSum: Int64 { Self.sum(headerFields, 0) }

    // MARK: Reading

    /// Larger files are none of these.
    package static let largestSize = largestDescription + 4096

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
        records = (0..<4).map { Self.record(bytes, at: end + 8 + $0 * Self.recordSize, headerSum) }
    }

    private static func record(_ bytes: [UInt8], at start: Int, _ headerSum: Int64) -> Record? {
        let end = start + recordSize - 8
        guard bytes.count >= end + 8, readNumber(bytes, end) == sum(Array(bytes[start..<end]), headerSum) else {
            return nil
        }
        let prefix = readNumber(bytes, start)
        let flags = start + 8 + bootIDSize
        let digestStart = flags + 4
        var offset = digestStart + RunningDigest.stateSize
        guard prefix >= 0, bytes[flags + 3] <= mostIslands else { return nil }
        var present = ByteRanges(first: prefix)
        for _ in 0..<bytes[flags + 3] {
            let (lower, upper) = (readNumber(bytes, offset), readNumber(bytes, offset + 8))
            guard lower > prefix, lower < upper else { return nil }
            present.insert(lower..<upper)
            offset += 16
        }
        return Record(
            present: present, hasGaps: bytes[flags + 2] == 1, bootID: Array(bytes[(start + 8)..<flags]),
            digest: bytes[flags] == 1 ? Array(bytes[digestStart..<(digestStart + RunningDigest.stateSize)]) : [],
            isDurable: bytes[flags + 1] == 1)
    }

    // MARK: Rules

    /// Whether bytes came in several places at once.
    package var hasGaps: Bool { records.contains { $0?.hasGaps ?? false } }

    /// The last record that counts: after a restart of the system one of bytes that may not have come to the disk does not.
    package func record(bootID now: [UInt8]) -> Record? {
        records.compactMap { $0 }.filter { $0.isDurable || $0.bootID == now }
            .max { $0.present.count < $1.present.count }
    }

    /// Which bytes of a part count: without gaps all of them, but after a restart of the system only those of a record.
    package func trusted(ofPart size: Int64, bootID now: [UInt8]) -> ByteRanges {
        let isOfThisStart =
            records.contains { $0?.bootID == now } || records.allSatisfy { $0 == nil } && bootID == now
        if isOfThisStart, !hasGaps { return ByteRanges(first: size) }
        return (record(bootID: now)?.present ?? ByteRanges()).clipped(to: size)
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
