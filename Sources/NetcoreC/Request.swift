public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// A request behind a handle. Any thread may change it; a dispatch copies the value.
final class RequestBox: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var request: Request
    private var lastView: RequestView?
    /// A function of the application's has it for as long as it runs; all of it is in place.
    let isLent: Bool

    init(_ request: Request, isLent: Bool = false) {
        self.request = request
        self.isLent = isLent
    }

    /// The request as it is now, in bytes that can be lent to C.
    var view: RequestView {
        lock.withLock {
            let current = lastView ?? RequestView(request)
            lastView = current
            return current
        }
    }

    var snapshot: Request {
        lock.lock()
        defer { lock.unlock() }
        return request
    }

    /// Lends a request to a function of the application's under a handle of its own. Returns it as the function left it.
    ///
    /// - Parameter who: as messages name the function.
    static func lend(
        _ request: Request, to who: StaticString, _ call: (netcore_request) -> netcore_status
    ) throws(NetcoreError) -> Request {
        let box = RequestBox(request, isLent: true)
        let handle = try Lookup.insert(box, .request)
        let status = call(handle)
        HandleTable.shared.release(handle, .request)
        guard status == 0 else {
            throw NetcoreError(applicationStatus: status, "\(who) refused the request with \(status)")
        }
        return box.snapshot
    }

    func change(_ body: (inout Request) throws(NetcoreError) -> Void) throws(NetcoreError) {
        lock.lock()
        defer { lock.unlock() }
        lastView = nil
        try body(&request)
    }
}

func change(
    _ handle: netcore_request, _ body: (inout Request) throws(NetcoreError) -> Void
) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.request(handle).change(body) }
}

@_cdecl("netcore_request_create") @implementation
public func netcore_request_create(
    _ method: UnsafePointer<CChar>!, _ url: UnsafePointer<CChar>!, _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        let request = try Request(Argument.text(method, "method"), Argument.text(url, "url"))
        out.pointee = try Lookup.insert(RequestBox(request), .request)
    }
}

@_cdecl("netcore_request_copy") @implementation
public func netcore_request_copy(
    _ request: netcore_request, _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        out.pointee = try Lookup.insert(RequestBox(try Lookup.request(request).snapshot), .request)
    }
}

@_cdecl("netcore_request_destroy") @implementation
public func netcore_request_destroy(_ request: netcore_request) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard HandleTable.shared.release(request, .request) != nil else {
            throw Lookup.missing(request, .request, "request")
        }
    }
}

@_cdecl("netcore_request_set_method") @implementation
public func netcore_request_set_method(_ request: netcore_request, _ method: UnsafePointer<CChar>!) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in try request.setMethod(Argument.text(method, "method")) }
}

@_cdecl("netcore_request_set_url") @implementation
public func netcore_request_set_url(_ request: netcore_request, _ url: UnsafePointer<CChar>!) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in try request.setURL(Argument.text(url, "url")) }
}

@_cdecl("netcore_request_set_header") @implementation
public func netcore_request_set_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setHeader(Argument.text(name, "name"), bytes: Argument.bytes(value, "value"))
    }
}

@_cdecl("netcore_request_add_header") @implementation
public func netcore_request_add_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.addHeader(Argument.text(name, "name"), bytes: Argument.bytes(value, "value"))
    }
}

@_cdecl("netcore_request_set_content_type") @implementation
public func netcore_request_set_content_type(
    _ request: netcore_request, _ content_type: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setContentType(bytes: content_type == nil ? nil : Argument.bytes(content_type, "content_type"))
    }
}

@_cdecl("netcore_request_remove_header") @implementation
public func netcore_request_remove_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.removeHeader(try Argument.text(name, "name")) }
}

@_cdecl("netcore_request_set_body") @implementation
public func netcore_request_set_body(
    _ request: netcore_request, _ data: UnsafeRawPointer!, _ size_bytes: Int
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard size_bytes != 0 else { return request.setBody(raw: nil) }
        request.setBody(raw: try Argument.body(data, size_bytes))
    }
}

private func setTimeout(
    _ handle: netcore_request, _ timeout: UInt64, _ option: OwnOption, _ path: WritableKeyPath<TimeoutSet, Int>
) -> netcore_status {
    change(handle) { (request) throws(NetcoreError) in
        guard timeout <= UInt64(TimeoutSet.maximum) else {
            throw NetcoreError(.invalidArgument, argument: "timeout_ms", "must be at most \(TimeoutSet.maximum)")
        }
        request.set(option) { $0.timeouts[keyPath: path] = Int(timeout) }
    }
}

@_cdecl("netcore_request_set_connect_timeout_ms") @implementation
public func netcore_request_set_connect_timeout_ms(_ request: netcore_request, _ timeout_ms: UInt64) -> netcore_status {
    setTimeout(request, timeout_ms, .connectTimeout, \.connect)
}

@_cdecl("netcore_request_set_first_byte_timeout_ms") @implementation
public func netcore_request_set_first_byte_timeout_ms(
    _ request: netcore_request, _ timeout_ms: UInt64
) -> netcore_status {
    setTimeout(request, timeout_ms, .firstByteTimeout, \.firstByte)
}

@_cdecl("netcore_request_set_idle_timeout_ms") @implementation
public func netcore_request_set_idle_timeout_ms(_ request: netcore_request, _ timeout_ms: UInt64) -> netcore_status {
    setTimeout(request, timeout_ms, .idleTimeout, \.idle)
}

@_cdecl("netcore_request_set_total_timeout_ms") @implementation
public func netcore_request_set_total_timeout_ms(_ request: netcore_request, _ timeout_ms: UInt64) -> netcore_status {
    setTimeout(request, timeout_ms, .totalTimeout, \.total)
}

@_cdecl("netcore_request_set_limit") @implementation
public func netcore_request_set_limit(
    _ request: netcore_request, _ limit: netcore_limit, _ value: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let path = try LimitNames.requestPath(limit)
        request.limits[keyPath: path] = Int(clamping: value)
    }
}

@_cdecl("netcore_request_set_follow_redirects") @implementation
public func netcore_request_set_follow_redirects(_ request: netcore_request, _ follow: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.followsRedirects = try Argument.flag(follow, "follow")
    }
}

@_cdecl("netcore_request_set_allow_insecure_redirects") @implementation
public func netcore_request_set_allow_insecure_redirects(_ request: netcore_request, _ allow: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.allowsInsecureRedirects = try Argument.flag(allow, "allow")
    }
}

@_cdecl("netcore_request_set_decode_content") @implementation
public func netcore_request_set_decode_content(_ request: netcore_request, _ decode: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.decodesContent = try Argument.flag(decode, "decode")
    }
}

@_cdecl("netcore_request_set_tag") @implementation
public func netcore_request_set_tag(_ request: netcore_request, _ tag: UnsafePointer<CChar>!) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.tag = try Argument.optionalText(tag, "tag") }
}

@_cdecl("netcore_request_add_tag") @implementation
public func netcore_request_add_tag(_ request: netcore_request, _ tag: UnsafePointer<CChar>!) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let tag = try Argument.text(tag, "tag")
        try RequestOptions.check(tag: tag, "tag")
        if !request.tags.contains(tag) { request.tags.append(tag) }
    }
}

@_cdecl("netcore_request_add_invalidated_tag") @implementation
public func netcore_request_add_invalidated_tag(
    _ request: netcore_request, _ tag: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let tag = try Argument.text(tag, "tag")
        try RequestOptions.check(tag: tag, "tag")
        if !request.invalidatedTags.contains(tag) { request.invalidatedTags.append(tag) }
    }
}

@_cdecl("netcore_request_set_interim_responses") @implementation
public func netcore_request_set_interim_responses(_ request: netcore_request, _ receive: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.receivesInterim = try Argument.flag(receive, "receive")
    }
}

// MARK: The cache

@_cdecl("netcore_request_set_cache_mode") @implementation
public func netcore_request_set_cache_mode(_ request: netcore_request, _ mode: netcore_cache_mode) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let mode = CacheMode(rawValue: mode) else {
            throw NetcoreError(.invalidArgument, argument: "mode", "not a netcore_cache_mode value")
        }
        request.set(.cacheMode) { $0.cache.mode = mode }
    }
}

@_cdecl("netcore_request_set_cache_ttl_ms") @implementation
public func netcore_request_set_cache_ttl_ms(_ request: netcore_request, _ ttl_ms: UInt64) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let timeToLive: Duration? = ttl_ms == .max ? nil : .milliseconds(Int64(clamping: ttl_ms))
        request.set(.cacheTimeToLive) { $0.cache.timeToLive = timeToLive }
    }
}

@_cdecl("netcore_request_set_cache_errors") @implementation
public func netcore_request_set_cache_errors(_ request: netcore_request, _ keep: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let keepsErrors = try Argument.flag(keep, "keep")
        request.set(.cacheKeepsErrors) { $0.cache.keepsErrors = keepsErrors }
    }
}

@_cdecl("netcore_request_set_cache_scope") @implementation
public func netcore_request_set_cache_scope(
    _ request: netcore_request, _ scope: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let scope = try Argument.optionalText(scope, "scope") ?? ""
        request.set(.cacheScope) { $0.cache.scope = scope }
    }
}

@_cdecl("netcore_request_set_cache_version") @implementation
public func netcore_request_set_cache_version(_ request: netcore_request, _ version: UInt32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.set(.cacheVersion) { $0.cache.version = version } }
}

@_cdecl("netcore_request_set_cache_key") @implementation
public func netcore_request_set_cache_key(_ request: netcore_request, _ key: UnsafePointer<CChar>!) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.options.cache.key = try Argument.optionalText(key, "key")
    }
}

@_cdecl("netcore_request_add_cache_key_field") @implementation
public func netcore_request_add_cache_key_field(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let name = try Argument.text(name, "name")
        try Request.CacheOptions.check(keyField: name, "name")
        request.options.cache.keyFields.append(name)
    }
}
