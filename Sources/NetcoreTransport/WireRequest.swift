internal import CCurl
package import NetcoreHTTP
internal import NetcoreSupport

/// What libcurl authenticates with.
package enum WireCredentials: Sendable, Equatable {
    case basic(user: String, password: String)
    case digest(user: String, password: String)
    /// Those of the process.
    case negotiate
    /// What this file says for the host.
    case netrc(path: String)

    /// Whether libcurl asks the server first, and sends the request again after its 401.
    var isNegotiated: Bool {
        switch self {
        case .digest, .negotiate: true
        case .basic, .netrc: false
        }
    }
}

/// Bytes a second that a transfer may take; nil for any.
package struct TransferRates: Sendable, Equatable {
    package var receive: Int?
    package var send: Int?

    package init() {}

    /// When so many bytes may have moved.
    static func due(_ bytes: Int, _ rate: Int, since start: MonotonicTime) -> MonotonicTime {
        start.adding(microseconds: Int(min(Double(bytes) / Double(rate), 1e9) * 1e6))
    }
}

/// How a hop is transferred, where it is not as usual.
package struct TransferManner: Sendable, Equatable {
    package var rates = TransferRates()
    /// The interface that its connection comes from.
    package var interface: String?
    /// The share of an HTTP/2 connection that it asks for.
    package var streamWeight = 16
    /// It never goes out twice by the transport's own decision.
    package var isSentOnce = false
    /// Milliseconds to wait for a 100, where its fields ask for one.
    package var expectTimeout = 1000
    /// The body of the answer goes to a consumer that sets the pace.
    package var isStreamed = false
    /// A body is taken whose end is not confirmed, neither by a checksum nor by close_notify.
    package var allowsUncleanEnd = false

    package init() {}
}

/// One hop as it goes on the wire: prepared once, sent any number of times by one client. Immutable, except for what the
/// client's I/O thread notes in it.
package final class WireRequest: @unchecked Sendable {  // `host` belongs to the I/O thread of the one client
    package let method: String
    package let url: HTTPURL
    package let credentials: WireCredentials?
    package let body: WireBody?
    package let timeouts: TimeoutSet
    package let decodesContent: Bool
    package let manner: TransferManner
    /// Header lines for libcurl, null for none.
    let headers: UnsafeMutablePointer<curl_slist>?
    /// Carries credentials that bind to the connection (Negotiate, NTLM): it shares none.
    let needsOwnConnection: Bool
    /// Whether to send it twice has the effect of sending it once (RFC 9110 section 9.2.2), and is allowed.
    let isIdempotent: Bool
    /// libcurl would lose answers to it by HTTP/2.
    package let avoidsHTTP2: Bool
    package var host: Host?

    package init(
        method: String, url: HTTPURL, credentials: WireCredentials?, body: WireBody?, timeouts: TimeoutSet,
        decodesContent: Bool, manner: TransferManner = TransferManner(), needsOwnConnection: Bool,
        headerLines: (_ add: (UnsafePointer<CChar>) -> Void) -> Void
    ) {
        self.method = method
        self.url = url
        self.credentials = credentials
        self.body = body
        self.timeouts = timeouts
        self.decodesContent = decodesContent
        self.manner = manner
        self.needsOwnConnection = needsOwnConnection
        var list: UnsafeMutablePointer<curl_slist>?
        headerLines { line in
            if let longer = curl_slist_append(list, line) { list = longer }
        }
        headers = list
        avoidsHTTP2 = body != nil && body?.length != 0 && !LibraryVersions.keepEarlyAnswers
        isIdempotent = Self.idempotentMethods.contains(method) && !manner.isSentOnce
    }

    private static let idempotentMethods = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "QUERY"]

    deinit { curl_slist_free_all(headers) }
}
