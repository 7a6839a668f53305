internal import CCoding

/// A SHA-256 digest of bytes that come piece by piece, whose state can be kept and taken up again.
package struct RunningDigest: Sendable {
    /// 32 bytes of the sum, and 64 of a block that is not full.
    package static let stateSize = 96

    private var state = netcore_sha256_state()
    /// Bytes that were added.
    package private(set) var count: Int64 = 0

    package init() { netcore_sha256_begin(&state) }

    /// Goes on where another one was after `count` bytes.
    package init?(state kept: [UInt8], count: Int64) {
        guard kept.count == Self.stateSize, count >= 0 else { return nil }
        kept.withUnsafeBytes { bytes in
            var sum = (0..<8).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
            let block = bytes.baseAddress.map { ($0 + 32).assumingMemoryBound(to: UInt8.self) }
            netcore_sha256_resume(&state, UInt64(count), &sum, block)
        }
        self.count = count
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        netcore_sha256_add(&state, bytes.baseAddress, bytes.count)
        count += Int64(bytes.count)
    }

    /// For ``init(state:count:)``.
    package var kept: [UInt8] {
        var result = [UInt8](repeating: 0, count: Self.stateSize)
        withUnsafePointer(to: state) { state in
            result.withUnsafeMutableBytes { room in
                netcore_sha256_get(state, room.baseAddress, room.baseAddress.map { $0 + 32 })
            }
        }
        return result
    }

    /// The 32 bytes of the digest of what was added.
    package var value: [UInt8] {
        var copy = state
        var result = [UInt8](repeating: 0, count: 32)
        result.withUnsafeMutableBytes { netcore_sha256_end(&copy, $0.baseAddress) }
        return result
    }
}
