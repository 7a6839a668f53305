/// What all transfers of a client share.
package struct TransportOptions: Sendable {
    package enum TLSVersion: Sendable {
        case v1_2
        case v1_3
    }

    package var minimumTLS = TLSVersion.v1_2
    package var allowsHTTP2 = true
    package var caFile: String?
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    package var clientKeyPassword: String?
    package var proxy = ProxySettings()

    package init() {}
}
