/// Another place where an origin can be reached (RFC 7838 section 2), by HTTP/2 or HTTP/1.1.
package struct AlternativeService: Sendable, Hashable {
    package let speaksHTTP2: Bool
    /// In canonical form.
    package let host: String
    package let port: UInt16
    /// In seconds since 1970.
    package let expires: Int64
    /// Whether it stays when the network changes.
    package let persists: Bool

    package init(speaksHTTP2: Bool, host: String, port: UInt16, expires: Int64, persists: Bool) {
        self.speaksHTTP2 = speaksHTTP2
        self.host = host
        self.port = port
        self.expires = expires
        self.persists = persists
    }

    /// Host and port as they stand in a URL.
    package var authority: String { Origin(host: host, port: port).authority }
}

/// A host and a port that are spoken to by https.
package struct Origin: Sendable, Hashable {
    /// In canonical form.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Nil for a URL of http, and where the host has no canonical form, or a zone of this machine.
    package init?(_ url: HTTPURL) {
        guard url.isSecure, let colon = url.origin.utf8.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(url.origin[colon...].dropFirst())
        else { return nil }
        self.init(host: HostName.of(url), port: port)
        guard HostName.isCanonical(host) else { return nil }
    }

    package var authority: String { host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
