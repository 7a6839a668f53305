internal import NetcoreHTTP
internal import NetcoreSupport
package import NetcoreTransport

extension Client {
    /// Options of a client, chosen once.
    public struct Options: Sendable {
        /// Which addresses connections go to.
        public enum AddressFamily: Sendable {
            case any
            case v4
            case v6
        }

        public enum TLSVersion: Sendable {
            case v1_2
            case v1_3
        }

        /// How completions are handed over. `async` functions work in each mode.
        public var completions = CompletionMode.callback
        /// The lowest TLS version to accept.
        public var minimumTLS = TLSVersion.v1_2
        /// Whether certificates are checked. Without that anybody on the way can read and change everything: each connection
        /// is warned of in the log.
        public var verifiesPeer = true
        /// Public keys, of which a server must show one (RFC 7469 section 2.4): the pinned one, and backups. By host; "*."
        /// before a domain stands for all names under it. Each key is "sha256//" and the base64 of the digest of the
        /// SubjectPublicKeyInfo.
        public var pinnedKeys: [(host: String, keys: [String])] = []
        /// Whether HTTP/2 is used, over TLS, when the server agrees.
        public var allowsHTTP2 = true
        /// A PEM file of trusted certificate authorities, in place of the system's. Nil in both this and ``caFolder``: what
        /// SSL_CERT_FILE and SSL_CERT_DIR of the environment name (read once), or the system's.
        public var caFile: String?
        /// A folder of such files, named by their hashes (openssl rehash), in place of the system's.
        public var caFolder: String?
        /// A PEM file with the client's certificate (and chain).
        public var clientCertificateFile: String?
        /// A PEM file with the client's private key; default: the certificate's file.
        public var clientKeyFile: String?
        public var clientKeyPassword: String?
        /// Whether proxies, exceptions from them and trusted authorities that these options do not name are taken from the
        /// environment; on by default.
        public var usesEnvironment = true
        /// A proxy's URL: http, https, socks5 or socks5h. Nil: as the environment says (http_proxy, https_proxy,
        /// HTTPS_PROXY, all_proxy, ALL_PROXY, read once). Empty: none.
        public var proxy: String?
        /// The same for http URLs only, and for https URLs only; each goes before ``proxy``. Nil: as ``proxy`` and the environment say.
        public var httpProxy: String?
        public var httpsProxy: String?
        /// Hosts reached directly, with commas between; nil: no_proxy or NO_PROXY of the environment.
        public var proxyBypass: String?
        /// Addresses that are used without being looked up: "host:port:address[,address]…", an IPv6 address in brackets.
        public var resolve: [String] = []
        /// The path of a Unix-domain socket that all connections go to, whatever the URL's host. No proxy is used then.
        public var unixSocket: String?
        /// The network interface, host name or address that connections come from.
        public var interface: String?
        public var addressFamily = AddressFamily.any
        /// The User-Agent field; empty for none.
        public var userAgent = "netcore/\(NetcoreVersion.string)"
        public var limits = ClientLimits()
        /// Whether cookies are kept (RFC 6265).
        public var keepsCookies = false
        /// A file to keep cookies in, in the format of curl; cookies are kept then. Read at the start, written soon after each change
        /// and at the end, with the mode 0600.
        public var cookieFile: String?
        /// A file to keep the hosts in that ask for https only (HSTS, RFC 6797), in the format of curl; "" keeps them in memory.
        /// Requests to them go by https then, in place of http: redirects and custom ones, too. Read and written as ``cookieFile``.
        /// Nil: what hosts ask for is not kept.
        public var hstsFile: String?
        /// A file of user names and passwords, by host, as curl and ftp read it; "" for .netrc in the home folder. Used for requests
        /// without other credentials, but custom ones.
        public var netrcFile: String?
        /// A file to keep alternative services in (RFC 7838), in the format of curl; "" keeps them in memory. Connections to a host
        /// then go where it said by Alt-Svc that it can be reached too; one that fails is left alone for five minutes, and the host
        /// itself is asked. Read and written as ``cookieFile``. Nil: what hosts say is not kept.
        public var altSvcFile: String?
        /// The Accept-Encoding field of requests that have none of their own: a list of gzip, deflate, br, zstd and identity, each
        /// with a q value or without; empty for none.
        public var acceptEncoding = "gzip,br,zstd"  // without spaces: libcurl formats a request byte by byte
        /// Where answers are stored and served from; nil for none. Several clients may share one.
        public var cache: Cache?
        /// When requests that do not say otherwise are sent again because of their answer or error; nil, the default, for never.
        public var retries: RetryPolicy? {
            get { retryRule?.policy }
            set { retryRule = newValue.map { RetryRule(unchecked: $0) } }
        }
        /// ``retries`` in one object, not yet checked.
        private(set) var retryRule: RetryRule?
        /// When requests to an origin that fails are refused for a while; nil, the default, for never.
        public var breaker: BreakerPolicy?
        /// When the client goes from the selected service to the next because it fails; nil, the default, for never.
        public var failover: FailoverPolicy?
        /// When requests that do not say otherwise get a hedge, a second try beside the first; nil, the default, for never.
        public var hedging: HedgePolicy?
        /// Answers requests in place of the network, as ``Client/setTransport(_:)`` sets it.
        public var transport: Client.TransportFunction?
        /// In place of the machine's clock, for tests; nil, the default, for that. ``cache`` must have the same.
        public var clock: ManualClock?
        /// In place of libcurl, for tests of netcore without sockets.
        package var makeTransport: (@Sendable (@escaping Post) -> any Transport)?

        public init() {}
    }
}

extension Client.Options {
    /// Checks what can be checked before the first request.
    func transportOptions() throws(NetcoreError) -> TransportOptions {
        var result = TransportOptions()
        result.minimumTLS = minimumTLS == .v1_3 ? .v1_3 : .v1_2
        result.allowsHTTP2 = allowsHTTP2
        result.verifiesPeer = verifiesPeer
        for pinned in pinnedKeys {
            try result.pinnedKeys.add(host: pinned.host, keys: pinned.keys.joined(separator: ";"), "pinned_keys")
        }
        for (path, kind, option) in [
            (clientCertificateFile, .file, "client_certificate_file"), (clientKeyFile, .file, "client_key_file"),
        ] as [(String?, FileAccess.Kind, String)] {
            if let path { try FileAccess.check(path, is: kind, option: option, .tlsConfig) }
        }
        try setAuthorities(&result)
        result.clientCertificateFile = clientCertificateFile
        result.clientKeyFile = clientKeyFile
        result.clientKeyPassword = clientKeyPassword
        guard Syntax.isFieldValue(userAgent.utf8) else {
            throw NetcoreError(.invalidArgument, argument: "user_agent", "must not contain control characters")
        }
        guard acceptEncoding.isEmpty || ContentCoding.canDecode(accepted: acceptEncoding) else {
            throw NetcoreError(
                .invalidArgument, argument: "accept_encoding", "must be a list of gzip, deflate, br, zstd and identity")
        }
        if let file = netrcFile?.isEmpty ?? false ? FileAccess.homeNetrc : netrcFile {
            try FileAccess.check(file, is: .file, option: "netrc_file", .storage)
        }
        result.netrcFile = netrcFile
        try setRoute(&result)
        for (proxy, option) in [(proxy, "proxy"), (httpProxy, "http_proxy"), (httpsProxy, "https_proxy")] {
            if let proxy, !proxy.isEmpty { try ProxySettings.check(proxy, option) }
        }
        result.proxy = ProxySettings(
            http: httpProxy ?? proxy, https: httpsProxy ?? proxy, bypass: proxyBypass,
            environment: usesEnvironment ? ProxySettings.environment : { _ in nil })
        return result
    }

    /// Gives seconds since 1970-01-01 UTC.
    var wallSeconds: @Sendable () -> Int64 {
        guard let clock else { return { Timestamp.now.wall / 1000 } }
        return { clock.timestamp.wall / 1000 }
    }

    func makeCookies() throws(NetcoreError) -> CookieStore? {
        keepsCookies || cookieFile != nil ? try CookieStore(file: cookieFile, clock: wallSeconds) : nil
    }

    /// A service is trusted by the certificate of its origin: without a check there are none.
    func makeAlternatives() throws(NetcoreError) -> AlternativeStore? {
        guard let altSvcFile else { return nil }
        let store = try AlternativeStore(file: altSvcFile, allowsHTTP2: allowsHTTP2, clock: wallSeconds)
        return verifiesPeer && unixSocket == nil ? store : nil
    }

    private func setRoute(_ result: inout TransportOptions) throws(NetcoreError) {
        for entry in resolve where !Self.isResolveEntry(entry) {
            throw NetcoreError(.invalidArgument, argument: "resolve", "each entry must be host:port:address")
        }
        result.resolve = resolve
        if let unixSocket {
            guard !unixSocket.isEmpty, unixSocket.utf8.count < 108 else {
                throw NetcoreError(.invalidArgument, argument: "unix_socket", "must have 1 to 107 bytes")
            }
        }
        if interface?.isEmpty ?? false {
            throw NetcoreError(.invalidArgument, argument: "interface", "must not be empty")
        }
        result.unixSocket = unixSocket
        result.interface = interface
        result.addressFamily =
            switch addressFamily {
            case .any: .any
            case .v4: .v4
            case .v6: .v6
            }
    }

    /// "host:port:address": a host, a port from 1 to 65,535, and something after it.
    private static func isResolveEntry(_ text: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0 else { return false }
        return !parts[2].isEmpty && !text.utf8.contains { $0 <= 0x20 }
    }
}
