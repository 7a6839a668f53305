internal import CCurl
internal import Glibc
package import NetcoreHTTP

/// The proxy of each scheme, and the hosts reached without one.
package struct ProxySettings: Sendable, Equatable {
    package var http: String?
    package var https: String?
    package var bypass = ""

    package init() {}

    /// An explicit proxy wins over the environment; an explicit empty one means none.
    package init(http: String?, https: String?, bypass: String?, environment: (String) -> String?) {
        func named(_ names: [String]) -> String? {
            for name in names {
                if let value = environment(name), !value.isEmpty { return value }
            }
            return nil
        }
        func own(_ proxy: String) -> String? { proxy.isEmpty ? nil : proxy }
        // HTTP_PROXY in capitals can be set by a client's "Proxy:" header under CGI; it is not read.
        self.http = http.map(own) ?? named(["http_proxy", "all_proxy", "ALL_PROXY"])
        self.https = https.map(own) ?? named(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        self.bypass = bypass ?? named(["no_proxy", "NO_PROXY"]) ?? ""
    }

    /// One proxy for both schemes.
    package init(proxy: String?, bypass: String?, environment: (String) -> String?) {
        self.init(http: proxy, https: proxy, bypass: bypass, environment: environment)
    }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The proxy on the way to an origin, as `HTTPURL` writes it; empty for none.
    package func proxy(for origin: String) -> String {
        let isSecure = origin.hasPrefix("https://")
        let start = origin.utf8.index(origin.startIndex, offsetBy: isSecure ? 8 : 7, limitedBy: origin.endIndex)
        guard let proxy = isSecure ? https : http, let start, let colon = origin.lastIndex(of: ":"), start < colon
        else { return "" }
        let host = origin[start..<colon], port = origin[origin.index(after: colon)...]
        return ProxyBypass(bypass).covers(host: host, port: port) ? "" : proxy
    }
}

extension ProxySettings {
    private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Refuses what libcurl could not use as a proxy, without quoting it: it may hold a password.
    package static func check(_ proxy: String, _ option: String = "proxy") throws(NetcoreError) {
        guard let handle = curl_url() else { throw NetcoreError(.outOfMemory) }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DEFAULT_SCHEME)
        var scheme: UnsafeMutablePointer<CChar>?
        guard !proxy.utf8.contains(0), curl_url_set(handle, CURLUPART_URL, proxy, flags) == CURLUE_OK,
            curl_url_get(handle, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK, let scheme
        else { throw NetcoreError(.invalidArgument, argument: option, "not a URL") }
        defer { curl_free(scheme) }
        guard schemes.contains(String(cString: scheme)) else {
            throw NetcoreError(.invalidArgument, argument: option, "the scheme must be http, https, socks5 or socks5h")
        }
        guard proxy.utf8.allSatisfy({ $0 < 0x80 }) || HostName.canBeASCII(handle) else {
            throw NetcoreError(
                .invalidArgument, argument: option,
                "the host has no form in ASCII, or the locale of the process is not one of UTF-8")
        }
    }
}
