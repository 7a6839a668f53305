internal import CCurl
internal import NetcoreHTTP

extension Transfer {
    /// Leads the connection to an alternative service: the name in TLS, the certificate and the pinned keys stay the origin's, and
    /// libcurl shares such a connection only with requests that go the same way. Nil: to the origin itself.
    func applyAlternative(_ service: AlternativeService?) {
        applied.alternative = service
        applied.wire = nil
        freeAlternative()
        if let service {
            connectTo = curl_slist_append(nil, "::\(service.authority)")
            altUsed = curl_slist_append(nil, "Alt-Used: \(service.authority)")
        }
        note(netcore_setopt_pointer(easy, CURLOPT_CONNECT_TO, connectTo))
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
