internal import CCurl
internal import NetcoreHTTP

extension Transfer {
    /// Leads the connection to an alternative service: the name in TLS, the certificate and the pinned keys stay the origin's, and
    /// libcurl shares such a connection with requests alone that go the same way. Nil: to the origin itself.
    func applyAlternative(_ service: AlternativeService?, _ options: TransportOptions) {
        applied.alternative = service
        applied.wire = nil
        freeAlternative()
        if let service {
            connectTo = curl_slist_append(nil, "::\(service.authority)")
            altUsed = curl_slist_append(nil, "Alt-Used: \(service.authority)")
        }
        _ = netcore_setopt_pointer(easy, CURLOPT_CONNECT_TO, connectTo)
        // No other protocol than the one that it is named for (RFC 7838 section 2.4).
        allowHTTP2(options.allowsHTTP2 && service?.speaksHTTP2 ?? true)
    }

    func allowHTTP2(_ isAllowed: Bool) {
        _ = netcore_setopt_long(
            easy, CURLOPT_HTTP_VERSION, Int(isAllowed ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
    }

    /// The header lines of a hop, with Alt-Used in front (RFC 7838 section 5).
    func headers(of wire: WireRequest) -> UnsafeMutablePointer<curl_slist>? {
        guard let altUsed else { return wire.headers }
        altUsed.pointee.next = wire.headers
        return altUsed
    }

    func freeAlternative() {
        altUsed?.pointee.next = nil
        curl_slist_free_all(altUsed)
        curl_slist_free_all(connectTo)
        altUsed = nil
        connectTo = nil
    }
}
