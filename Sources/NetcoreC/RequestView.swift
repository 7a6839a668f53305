public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// What a request says at one time, in bytes that can be lent to C. Immutable, so that a thread that reads it needs to know nothing
/// of others that change the request.
final class RequestView: @unchecked Sendable {  // what is made later is under `lock`
    private let request: Request
    private let lock = Lock()
    /// Made when they are first asked for, under `lock`.
    private var madeFields: FieldBlock?
    private var madeParts: [netcore_part_info]?
    private var madeErrors: [netcore_error_row]?
    private var texts: [[UInt8]] = []
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
        info.tag = lend(options.tags.first)
        info.invalidated_tags = lendBytes(options.invalidatedTags.flatMap { Array("\($0)\0".utf8) })
        info.invalidated_tag_count = UInt32(clamping: options.invalidatedTags.count)
        info.tag_count = UInt32(clamping: options.tags.count)
        info.tags = lendBytes(options.tags.flatMap { Array("\($0)\0".utf8) })
        info.allowed_interface = lend(options.network.interface)
        info.cache_scope = lend(options.cache.scope)
        info.cache_key = lend(options.cache.key)
        info.min_interval_ms = UInt64(clamping: options.minimumInterval?.interval.milliseconds ?? 0)
        info.rate_key = lend(options.rateKey)
        info.accepted_statuses = lend(options.rules.statuses?.description)
        info.accepted_content_types = lend(options.rules.contentTypes.joined(separator: ","))
        info.body_sha256 = lend(options.rules.digest?.text)
        info.json_shape = lend(options.rules.shape?.template)
        info.min_interval_key = lend(options.minimumInterval?.key)
        let errors = options.rules.errors
        info.error_code_field = lend(errors?.codeField)
        info.error_message_field = lend(errors?.messageField)
        info.error_success = lend(errors?.success.joined(separator: ","))
        info.error_count = UInt32(clamping: errors?.rows.count ?? 0)
        info.has_filter = options.filter == nil ? 0 : 1
        info.content_type = lend(options.contentType.map { String(decoding: $0, as: UTF8.self) })
        info.cache_key_field_count = UInt32(clamping: options.cache.keyFields.count)
        info.cache_key_fields = lendBytes(options.cache.keyFields.flatMap { Array("\($0)\0".utf8) })
        setContent()
        setNumbers(options)
        setFlags(options)
    }

    private func setContent() {
        var path: String?
        if case .file(let file) = request.content { path = file }
        info.body_kind = netcore_body_kind(Self.kind(of: request.content))
        info.body_file = lend(path)
        info.part_count = UInt32(clamping: Self.parts(of: request).count)
    }

    private static func kind(of content: Request.Content?) -> Int {
        switch content {
        case nil: NETCORE_BODY_KIND_NONE
        case .bytes: NETCORE_BODY_KIND_BYTES
        case .file: NETCORE_BODY_KIND_FILE
        // What is settled, as filters see it, is read while it is sent.
        case .stream, .streamed: NETCORE_BODY_KIND_READER
        case .parts: NETCORE_BODY_KIND_PARTS
        }
    }

    private static func parts(of request: Request) -> [Part] {
        if case .parts(let parts) = request.content { parts } else { [] }
    }

    func part(at index: Int) throws(NetcoreError) -> netcore_part_info {
        let parts = lock.withLock {
            let parts = madeParts ?? Self.parts(of: request).map { info(of: $0) }
            madeParts = parts
            return parts
        }
        guard parts.indices.contains(index) else {
            throw NetcoreError(.notFound, argument: "index", "there are \(parts.count) parts")
        }
        return parts[index]
    }

    private func info(of part: Part) -> netcore_part_info {
        var result = netcore_part_info()
        var path: String?
        switch part.content {
        case .bytes(let bytes):
            result.kind = netcore_body_kind(NETCORE_BODY_KIND_BYTES)
            result.data = lendBytes(bytes)
        case .file(let file):
            result.kind = netcore_body_kind(NETCORE_BODY_KIND_FILE)
            path = file
        case .stream: result.kind = netcore_body_kind(NETCORE_BODY_KIND_READER)
        }
        result.path = lend(path)
        result.name = lend(part.name)
        result.file_name = lend(part.fileName)
        result.content_type = lend(part.contentType)
        result.headers = lendBytes(part.headers.flatMap { Array("\($0.name)\0\($0.value)\0".utf8) })
        return result
    }

    func error(at index: Int) throws(NetcoreError) -> netcore_error_row {
        let rows = lock.withLock {
            let rows = madeErrors ?? request.errorTable?.rows.map(info) ?? []
            madeErrors = rows
            return rows
        }
        guard rows.indices.contains(index) else {
            throw NetcoreError(.notFound, argument: "index", "there are \(rows.count) errors")
        }
        return rows[index]
    }

    private func info(of row: ErrorTable.Row) -> netcore_error_row {
        var result = netcore_error_row()
        result.code = row.code.rawValue
        result.http_status = Int32(clamping: row.httpStatus)
        if let value = row.value { result.value = text(value) }
        if let message = row.message { result.message = text(message) }
        return result
    }

    /// A text as a C string, for as long as this lives.
    private func text(_ text: String) -> UnsafePointer<CChar>? {
        lend(text).data.map { UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self) }
    }

    var fields: FieldBlock {
        lock.withLock {
            let fields = madeFields ?? request.fieldBlock
            madeFields = fields
            return fields
        }
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
        info.wait_for_network_ms = UInt64(clamping: options.networkWait ?? 0)
        info.progress_interval_ms = options.progressInterval.map { UInt64(clamping: $0) } ?? .max
        info.gzip_minimum_bytes = options.packsBodyFrom.map { UInt64(clamping: $0) } ?? .max
        info.cache_ttl_ms = options.cache.timeToLive.map(Self.milliseconds) ?? .max
        info.cache_version = options.cache.version
        info.user_info = (options.userInfo?.value as? UserData)?.pointer
        info.auth = netcore_auth(authKind(options.authentication))
        info.serializer = options.serializer.rawValue
        info.param_nesting = options.parameterNesting.rawValue
        info.priority = options.priority.rawValue
        info.cache_mode = options.cache.mode.rawValue
    }

    private static func milliseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        let whole = seconds.multiplied(saturating: 1000).adding(saturating: attoseconds / 1_000_000_000_000_000)
        return UInt64(clamping: whole)
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
        info.idempotent = options.isIdempotent ? 1 : 0
        info.duplicates = options.duplicates.rawValue
        info.has_validator = options.rules.validator == nil ? 0 : 1
        info.has_body_sha256 = options.rules.digest == nil ? 0 : 1
        info.drop_nulls = options.rules.dropsNulls ? 1 : 0
        info.expect_continue_ms = UInt64(clamping: options.expectTimeout)
        info.task_scope = options.taskScope?.number ?? 0
        info.min_interval_wait = options.minimumInterval?.action == .wait ? 1 : 0
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

    /// A text without its NUL byte, "" for none.
    private func lend(_ text: String?) -> netcore_bytes { lendBytes(Array((text ?? "").utf8)) }

    /// Bytes, and a NUL byte that is not counted. The array is never changed, so that they stay where they are.
    private func lendBytes(_ bytes: [UInt8]) -> netcore_bytes {
        texts.append(bytes + [0])
        return texts[texts.count - 1].withUnsafeBytes { netcore_bytes(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }
}

/// Reads a request for this thread.
private func read(
    _ handle: netcore_request, _ body: (RequestView) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    let view = try Lookup.request(handle).view
    LentView.ofRequest.keep(view)
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

@_cdecl("netcore_request_get_part_at") @implementation
public func netcore_request_get_part_at(
    _ request: netcore_request, _ index: UInt32, _ out_part: UnsafeMutablePointer<netcore_part_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_part, "out_part")
        try read(request) { (view) throws(NetcoreError) in out.write(try view.part(at: Int(index))) }
    }
}

@_cdecl("netcore_request_get_error_at") @implementation
public func netcore_request_get_error_at(
    _ request: netcore_request, _ index: UInt32, _ out_row: UnsafeMutablePointer<netcore_error_row>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_row, "out_row")
        try read(request) { (view) throws(NetcoreError) in out.write(try view.error(at: Int(index))) }
    }
}
