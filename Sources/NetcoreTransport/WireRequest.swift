internal import CCurl
package import NetcoreHTTP

/// User name and password for libcurl to send.
package struct WireCredentials: Sendable, Equatable {
    package enum Scheme: Sendable {
        case basic
        case digest
        case negotiate
        /// What the file of the client's options says for the host.
        case netrc
    }

    package let scheme: Scheme
    package let user: String
    package let password: String

    package init(_ scheme: Scheme, _ user: String, _ password: String) {
        self.scheme = scheme
        self.user = user
        self.password = password
    }

    /// Whether libcurl asks the server first, and sends the request again behind its 401.
    var isNegotiated: Bool { scheme == .digest || scheme == .negotiate }
}

/// One hop as it goes on the wire: prepared once, sent any number of times by one client. Immutable, but for what the
/// client's I/O thread notes in it.
package final class WireRequest: @unchecked Sendable {  // `host` belongs to the I/O thread of the one client
    package let method: String
    package let url: HTTPURL
    package let credentials: WireCredentials?
    package let body: WireBody?
    package let timeouts: TimeoutSet
    package let decodesContent: Bool
    /// Header lines for libcurl, null for none.
    let headers: UnsafeMutablePointer<curl_slist>?
    /// Carries credentials that bind to the connection (Negotiate, NTLM): it shares none.
    let needsOwnConnection: Bool
    package var host: Host?

    package init(
        method: String, url: HTTPURL, credentials: WireCredentials?, body: WireBody?, timeouts: TimeoutSet,
        decodesContent: Bool, needsOwnConnection: Bool, headerLines: (_ add: (UnsafePointer<CChar>) -> Void) -> Void
    ) {
        self.method = method
        self.url = url
        self.credentials = credentials
        self.body = body
        self.timeouts = timeouts
        self.decodesContent = decodesContent
        self.needsOwnConnection = needsOwnConnection
        var list: UnsafeMutablePointer<curl_slist>?
        headerLines { line in
            if let longer = curl_slist_append(list, line) { list = longer }
        }
        headers = list
    }

    deinit { curl_slist_free_all(headers) }
}
