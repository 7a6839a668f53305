public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// What a request says at one time, in bytes that can be lent to C. Immutable, so that a thread that reads it needs to know nothing
/// of others that change the request.
final class RequestView {
    private let request: Request
    private(set) lazy var fields = request.fieldBlock
    private var texts: [[CChar]] = []
    private(set) var info = netcore_request_info()

    init(_ request: Request) {
        self.request = request
        let options = request.options
        info.header_count = UInt32(clamping: request.fieldCount)
        info.method = lend(request.method)
        info.url = lend(request.urlString)
        if let body = request.body { info.body = netcore_bytes(body.bytes) }
        if case .relative(_, let service) = request.target {
            info.service = lend(service)
        } else {
            info.service = lend(nil)
        }
        info.base_url = lend(options.baseURL?.string)
        info.tag = lend(options.tag)
        info.allowed_interface = lend(options.network.interface)
        info.cache_scope = lend(options.cache.scope)
        info.cache_key = lend(options.cache.key)
        setNumbers(options)
        setFlags(options)
    }

    private func setNumbers(_ options: RequestOptions) {
        info.connect_timeout_ms = UInt64(clamping: options.timeouts.connect)
        info.first_byte_timeout_ms = UInt64(clamping: options.timeouts.firstByte)
        info.idle_timeout_ms = UInt64(clamping: options.timeouts.idle)
        info.total_timeout_ms = UInt64(clamping: options.timeouts.total)
        info.max_receive_rate = UInt64(clamping: options.rates.receive ?? 0)
        info.max_send_rate = UInt64(clamping: options.rates.send ?? 0)
        info.min_receive_rate = UInt64(clamping: options.timeouts.minimumRate.bytesPerSecond)
        info.min_receive_rate_window_ms = UInt64(clamping: options.timeouts.minimumRate.window)
        info.progress_interval_ms = options.progressInterval.map { UInt64(clamping: $0) } ?? .max
        info.gzip_minimum_bytes = options.packsBodyFrom.map { UInt64(clamping: $0) } ?? .max
        info.cache_ttl_ms = options.cache.timeToLive.map(Self.milliseconds) ?? .max
        info.cache_version = options.cache.version
        info.user_info = (options.userInfo?.value as? UserData)?.pointer
        info.auth = netcore_auth(authKind(options.authentication))
        info.serializer = options.serializer.rawValue
        info.priority = options.priority.rawValue
        info.cache_mode = options.cache.mode.rawValue
    }

    private static func milliseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        let (whole, isTooLong) = UInt64(clamping: seconds).multipliedReportingOverflow(by: 1000)
        return isTooLong ? .max : whole + UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    }

    private func setFlags(_ options: RequestOptions) {
        info.use_cdn = options.usesCDN ? 1 : 0
        info.use_https = options.usesHTTPS ? 1 : 0
        info.is_bare = options.isBare ? 1 : 0
        info.follow_redirects = options.redirectPolicy.isFollowing ? 1 : 0
        info.allow_insecure_redirects = options.redirectPolicy.allowsInsecure ? 1 : 0
        info.decode_content = options.decodesContent ? 1 : 0
        info.interim_responses = options.receivesInterim ? 1 : 0
        info.use_cookies = options.usesCookies ? 1 : 0
        info.allow_metered = options.network.allowsMetered ? 1 : 0
        info.sent_once = options.isSentOnce ? 1 : 0
        info.allow_unclean_end = options.allowsUncleanEnd ? 1 : 0
        info.cache_errors = options.cache.keepsErrors ? 1 : 0
    }

    private func authKind(_ authentication: Authentication?) -> Int {
        switch authentication {
        case nil: NETCORE_AUTH_NONE
        case .basic: NETCORE_AUTH_BASIC
        case .bearer: NETCORE_AUTH_BEARER
        case .digest: NETCORE_AUTH_DIGEST
        case .negotiate: NETCORE_AUTH_NEGOTIATE
        }
    }

    /// A text without its NUL byte, "" for none. The array is never changed, so that its bytes stay where they are.
    private func lend(_ text: String?) -> netcore_bytes {
        texts.append(Array((text ?? "").utf8CString))
        return texts[texts.count - 1].withUnsafeBytes { netcore_bytes(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }
}

/// The view that this thread was lent last: its bytes stay until the thread reads a request again, whatever becomes of the request.
private enum LentView {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { if let kept = $0 { Unmanaged<RequestView>.fromOpaque(kept).release() } }
        return key
    }()

    static func keep(_ view: RequestView) {
        if let old = pthread_getspecific(key) { Unmanaged<RequestView>.fromOpaque(old).release() }
        pthread_setspecific(key, Unmanaged.passRetained(view).toOpaque())
    }
}

/// Reads a request for this thread.
private func read(
    _ handle: netcore_request, _ body: (RequestView) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    let view = try Lookup.request(handle).view
    LentView.keep(view)
    try body(view)
}

@_cdecl("netcore_request_get_info") @implementation
public func netcore_request_get_info(
    _ request: netcore_request, _ out_info: UnsafeMutablePointer<netcore_request_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        try read(request) { view in out.write(view.info) }
    }
}

@_cdecl("netcore_request_get_header") @implementation
public func netcore_request_get_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ index: UInt32,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_value?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        try read(request) { (view) throws(NetcoreError) in
            out.pointee = try Fields.value(name, index, in: view.fields, of: "request")
        }
    }
}

@_cdecl("netcore_request_get_header_at") @implementation
public func netcore_request_get_header_at(
    _ request: netcore_request, _ index: UInt32, _ out_name: UnsafeMutablePointer<netcore_bytes>!,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_name?.pointee = netcore_bytes()
    out_value?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        try read(request) { (view) throws(NetcoreError) in
            try Fields.read(index, in: view.fields, out_name, out_value)
        }
    }
}
