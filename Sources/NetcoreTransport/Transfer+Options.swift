internal import CCurl
internal import NetcoreHTTP

/// What an easy handle was last set to, so that a hop sets only what differs. libcurl keeps its options between transfers.
struct AppliedOptions {
    /// The request of the last hop: the same one again needs nothing.
    var wire: WireRequest?
    var method = "GET"
    var hasBody = false
    var hasHeaders = false
    var credentials: WireCredentials?
    var hasOwnConnection = false
    var forbidsReuse = false
    var bufferSize = 0
    var connectTimeout = -1
    /// Nil before the first hop.
    var mayMultiplex: Bool?
    var proxy: String?
    var pinnedKeys: String?
    var manner = TransferManner()
    var alternative: AlternativeService?
}

extension Transfer {
    /// Remembers that libcurl refused an option. What the option asked for (a pin, a certificate, a proxy) must hold, so that the
    /// handle is then used for nothing.
    func note(_ code: CURLcode) {
        guard code != CURLE_OK, optionFailure == nil else { return }
        let status: NetcoreError.Code = code == CURLE_OUT_OF_MEMORY ? .outOfMemory : .tlsConfig
        let reason = String(cString: curl_easy_strerror(code))
        optionFailure = NetcoreError(
            status, "libcurl refuses an option: \(reason)", phase: .connect,
            nativeCode: Int32(bitPattern: code.rawValue))
    }

    /// Options that hold for every hop.
    func setUp(_ options: TransportOptions, share: UnsafeMutableRawPointer) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        note(netcore_setopt_long(easy, CURLOPT_NOSIGNAL, 1))
        note(netcore_setopt_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"))
        note(netcore_setopt_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1))
        // Canceling while a name is looked up must not wait for the look-up.
        _ = netcore_setopt_long(easy, CURLOPT_QUICK_EXIT, 1)
        note(netcore_setopt_pointer(easy, CURLOPT_SHARE, share))
        note(netcore_setopt_pointer(easy, CURLOPT_ERRORBUFFER, errorText))
        note(netcore_setopt_pointer(easy, CURLOPT_PRIVATE, context))
        setUpTLS(options)
        setUpRoute(options)
        setUpCredentials(options)
        // Hosts without a proxy have none set; libcurl is not to look into the environment for more.
        note(netcore_setopt_text(easy, CURLOPT_NOPROXY, ""))
        setUpCallbacks(context)
    }

    /// Puts the easy handle back to how it was made; its connections stay.
    func renew(_ options: TransportOptions, share: UnsafeMutableRawPointer) {
        replaceEasy()
        applied = AppliedOptions()
        optionFailure = nil
        setUp(options, share: share)
    }

    private func setUpTLS(_ options: TransportOptions) {
        let minimum = options.minimumTLS == .v1_3 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
        note(netcore_setopt_long(easy, CURLOPT_SSLVERSION, Int(minimum)))
        note(netcore_setopt_long(easy, CURLOPT_PROXY_SSLVERSION, Int(minimum)))
        if options.caFile != nil || options.caFolder != nil {
            // Both, in place of the system's: libcurl has a default for each, which would stay.
            for option in [CURLOPT_CAINFO, CURLOPT_PROXY_CAINFO] {
                note(netcore_setopt_text(easy, option, options.caFile))
            }
            for option in [CURLOPT_CAPATH, CURLOPT_PROXY_CAPATH] {
                note(netcore_setopt_text(easy, option, options.caFolder))
            }
        }
        if !options.verifiesPeer {
            for option in [
                CURLOPT_SSL_VERIFYPEER, CURLOPT_SSL_VERIFYHOST, CURLOPT_PROXY_SSL_VERIFYPEER,
                CURLOPT_PROXY_SSL_VERIFYHOST,
            ] { note(netcore_setopt_long(easy, option, 0)) }
        }
        if let file = options.clientCertificateFile {
            note(netcore_setopt_text(easy, CURLOPT_SSLCERT, file))
            note(netcore_setopt_text(easy, CURLOPT_SSLKEY, options.clientKeyFile ?? file))
            // Without one OpenSSL would ask the terminal, or standard input.
            note(netcore_setopt_text(easy, CURLOPT_KEYPASSWD, options.clientKeyPassword ?? ""))
        }
    }

    /// How connections are made, whatever the host.
    private func setUpRoute(_ options: TransportOptions) {
        if let list = transport.resolveList { note(netcore_setopt_pointer(easy, CURLOPT_RESOLVE, list)) }
        if let path = options.unixSocket { note(netcore_setopt_text(easy, CURLOPT_UNIX_SOCKET_PATH, path)) }
        if let interface = options.interface { note(netcore_setopt_text(easy, CURLOPT_INTERFACE, interface)) }
        switch options.addressFamily {
        case .any: break
        case .v4: note(netcore_setopt_long(easy, CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V4)))
        case .v6: note(netcore_setopt_long(easy, CURLOPT_IPRESOLVE, Int(CURL_IPRESOLVE_V6)))
        }
    }

    private func setUpCredentials(_ options: TransportOptions) {
        // libcurl takes the second request of Digest for a redirect, and the port that the handle last connected to for that of the
        // connection that it uses again: where they differ it would drop the credentials. It follows no redirects here.
        note(netcore_setopt_long(easy, CURLOPT_UNRESTRICTED_AUTH, 1))
        guard let file = options.netrcFile, !file.isEmpty else { return }
        note(netcore_setopt_text(easy, CURLOPT_NETRC_FILE, file))
    }

    private func setUpCallbacks(_ context: UnsafeMutableRawPointer) {
        // Header lines go to the function for bodies too, which comes before libcurl does anything else with them.
        note(netcore_setopt_long(easy, CURLOPT_HEADER, 1))
        for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA, CURLOPT_PREREQDATA] {
            note(netcore_setopt_pointer(easy, option, context))
        }
        let transportContext = Unmanaged.passUnretained(transport).toOpaque()
        note(netcore_setopt_pointer(easy, CURLOPT_OPENSOCKETDATA, transportContext))
        note(netcore_setopt_pointer(easy, CURLOPT_CLOSESOCKETDATA, transportContext))
        note(
            netcore_setopt_data(easy, CURLOPT_WRITEFUNCTION) { data, _, count, context in
                Transfer.with(context) { $0.receive(UnsafeRawBufferPointer(start: data, count: count)) } ?? 0
            })
        note(
            netcore_setopt_data(easy, CURLOPT_HEADERFUNCTION) { data, _, count, context in
                let isGood = Transfer.with(context) {
                    $0.receiveHeader(UnsafeRawBufferPointer(start: data, count: count))
                }
                return isGood ?? false ? count : 0
            })
        note(
            netcore_setopt_data(easy, CURLOPT_READFUNCTION) { data, _, count, context in
                guard let transfer = Transfer.from(context) else { return 0 }
                return transfer.sendBody(into: UnsafeMutableRawBufferPointer(start: data, count: count))
            })
        note(
            netcore_setopt_seek(easy) { context, offset, origin in
                guard let transfer = Transfer.from(context), origin == 0 else { return CURL_SEEKFUNC_CANTSEEK }
                return transfer.rewindBody(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
            })
        note(
            netcore_setopt_prereq(easy) { context, remoteAddress, localAddress, remotePort, localPort in
                let endpoint = ConnectionEndpoint(
                    localAddress: localAddress, localPort: localPort, remoteAddress: remoteAddress,
                    remotePort: remotePort)
                let isReady = Transfer.from(context)?.connectionIsReady(endpoint) ?? false
                return isReady ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
            })
        note(
            netcore_setopt_open(easy) { context, _, address in
                guard let context, let address else { return CURL_SOCKET_BAD }
                return Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().openSocket(address.pointee)
            })
        note(netcore_setopt_pointer(easy, CURLOPT_RESOLVER_START_DATA, transportContext))
        note(
            netcore_setopt_resolver(easy) { _, _, context in
                guard let context else { return 1 }
                Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().shield.raise()
                return 0
            })
        note(
            netcore_setopt_close(easy) { context, descriptor in
                guard let context else { return 1 }
                return Unmanaged<CurlTransport>.fromOpaque(context).takeUnretainedValue().closeSocket(descriptor)
            })
    }

    /// Lends the transfer of a context of libcurl's, which its easy handle keeps alive.
    private static func with<Result>(
        _ context: UnsafeMutableRawPointer?, _ body: (Transfer) -> Result
    ) -> Result? {
        context.map { Unmanaged<Transfer>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Sets what differs from the last hop.
    func apply(_ wire: WireRequest, bufferSize: Int, _ options: TransportOptions) {
        if applied.bufferSize != bufferSize {
            // A handle whose last transfer got no connection has its buffer still, and libcurl 7.88 then refuses another size.
            if netcore_setopt_long(easy, CURLOPT_BUFFERSIZE, bufferSize) == CURLE_OK { applied.bufferSize = bufferSize }
        }
        if applied.forbidsReuse != wire.needsOwnConnection {
            applied.forbidsReuse = wire.needsOwnConnection
            note(netcore_setopt_long(easy, CURLOPT_FORBID_REUSE, wire.needsOwnConnection ? 1 : 0))
        }
        if applied.alternative != host?.alternative { applyAlternative(host?.alternative) }
        applyVersion(wire, options)
        if let last = applied.wire, last === wire { return }
        applied.wire = wire
        note(netcore_setopt_pointer(easy, CURLOPT_CURLU, UnsafeMutableRawPointer(wire.url.handle)))
        let headers = headers(of: wire)
        if headers != nil || applied.hasHeaders {
            applied.hasHeaders = headers != nil
            note(netcore_setopt_pointer(easy, CURLOPT_HTTPHEADER, headers))
        }
        applyMethod(wire)
        applyConnection(wire)
        if applied.manner != wire.manner { applyManner(wire.manner, options) }
    }

    /// Releases the last hop's request: a streamed body may hold something of the application's.
    func forgetRequest() {
        applied.wire = nil
        applied.hasHeaders = false
        note(netcore_setopt_pointer(easy, CURLOPT_CURLU, nil))
        note(netcore_setopt_pointer(easy, CURLOPT_HTTPHEADER, nil))
    }

    private func applyMethod(_ wire: WireRequest) {
        guard wire.body != nil || applied.hasBody || wire.method != applied.method else { return }
        applied.method = wire.method
        applied.hasBody = wire.body != nil
        if let body = wire.body {
            note(netcore_setopt_long(easy, CURLOPT_UPLOAD, 1))
            note(netcore_setopt_off(easy, CURLOPT_INFILESIZE_LARGE, body.length ?? -1))
            note(netcore_setopt_text(easy, CURLOPT_CUSTOMREQUEST, wire.method))
        } else {
            note(netcore_setopt_long(easy, CURLOPT_HTTPGET, 1))
            note(netcore_setopt_text(easy, CURLOPT_CUSTOMREQUEST, wire.method == "GET" ? nil : wire.method))
            if wire.method == "HEAD" { note(netcore_setopt_long(easy, CURLOPT_NOBODY, 1)) }
        }
    }

    private func applyManner(_ manner: TransferManner, _ options: TransportOptions) {
        applied.manner = manner
        note(netcore_setopt_text(easy, CURLOPT_INTERFACE, manner.interface.map { "if!\($0)" } ?? options.interface))
        _ = netcore_setopt_long(easy, CURLOPT_STREAM_WEIGHT, manner.streamWeight)
        note(netcore_setopt_long(easy, CURLOPT_EXPECT_100_TIMEOUT_MS, manner.expectTimeout))
    }

    private func applyCredentials(_ credentials: WireCredentials?) {
        var scheme = netcore_auth_basic
        var netrc = CURL_NETRC_IGNORED
        var pair: (user: String, password: String)?
        switch credentials {
        case nil: break
        case .basic(let user, let password): pair = (user, password)
        case .digest(let user, let password):
            scheme = netcore_auth_digest
            pair = (user, password)
        case .negotiate:
            scheme = netcore_auth_negotiate
            // With an empty name libcurl takes the credentials of the process.
            pair = ("", "")
        case .netrc: netrc = CURL_NETRC_OPTIONAL  // the path is an option of the client
        }
        applied.credentials = credentials
        note(netcore_setopt_text(easy, CURLOPT_USERNAME, pair?.user))
        note(netcore_setopt_text(easy, CURLOPT_PASSWORD, pair?.password))
        note(netcore_setopt_long(easy, CURLOPT_HTTPAUTH, Int(scheme)))
        note(netcore_setopt_long(easy, CURLOPT_NETRC, Int(netrc.rawValue)))
    }

    private func applyVersion(_ wire: WireRequest, _ options: TransportOptions) {
        // No other protocol than the one that an alternative service is named for (RFC 7838 section 2.4).
        let isAllowed = options.allowsHTTP2 && applied.alternative?.speaksHTTP2 ?? true
        let mayMultiplex = wire.url.isSecure && isAllowed && host?.mayUseHTTP2 ?? true
        guard applied.mayMultiplex != mayMultiplex else { return }
        applied.mayMultiplex = mayMultiplex
        // Without HTTP/2 libcurl lets no two requests share a connection, whatever a status line says.
        let version = mayMultiplex ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1
        note(netcore_setopt_long(easy, CURLOPT_HTTP_VERSION, Int(version)))
        // Wait for a connection that may turn out to carry many streams, rather than open one for each. Without TLS
        // none will, and libcurl would wait for the first answer.
        note(netcore_setopt_long(easy, CURLOPT_PIPEWAIT, mayMultiplex ? 1 : 0))
    }

    private func applyConnection(_ wire: WireRequest) {
        if applied.hasOwnConnection != wire.needsOwnConnection {
            applied.hasOwnConnection = wire.needsOwnConnection
            note(netcore_setopt_long(easy, CURLOPT_FRESH_CONNECT, wire.needsOwnConnection ? 1 : 0))
        }
        if applied.credentials != wire.credentials { applyCredentials(wire.credentials) }
        if applied.connectTimeout != wire.timeouts.connect {
            applied.connectTimeout = wire.timeouts.connect
            // 0 would mean libcurl's own default of five minutes.
            let timeout = wire.timeouts.connect == 0 ? Int(Int32.max) : wire.timeouts.connect
            note(netcore_setopt_long(easy, CURLOPT_CONNECTTIMEOUT_MS, timeout))
        }
        let proxy = host?.proxy ?? ""
        if applied.proxy != proxy {
            applied.proxy = proxy
            // Empty where no proxy applies: libcurl then does not look into the environment.
            note(netcore_setopt_text(easy, CURLOPT_PROXY, proxy))
        }
        if applied.pinnedKeys != host?.pinnedKeys {
            applied.pinnedKeys = host?.pinnedKeys
            note(netcore_setopt_text(easy, CURLOPT_PINNEDPUBLICKEY, host?.pinnedKeys))
        }
    }
}
