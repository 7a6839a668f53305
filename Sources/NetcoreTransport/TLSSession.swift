internal import CCurl

/// The OpenSSL session under a connection. Good as long as libcurl keeps the connection.
struct TLSSession: Equatable {
    let pointer: UnsafeMutableRawPointer

    /// That of the connection which a transfer uses now; nil where there is none, or TLS is another library's.
    init?(of easy: UnsafeMutableRawPointer) {
        guard let pointer = netcore_ssl_session(easy) else { return nil }
        self.pointer = pointer
    }

    /// Whether the peer chose HTTP/2 in the handshake (RFC 7301).
    var choseHTTP2: Bool { netcore_ssl_chose_http2(pointer) == 1 }

    /// Whether bytes of the peer's wait in the session, decrypted or not.
    var hasInput: Bool { netcore_ssl_has_input(pointer) != 0 }

    // MARK: The peer's end

    /// The place of a flag among the data that applications hang on a session.
    private static let index = netcore_ssl_new_index()

    /// Sets `flag` to 1 when the peer's close_notify comes in; libcurl 7.88 takes the end of a TLS stream without it for a good
    /// one. The flag must live as long as the session. Returns false without memory.
    func watchClose(_ flag: UnsafeMutablePointer<UInt8>) -> Bool {
        let session = OpaquePointer(pointer)
        guard Self.index >= 0, SSL_set_ex_data(session, Self.index, flag) == 1 else { return false }
        SSL_set_info_callback(session) { session, event, value in
            guard netcore_ssl_is_close_notify(event, value) == 1 else { return }
            SSL_get_ex_data(session, TLSSession.index)?.assumingMemoryBound(to: UInt8.self).pointee = 1
        }
        return true
    }

    // MARK: Patience

    private static let patientMethod = Patient(method: netcore_patient_method())

    private struct Patient: @unchecked Sendable {  // made once, and only read
        let method: OpaquePointer?
    }

    /// How often a session says "later" where the system refuses to send. One that reads the peer's last words does it once or
    /// twice; the bound makes it fail at last if the peer has not ended.
    private static let patience: Int32 = 16

    /// Sets whether what the peer sent comes first when it has ended the connection under a request that is still being sent. libcurl
    /// 7.88 closes the connection without reading it.
    func setListensFirst(_ listensFirst: Bool) {
        if let patience = netcore_ssl_patience(pointer) { return patience.pointee = listensFirst ? Self.patience : 0 }
        guard listensFirst, netcore_ssl_make_patient(pointer, Self.patientMethod.method) == 1 else { return }
        netcore_ssl_patience(pointer)?.pointee = Self.patience
    }
}
