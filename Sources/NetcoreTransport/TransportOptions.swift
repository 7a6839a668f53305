/// What all transfers of a client share.
package struct TransportOptions: Sendable {
    package enum TLSVersion: Sendable {
        case v1_2
        case v1_3
    }

    package enum AddressFamily: Sendable {
        case any
        case v4
        case v6
    }

    package var minimumTLS = TLSVersion.v1_2
    package var verifiesPeer = true
    package var pinnedKeys = PinnedKeys()
    package var allowsHTTP2 = true
    /// Trusted authorities, in place of the system's; both nil: those.
    package var caFile: String?
    /// A folder, or several with colons between.
    package var caFolder: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    package var clientKeyPassword: String?
    package var proxy = ProxySettings()
    /// "host:port:address", as CURLOPT_RESOLVE takes them.
    package var resolve: [String] = []
    package var unixSocket: String?
    package var interface: String?
    package var addressFamily = AddressFamily.any

    package var netrcFile: String?

    package init() {}
}
