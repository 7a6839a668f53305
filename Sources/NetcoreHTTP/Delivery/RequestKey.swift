/// 128 bits that stand for what makes requests equal: two with the same bits are taken for equal. Made of two keyed hashes, whose keys are
/// this process's: it is of use within the process only.
package struct RequestKey: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(of bytes: UnsafeRawBufferPointer) {
        high = Self.hash(bytes, salt: 1)
        low = Self.hash(bytes, salt: 2)
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer, salt: UInt8) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(bytes: bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(low) }
}

/// Values in a row, each after its length, so that no two rows are the same bytes.
package struct RequestKeyText {
    private var bytes: [UInt8] = []

    package init(capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    package var key: RequestKey { bytes.withUnsafeBytes { RequestKey(of: $0) } }

    package mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// The same in lower case (ASCII).
    package mutating func add(lowercasing text: String) {
        addNumber(text.utf8.count)
        for byte in text.utf8 { bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte) }
    }

    package mutating func add(_ value: [UInt8]) { value.withUnsafeBytes { add($0) } }

    package mutating func add(_ value: UnsafeRawBufferPointer) {
        addNumber(value.count)
        bytes.append(contentsOf: value)
    }

    /// Of something long: its hash.
    package mutating func add(hashing value: UnsafeRawBufferPointer) { add(RequestKey(of: value)) }

    package mutating func add(_ key: RequestKey) {
        addNumber(Int(truncatingIfNeeded: key.high))
        addNumber(Int(truncatingIfNeeded: key.low))
    }

    package mutating func addNumber(_ number: Int) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }
}
