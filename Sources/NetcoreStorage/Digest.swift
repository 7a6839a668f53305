internal import CCoding

/// Digests of bytes, by libcrypto.
package enum Digest {
    /// SHA-256 in hexadecimal.
    package static func sha256(_ bytes: UnsafeRawBufferPointer) -> String {
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { room in
            netcore_sha256(bytes.baseAddress, bytes.count, room.baseAddress)
            var text = ""
            for byte in room {
                if byte < 16 { text += "0" }
                text += String(byte, radix: 16)
            }
            return text
        }
    }
}
