internal import CCurl
internal import NetcoreHTTP
internal import NetcoreSupport

extension Transfer {
    /// Judges how the hop ended, once libcurl is done with it.
    func result(_ code: CURLcode) -> Response {
        let result = known()
        warnOfTrust(result)
        do throws(NetcoreError) {
            if let failure { throw named(failure) }
            if bodyUse == .dropped { return withoutBody(result) }
            if resending.isAnswerForeign || endedStreams(code) { throw Self.lost(wire) }
            guard code == CURLE_OK else { throw CurlErrors(self).error(code) }
            result.endsUncleanly = try judgeWhole()
            host?.lastBodySize = receivedBodyBytes
            result.isStreamed = bodyUse == .streamed
            let body = sink as? ByteBuffer
            body?.trim()
            result.bodyBuffer = body
        } catch {
            guard bodyUse.isJudged || failure != nil else { return withoutBody(result) }
            result.error = error
        }
        return result
    }

    private func withoutBody(_ result: Response) -> Response {
        result.lacksBody = true
        return result
    }

    /// The message of a limit names the URL, as those of timeouts do.
    private func named(_ error: NetcoreError) -> NetcoreError {
        guard error.code.isLimit, let wire else { return error }
        return NetcoreError(
            error.code, "\(error.message): \(wire.url.display)", phase: error.phase, nativeCode: error.nativeCode,
            attempts: error.attempts)
    }

    /// For a request that is not sent again.
    static func lost(_ wire: WireRequest?) -> NetcoreError {
        let reason = wire?.manner.isSentOnce ?? false ? "is sent once only" : "may have been carried out"
        return NetcoreError(
            .connectionLost, "the connection was lost, and the \(wire?.method ?? "request") \(reason)", phase: .send)
    }

    /// Each connection whose certificate was not checked gets a log message.
    private func warnOfTrust(_ result: Response) {
        guard !transport.verifiesPeer, let url = wire?.url, url.isSecure, resending.connects > 0,
            !result.isConnectionReused
        else {
            return
        }
        Log.warn("\(url.origin): the certificate was not checked, as the client's options say")
    }

    /// What can be told of the hop so far, without its body.
    func known() -> Response {
        let isReused = resending.connects > 0 && netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) == 0
        return Response(
            status: hasWholeHead ? head.status : 0,
            version: hasWholeHead ? HTTPVersion(rawValue: head.version) : nil,
            fields: hasWholeHead ? head.fields : nil, trailers: hasWholeHead ? head.trailers : nil,
            attempts: max(resending.connects, 1),
            bytesSent: netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE) + sentBodyBytes,
            bytesReceived: head.byteCount + receivedBodyBytes, isConnectionReused: isReused,
            timings: timings(isReused: isReused))
    }

    /// Whether an answer whose length was told has all come: a server that wants no more of the request may reset the stream after it
    /// (RFC 9113 section 8.1), with any code.
    var hasWholeAnswer: Bool {
        guard let wire, failure == nil, hasWholeHead, bodyUse.isJudged else { return false }
        return !HeadParser.hasBody(status: head.status, method: wire.method) || head.contentLength == receivedBodyBytes
    }

    /// A truncated answer is never a success. Returns whether its end is not confirmed, and the request allows that.
    private func judgeWhole() throws(NetcoreError) -> Bool {
        guard hasWholeHead else {
            throw NetcoreError(.protocol, "the answer has no header section", phase: .receive)
        }
        guard let wire, HeadParser.hasBody(status: head.status, method: wire.method) else { return false }
        if !head.isChunked, let length = head.contentLength, receivedBodyBytes != length {
            throw NetcoreError(
                .truncated, "the body has \(receivedBodyBytes) of \(length) bytes", phase: .receive)
        }
        if bodyUse == .streamed, endedWithConnection {
            throw NetcoreError(.truncated, "the connection ended with the body", phase: .receive)
        }
        let lacksCloseNotify = needsCloseNotify && closeNotify.pointee != 1
        guard !lacksCloseNotify || wire.manner.allowsUncleanEnd else {
            throw NetcoreError(.truncated, "the TLS connection ended without close_notify", phase: .receive)
        }
        guard let decoder else { return lacksCloseNotify }
        try decoder.finish()
        return lacksCloseNotify || decoder.endsUncleanly
    }

    /// Tells of the connection that the request goes out on, and, where it has no body, that it has gone.
    func reportConnection(to handler: any TransferHandler) {
        let timings = timings(isReused: netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) == 0)
        let spent = (timings.dns ?? 0) + (timings.connect ?? 0) + (timings.tls ?? 0)
        if spent > 0 {
            handler.transferDid(.connected(timings, since: requestStart.adding(microseconds: -spent)))
        }
        if wire?.body == nil { handler.transferDid(.sent(0)) }
    }

    /// Tells how far the connection came that the hop waits for in vain.
    func reportFailedConnection() {
        guard let handler, handler.isObserved, case .connecting = hopTime.step else { return }
        let timings = timings(isReused: false)
        if timings.dns != nil { handler.transferDid(.connected(timings, since: hopTime.start)) }
    }

    private func timings(isReused: Bool) -> Timings {
        var timings = Timings()
        if firstByte != .never { timings.firstByte = firstByte.microseconds(since: requestStart) }
        guard !isReused else { return timings }
        let dns = Int(netcore_getinfo_off(easy, CURLINFO_NAMELOOKUP_TIME_T))
        let connect = Int(netcore_getinfo_off(easy, CURLINFO_CONNECT_TIME_T))
        let tls = Int(netcore_getinfo_off(easy, CURLINFO_APPCONNECT_TIME_T))
        if dns > 0 { timings.dns = dns }
        if connect > 0 { timings.connect = max(connect - dns, 0) }
        if tls > 0 { timings.tls = max(tls - connect, 0) }
        return timings
    }
}

/// Puts libcurl's codes into netcore's statuses.
struct CurlErrors {
    private let phase: NetcoreError.Phase
    private let hasFirstByte: Bool
    private let headerBytes: Int
    private let headIsWhole: Bool
    private let isProxied: Bool
    private let isMultiplexed: Bool
    private let hasNoSockets: Bool
    private let proxyError: Int
    private let url: HTTPURL?
    private let detail: String

    init(_ transfer: Transfer) {
        phase = transfer.phase
        hasFirstByte = transfer.firstByte != .never
        headerBytes = transfer.head.byteCount
        headIsWhole = transfer.hasWholeHead
        isMultiplexed = transfer.resending.wasMultiplexed
        hasNoSockets = transfer.transport.hasRunOutOfSockets
        isProxied = !(transfer.host?.proxy ?? "").isEmpty
        proxyError = netcore_getinfo_long(transfer.easy, CURLINFO_PROXY_ERROR)
        url = transfer.wire?.url
        detail = String(cString: transfer.errorText)
    }

    /// libcurl 7.88 of Debian gives up on header sections beyond this by itself.
    private static let curlHeaderLimit = 300 << 10

    func error(_ code: CURLcode) -> NetcoreError {
        let status = status(code)
        return NetcoreError(
            status, message(status, code), phase: phase, nativeCode: Int32(bitPattern: code.rawValue))
    }

    private func status(_ code: CURLcode) -> NetcoreError.Code {
        switch code {
        // With a proxy this is the host of a SOCKS one: an origin's that SOCKS 5 needs is a matter of its handshake.
        case CURLE_COULDNT_RESOLVE_HOST: isProxied ? .resolveProxy : .resolve
        case CURLE_COULDNT_RESOLVE_PROXY: .resolveProxy
        // URLs were checked before, and the proxies of options: it is one of the environment.
        case CURLE_URL_MALFORMAT where isProxied: .resolveProxy
        case CURLE_INTERFACE_FAILED: .connect
        case CURLE_COULDNT_CONNECT where hasNoSockets: .outOfMemory
        case CURLE_COULDNT_CONNECT: isProxied ? .connectProxy : .connect
        case CURLE_PROXY: proxyError == Int(CURLPX_RESOLVE_HOST.rawValue) ? .resolve : .connectProxy
        case CURLE_OPERATION_TIMEDOUT: .timeoutConnect
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED: .tls
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_INVALIDCERTSTATUS:
            .tlsCertificate
        case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED:
            .tlsConfig
        case CURLE_READ_ERROR where strstr(detail, ".netrc") != nil: .storage
        case CURLE_PARTIAL_FILE: .truncated
        // A body without a length, to a server that speaks HTTP/1.0.
        case CURLE_UPLOAD_FAILED: .protocol
        case CURLE_SEND_FAIL_REWIND: .bodyRewind
        // libcurl 7.88 gives up so where nghttp2 ends the connection for what the peer sent, and not where the peer ends it.
        case CURLE_GOT_NOTHING where isMultiplexed: .protocol
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_HTTP2_STREAM: lost()
        case CURLE_OUT_OF_MEMORY: hasUnendedLine ? .limitHeaderBytes : .outOfMemory
        case CURLE_HTTP2, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP3, CURLE_FILESIZE_EXCEEDED, CURLE_BAD_FUNCTION_ARGUMENT:
            .protocol
        default: .internal
        }
    }

    /// The connection went away: what that means depends on how far the answer had come.
    private func lost() -> NetcoreError.Code {
        if phase == .connect { return isProxied ? .connectProxy : .connect }
        // libcurl tells a broken chunk from a lost connection only by its text.
        if detail.hasSuffix(" in chunked-encoding") {
            return detail.hasPrefix("Out of memory") ? .limitHeaderBytes : .protocol
        }
        if breaksHTTP2 { return .protocol }
        if !headIsWhole, headerBytes > Self.curlHeaderLimit - (8 << 10) { return .limitHeaderBytes }
        return hasFirstByte ? .truncated : .connectionLost
    }

    /// libcurl tells a broken stream from a lost one by its text only: PROTOCOL_ERROR is what nghttp2 says of a peer that broke
    /// HTTP/2, and 1 its number (RFC 9113 section 7).
    private var breaksHTTP2: Bool {
        detail.hasSuffix(" (err 1)") || strstr(detail, "nghttp2_session_mem_recv() returned") != nil
            || strstr(detail, "before getting  all response header fields") != nil
    }

    /// libcurl collects a header line, up to 100 KiB of it, before anyone sees it, and calls more "out of memory".
    private var hasUnendedLine: Bool { !headIsWhole && phase != .connect }

    private func message(_ status: NetcoreError.Code, _ code: CURLcode) -> String {
        // libcurl's text names hosts and causes. Where it quotes a URL it is not for logs, nor where it quotes what the
        // environment gives as a proxy: user name and password, if no URL.
        let isQuoting = strstr(detail, "://") != nil || detail.hasPrefix("Unsupported proxy")
        let reason = detail.isEmpty || isQuoting ? String(cString: curl_easy_strerror(code)) : detail
        let place = status.isTimeout || status.isLimit ? url?.display : url?.origin
        return "\(status.summary): \(place ?? ""): \(reason)"
    }
}

extension NetcoreError.Code {
    fileprivate var isTimeout: Bool { (400..<500).contains(rawValue) }
    fileprivate var isLimit: Bool { (900..<1000).contains(rawValue) }
}
