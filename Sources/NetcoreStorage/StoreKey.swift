/// What an answer is stored under, with its hash, so that each tier need not compute it again.
///
/// Two keys are the same when their bytes are: unlike strings, which may be equal as characters and differ as bytes.
package struct StoreKey: Hashable, Sendable {
    package let text: String
    /// Seeded anew in each process: a choice of URLs cannot be a choice of collisions.
    let hash: Int

    static let none = StoreKey("")

    package init(_ text: String) {
        var text = text
        hash = text.withUTF8 { bytes in
            var hasher = Hasher()
            hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            return hasher.finalize()
        }
        self.text = text
    }

    /// The hashes are of the bytes: with them, equal strings are equal bytes.
    package static func == (left: Self, right: Self) -> Bool {
        left.hash == right.hash && left.text == right.text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}

extension String {
    /// Whether both are the same bytes.
    func isSame(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// A hash that is the same in every process: 64-bit FNV-1a, its bits mixed at the end.
    var stableHash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
