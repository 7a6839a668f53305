/// The fields Repr-Digest (RFC 9530 section 3), digests of the whole representation, whatever part of it an answer brings, and
/// Content-Digest (section 2), of what a message brings. Each is a dictionary of byte sequences (RFC 8941): `sha-256=:base64:, sha-512=:…:`.
package enum ReprDigest {
    /// The 32 bytes of the SHA-256 digest; nil without one that can be read. The last of several counts, as in each dictionary.
    package static func sha256(_ fields: FieldBlock, _ name: StaticString = "repr-digest") -> [UInt8]? {
        guard let joined = fields.joinedValue(of: name) else { return nil }
        var found: [UInt8]?
        for member in String(decoding: joined, as: UTF8.self).split(separator: ",") {
            let parts = member.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]) == "sha-256" else { continue }
            let item = trimmed(parts[1]).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)[0]
            found = bytes(item)
        }
        return found
    }

    private static func trimmed(_ text: Substring) -> String {
        var rest = text
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return String(rest)
    }

    private static func bytes(_ item: Substring) -> [UInt8]? {
        let item = Array(item.utf8)
        guard item.count >= 2, item.first == UInt8(ascii: ":"), item.last == UInt8(ascii: ":") else { return nil }
        let bytes = base64(item[1..<(item.count - 1)])
        return bytes?.count == 32 ? bytes : nil
    }

    /// RFC 4648 section 4; what is missing of its padding is no error.
    private static func base64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var value: UInt32 = 0
        var bits = 0
        for digit in text.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
            let six: UInt8
            switch digit {
            case 0x41...0x5A: six = digit - 0x41
            case 0x61...0x7A: six = digit - 0x61 + 26
            case 0x30...0x39: six = digit - 0x30 + 52
            case 0x2B: six = 62
            case 0x2F: six = 63
            default: return nil
            }
            value = value << 6 | UInt32(six)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
            }
        }
        return bytes
    }
}
