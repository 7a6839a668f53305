internal import CCoding

/// A CRC-32 over values, each with its length, so that bytes cannot move from one to the next unseen.
struct Checksum {
    private(set) var value: UInt = crc32(0, nil, 0)

    init() {}

    mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { value = Self.extend(value, $0) }
    }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        add(Int64(bytes.count))
        value = Self.extend(value, bytes)
    }

    mutating func add(_ text: String) {
        var text = text
        text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    static func of(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(extend(crc32(0, nil, 0), bytes))
    }

    private static func extend(_ value: UInt, _ bytes: UnsafeRawBufferPointer) -> UInt {
        guard !bytes.isEmpty else { return value }
        return crc32_z(value, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
}
