internal import CCoding

/// Digests of bytes, by libcrypto.
package enum Digest {
    private static let digits = Array("0123456789abcdef".utf8)

    /// SHA-256 in hexadecimal.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { room in
            netcore_sha256(bytes.baseAddress, bytes.count, room.baseAddress)
            return String(unsafeUninitializedCapacity: 64) { text in
                for (index, byte) in room.enumerated() {
                    text[2 * index] = digits[Int(byte >> 4)]
                    text[2 * index + 1] = digits[Int(byte & 15)]
                }
                return 64
            }
        }
    }
}
