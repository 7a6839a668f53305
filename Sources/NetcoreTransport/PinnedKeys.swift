package import NetcoreHTTP

/// The public keys that servers must show, by host: those of a name, and of all names under a domain.
package struct PinnedKeys: Sendable {
    /// Hosts in lower case; "*." begins one that stands for all names under a domain. Values as libcurl takes them.
    private var keys: [String: String] = [:]

    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    /// Adds keys for a host: "sha256//" and 44 characters of base64 each, with ";" between several.
    package mutating func add(host: String, keys text: String, _ argument: String) throws(NetcoreError) {
        let isWide = host.hasPrefix("*.")
        let name = (isWide ? "*." : "") + HostName.ascii(isWide ? String(host.dropFirst(2)) : host).lowercased()
        let bare = name.hasPrefix("*.") ? name.dropFirst(2) : name[...]
        let isBad = { (byte: UInt8) in
            byte <= 0x20 || byte >= 0x80 || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "/")
        }
        guard !bare.isEmpty, !bare.utf8.contains(where: isBad) else {
            throw NetcoreError(.invalidArgument, argument: "\(argument)", "the host must be a name")
        }
        let all = text.split(separator: ";", omittingEmptySubsequences: false)
        guard all.allSatisfy(Self.isKey) else {
            throw NetcoreError(
                .invalidArgument,
                argument: "\(argument)", "a key must be sha256// and the base64 of 32 bytes, with ; between several")
        }
        keys[name] = keys[name].map { "\($0);\(text)" } ?? text
    }

    /// The keys for a host name; nil when any will do.
    func keys(for host: String) -> String? {
        guard !keys.isEmpty else { return nil }
        let name = host.lowercased()
        if let found = keys[name] { return found }
        var rest = name[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[rest.index(after: dot)...]
            if let found = keys["*.\(rest)"] { return found }
        }
        return nil
    }

    /// 32 bytes are 43 characters, of which the last stands for four bits, and "=".
    private static func isKey(_ text: Substring) -> Bool {
        guard text.hasPrefix("sha256//") else { return false }
        let key = Array(text.utf8.dropFirst(8))
        guard key.count == 44, key[43] == UInt8(ascii: "="), let last = value(key[42]), last & 3 == 0 else {
            return false
        }
        return key.dropLast().allSatisfy { value($0) != nil }
    }

    /// What a character of base64 stands for (RFC 4648 section 4).
    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
