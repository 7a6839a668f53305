extension Cookie {
    /// Bytes that name and value may have together (RFC 6265bis section 5.6).
    static let sizeLimit = 4096

    /// The cookie with its domain in canonical form. Throws what no server could set either: bytes that would not survive
    /// the way through a header field or a file, a public suffix, a promise in the name (RFC 6265bis section 4.1.3) that
    /// the cookie does not keep.
    package func validated() throws(NetcoreError) -> Cookie {
        guard !nameBytes.isEmpty, Self.isText(nameBytes), !nameBytes.contains(UInt8(ascii: "=")) else {
            throw Self.error(
                "name", "must not be empty, contain =, ; or control characters, or begin or end with a space")
        }
        guard Self.isText(valueBytes) else {
            throw Self.error("value", "must not contain ; or control characters, or begin or end with a space")
        }
        guard nameBytes.count + valueBytes.count <= Self.sizeLimit else {
            throw Self.error("value", "with the name it has more than \(Self.sizeLimit) bytes")
        }
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Self.error("path", "must begin with a slash and contain no control characters")
        }
        var result = self
        result.domain = Self.canonical(domain: domain)
        guard domain.utf8.last != UInt8(ascii: "."), HostName.isCanonical(result.domain, allowsZone: true) else {
            throw Self.error("domain", "must be a host name in ASCII")
        }
        if HostName.isAddress(result.domain) {
            result.isHostOnly = true
        } else if !isHostOnly, PublicSuffixes.registrableDomain(of: result.domain) == nil {
            throw Self.error("domain", "must not be a public suffix")
        }
        guard result.keepsPromises else {
            throw Self.error("name", "__Secure- needs a secure cookie, __Host- one of a single host for the path / too")
        }
        return result
    }

    /// A domain as it is compared: the dot in front means nothing.
    package static func canonical(domain: String) -> String {
        HostName.canonical(domain.utf8.first == UInt8(ascii: ".") ? domain.utf8.dropFirst() : domain.utf8[...])
    }

    /// No control byte, tab included, for it parts the fields of a file; no semicolon; no space at an end.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: ";") } && bytes.first != 0x20
            && bytes.last != 0x20
    }

    private var keepsPromises: Bool {
        if hasPrefix("__secure-") { return isSecure }
        if hasPrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return true
    }

    /// - Parameter prefix: in lower case.
    func hasPrefix(_ prefix: String) -> Bool {
        nameBytes.lazy.map(Syntax.lowercased).starts(with: prefix.utf8)
    }

    private static func error(_ argument: String, _ message: String) -> NetcoreError {
        NetcoreError(.invalidArgument, argument: argument, message)
    }
}
