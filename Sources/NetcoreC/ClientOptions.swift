internal import CNetcore
internal import Netcore
internal import NetcoreHTTP

enum ClientOptions {
    /// Reads the caller's struct, member by member.
    static func read(_ pointer: UnsafePointer<netcore_client_options>) throws(NetcoreError) -> Client.Options {
        let from = try netcore_client_options.read(pointer, "options")
        var options = Client.Options()
        options.completions = try completions(from.completions)
        options.minimumTLS = try minimumTLS(from.tls_min_version)
        options.allowsHTTP2 = try allowsHTTP2(from.http_version_max)
        options.caFile = try Argument.optionalText(from.ca_file, "ca_file")
        options.clientCertificateFile = try Argument.optionalText(
            from.client_certificate_file, "client_certificate_file")
        options.clientKeyFile = try Argument.optionalText(from.client_key_file, "client_key_file")
        options.clientKeyPassword = try Argument.optionalText(from.client_key_password, "client_key_password")
        options.proxy = try Argument.optionalText(from.proxy, "proxy")
        options.httpProxy = try Argument.optionalText(from.http_proxy, "http_proxy")
        options.httpsProxy = try Argument.optionalText(from.https_proxy, "https_proxy")
        options.proxyBypass = try Argument.optionalText(from.no_proxy, "no_proxy")
        if let userAgent = try Argument.optionalText(from.user_agent, "user_agent") { options.userAgent = userAgent }
        options.caFolder = try Argument.optionalText(from.ca_folder, "ca_folder")
        options.usesEnvironment = try !Argument.flag(from.ignore_environment, "ignore_environment")
        options.verifiesPeer = try !Argument.flag(from.skip_verification, "skip_verification")
        options.pinnedKeys = try netcore_pinned_keys.readArray(
            from.pinned_keys, (from.pinned_key_count, "pinned_key_count"), (from.pinned_key_size, "pinned_key_size"),
            "pinned_keys"
        ) { (pinned) throws(NetcoreError) in
            (try Argument.text(pinned.host, "pinned_keys"), [try Argument.text(pinned.keys, "pinned_keys")])
        }
        options.addressFamily = try addressFamily(from.address_family)
        options.resolve = try Argument.array(from.resolve, from.resolve_count, "resolve", "resolve_count") {
            (text) throws(NetcoreError) in try Argument.text(text, "resolve")
        }
        options.unixSocket = try Argument.optionalText(from.unix_socket, "unix_socket")
        options.interface = try Argument.optionalText(from.interface, "interface")
        options.keepsCookies = try Argument.flag(from.cookies, "cookies")
        options.cookieFile = try Argument.optionalText(from.cookie_file, "cookie_file")
        options.netrcFile = try Argument.optionalText(from.netrc_file, "netrc_file")
        options.hstsFile = try Argument.optionalText(from.hsts_file, "hsts_file")
        options.altSvcFile = try Argument.optionalText(from.alt_svc_file, "alt_svc_file")
        if let codings = try Argument.optionalText(from.accept_encoding, "accept_encoding") {
            options.acceptEncoding = codings
        }
        if from.cache != 0 { options.cache = try Lookup.cache(from.cache) }
        if from.clock != 0 { options.clock = try Lookup.clock(from.clock) }
        return options
    }

    private static func completions(_ mode: netcore_completion_mode) throws(NetcoreError) -> CompletionMode {
        switch Int(mode) {
        case Int(NETCORE_COMPLETION_MODE_CALLBACK): return .callback
        case Int(NETCORE_COMPLETION_MODE_PUMP): return .pump
        case Int(NETCORE_COMPLETION_MODE_QUEUE): return .queue
        case Int(NETCORE_COMPLETION_MODE_LOOP): return .loop
        case Int(NETCORE_COMPLETION_MODE_LOOP_QUEUE): return .loopQueue
        default: throw NetcoreError(.invalidArgument, argument: "completions", "not a netcore_completion_mode value")
        }
    }

    private static func minimumTLS(_ version: netcore_tls_version) throws(NetcoreError) -> Client.Options.TLSVersion {
        switch Int(version) {
        case Int(NETCORE_TLS_VERSION_DEFAULT), Int(NETCORE_TLS_VERSION_1_2): return .v1_2
        case Int(NETCORE_TLS_VERSION_1_3): return .v1_3
        default: throw NetcoreError(.invalidArgument, argument: "tls_min_version", "not a netcore_tls_version value")
        }
    }

    private static func addressFamily(
        _ family: netcore_address_family
    ) throws(NetcoreError) -> Client.Options.AddressFamily {
        switch Int(family) {
        case Int(NETCORE_ADDRESS_FAMILY_ANY): return .any
        case Int(NETCORE_ADDRESS_FAMILY_IPV4): return .v4
        case Int(NETCORE_ADDRESS_FAMILY_IPV6): return .v6
        default:
            throw NetcoreError(.invalidArgument, argument: "address_family", "not a netcore_address_family value")
        }
    }

    private static func allowsHTTP2(_ version: Int32) throws(NetcoreError) -> Bool {
        switch Int(version) {
        case Int(NETCORE_HTTP_VERSION_NONE), Int(NETCORE_HTTP_VERSION_2): return true
        case Int(NETCORE_HTTP_VERSION_1_1): return false
        default:
            throw NetcoreError(
                .invalidArgument, argument: "http_version_max",
                "must be 0, NETCORE_HTTP_VERSION_1_1 or NETCORE_HTTP_VERSION_2")
        }
    }
}
