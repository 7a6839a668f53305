public import NetcoreHTTP
package import NetcoreTransport

extension Client {
    /// Options of a client, chosen once.
    public struct Options: Sendable {
        public enum TLSVersion: Sendable {
            case v1_2
            case v1_3
        }

        /// How completions are handed over. `async` functions work in each mode.
        public var completions = CompletionMode.callback
        /// The lowest TLS version to accept.
        public var minimumTLS = TLSVersion.v1_2
        /// Whether HTTP/2 is used, over TLS, when the server agrees.
        public var allowsHTTP2 = true
        /// A PEM file of trusted certificate authorities, in place of the system's.
        public var caFile: String?
        /// A PEM file with the client's certificate (and chain).
        public var clientCertificateFile: String?
        /// A PEM file with the client's private key; default: the certificate's file.
        public var clientKeyFile: String?
        public var clientKeyPassword: String?
        /// A proxy's URL: http, https, socks5 or socks5h. Nil: as the environment says (http_proxy, https_proxy,
        /// HTTPS_PROXY, all_proxy, ALL_PROXY, read once). Empty: none.
        public var proxy: String?
        /// Hosts reached directly, with commas between; nil: no_proxy or NO_PROXY of the environment.
        public var proxyBypass: String?
        /// The User-Agent field; empty for none.
        public var userAgent = "netcore/\(NetcoreVersion.string)"
        public var limits = ClientLimits()
        /// Where answers are stored and served from; nil for none. Several clients may share one.
        public var cache: Cache?
        /// In place of libcurl, for tests without sockets.
        package var makeTransport: (@Sendable () -> any Transport)?

        public init() {}
    }
}

/// Limits of a client.
public struct ClientLimits: Sendable, Hashable {
    /// What one task may receive, where its request does not say.
    public var task = Limits()
    /// Transfers at once in all; at least 1.
    public var transfers = 256
    /// Transfers at once to one scheme, host and port; at least 1.
    public var transfersPerHost = 64
    /// Tasks dispatched but not yet transferring; beyond it a dispatch fails.
    public var queueLength = 65_536

    public init() {}
}

extension Client.Options {
    /// Checks what can be checked before the first request.
    func transportOptions() throws(NetcoreError) -> TransportOptions {
        var result = TransportOptions()
        result.minimumTLS = minimumTLS == .v1_3 ? .v1_3 : .v1_2
        result.allowsHTTP2 = allowsHTTP2
        result.caFile = try Self.readable(caFile, "ca_file")
        result.clientCertificateFile = try Self.readable(clientCertificateFile, "client_certificate_file")
        result.clientKeyFile = try Self.readable(clientKeyFile, "client_key_file")
        result.clientKeyPassword = clientKeyPassword
        guard Syntax.isFieldValue(userAgent.utf8) else {
            throw NetcoreError(.invalidArgument, "user_agent: it has a control byte")
        }
        if let proxy, !proxy.isEmpty { try ProxySettings.check(proxy) }
        result.proxy = ProxySettings(
            proxy: proxy, bypass: proxyBypass, environment: ProxySettings.environment)
        return result
    }

    private static func readable(_ file: String?, _ argument: String) throws(NetcoreError) -> String? {
        guard let file else { return nil }
        guard FileAccess.isReadable(file) else {
            throw NetcoreError(.tlsConfig, "\(argument): the file cannot be read")
        }
        return file
    }
}
