internal import Glibc
internal import NetcoreHTTP

/// The hosts reached without a proxy: names, which stand for what is below them too, addresses and CIDR blocks, with
/// commas or blanks between, or "*" for all. Names and addresses may have a port, an IPv6 address then in brackets.
///
/// libcurl's own list knows no ports, and does not tell whether it applied.
struct ProxyBypass {
    private let entries: [Substring]

    init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }
    }

    /// - Parameter host: in lower case, an IPv6 address in brackets.
    func covers(host: Substring, port: Substring) -> Bool {
        let host = Self.withoutDot(host), address = Address(host)
        return entries.contains { entry in
            if entry == "*" { return true }
            let (place, entryPort) = Self.split(entry)
            guard entryPort == nil || entryPort == port else { return false }
            if let address { return Block(place)?.contains(address) ?? false }
            return Self.isSame(host, orBelow: place)
        }
    }

    /// An entry's host and port.
    private static func split(_ entry: Substring) -> (place: Substring, port: Substring?) {
        guard let colon = entry.lastIndex(of: ":") else { return (entry, nil) }
        let before = entry[..<colon]
        // More colons without brackets are an IPv6 address.
        guard before.hasSuffix("]") || !before.contains(":") else { return (entry, nil) }
        return (before, entry[entry.index(after: colon)...])
    }

    private static func isSame(_ host: Substring, orBelow domain: Substring) -> Bool {
        let bare = withoutDot(domain.hasPrefix(".") ? domain.dropFirst() : domain)
        let domain = HostName.ascii(String(bare)).lowercased()
        guard !domain.isEmpty, host.hasSuffix(domain) else { return false }
        let rest = host.dropLast(domain.count)
        return rest.isEmpty || rest.hasSuffix(".")
    }

    private static func withoutDot(_ name: Substring) -> Substring { name.hasSuffix(".") ? name.dropLast() : name }
}

/// The bytes of an IP address, 4 or 16.
private struct Address {
    let bytes: [UInt8]

    init?(_ text: Substring) {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        let inner = isBracketed ? text.dropFirst().dropLast() : text
        // A zone is not part of the address.
        let text = String(inner.prefix { $0 != "%" })
        let isLong = text.contains(":")
        var bytes = [UInt8](repeating: 0, count: isLong ? 16 : 4)
        guard inet_pton(isLong ? AF_INET6 : AF_INET, text, &bytes) == 1 else { return nil }
        self.bytes = bytes
    }
}

/// An address, or all that begin with the same bits.
private struct Block {
    let address: Address
    let bits: Int

    init?(_ text: Substring) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = Address(first) else { return nil }
        self.address = address
        let all = address.bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        self.bits = bits
    }

    func contains(_ other: Address) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            (address.bytes[bit / 8] ^ other.bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
        }
    }
}
