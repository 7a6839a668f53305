public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_request_set_use_cookies") @implementation
public func netcore_request_set_use_cookies(_ request: netcore_request, _ use_cookies: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.usesCookies = try Argument.flag(use_cookies, "use_cookies")
    }
}

@_cdecl("netcore_request_set_cookie") @implementation
public func netcore_request_set_cookie(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let name = try Argument.name(name, "name")
        guard let value = try Argument.optionalText(value, "value") else { return request.removeCookie(name) }
        try request.setCookie(name, value)
    }
}

@_cdecl("netcore_client_set_cookie") @implementation
public func netcore_client_set_cookie(
    _ client: netcore_client, _ cookie: UnsafePointer<netcore_cookie>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let store = try Lookup.client(client).cookieStore()
        try store.set(CookieForm.read(try Argument.notNull(cookie, "cookie")))
    }
}

@_cdecl("netcore_client_list_cookies") @implementation
public func netcore_client_list_cookies(
    _ client: netcore_client, _ fn: netcore_cookie_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let store = try Lookup.client(client).cookieStore()
        let fn = try Argument.notNull(fn, "fn")
        for cookie in store.all {
            guard CookieForm.lend(cookie, { fn(&$0, user_data) }) != 0 else { return }
        }
    }
}

@_cdecl("netcore_client_clear_cookies") @implementation
public func netcore_client_clear_cookies(
    _ client: netcore_client, _ domain: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!,
    _ name: UnsafePointer<CChar>!, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let store = try Lookup.client(client).cookieStore()
        let count = store.clear(
            domain: try Argument.optionalText(domain, "domain"), path: try Argument.optionalText(path, "path"),
            name: try Argument.optionalText(name, "name"))
        out_count?.pointee = UInt32(clamping: count)
    }
}

@_cdecl("netcore_client_clear_session_cookies") @implementation
public func netcore_client_clear_session_cookies(
    _ client: netcore_client, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let count = try Lookup.client(client).cookieStore().clearSession()
        out_count?.pointee = UInt32(clamping: count)
    }
}

@_cdecl("netcore_client_export_cookies") @implementation
public func netcore_client_export_cookies(
    _ client: netcore_client, _ text: UnsafeMutablePointer<CChar>!, _ capacity: Int,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_size, "out_size")
        let exported = try Lookup.client(client).cookieStore().export()
        try TextOut.write(exported, text, capacity, out)
    }
}

@_cdecl("netcore_client_import_cookies") @implementation
public func netcore_client_import_cookies(
    _ client: netcore_client, _ text: UnsafePointer<CChar>!, _ size_bytes: Int,
    _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let store = try Lookup.client(client).cookieStore()
        guard size_bytes >= 0 else { throw NetcoreError(.invalidArgument, argument: "size_bytes", "too large") }
        let text = try Argument.notNull(text, "text")
        let count = store.import(UnsafeRawBufferPointer(start: text, count: size_bytes))
        out_count?.pointee = UInt32(clamping: count)
    }
}

private enum CookieForm {
    static func read(_ pointer: UnsafePointer<netcore_cookie>) throws(NetcoreError) -> Cookie {
        let from = try netcore_cookie.read(pointer, "cookie")
        var cookie = Cookie(
            name: "", value: "", domain: try Argument.text(from.domain, "domain"),
            path: try Argument.optionalText(from.path, "path") ?? "/",
            isHostOnly: try Argument.flag(from.is_host_only, "is_host_only"),
            isSecure: try Argument.flag(from.is_secure, "is_secure"),
            isHTTPOnly: try Argument.flag(from.is_http_only, "is_http_only"),
            expires: from.expires < 0 ? nil : from.expires)
        cookie.nameBytes = try Argument.bytes(from.name, "name")
        cookie.valueBytes = try Argument.bytes(from.value, "value")
        return cookie
    }

    static func lend(_ cookie: Cookie, _ body: (inout netcore_cookie) -> Int32) -> Int32 {
        var lent = netcore_cookie()
        lent.size = UInt32(MemoryLayout<netcore_cookie>.size)
        lent.is_secure = cookie.isSecure ? 1 : 0
        lent.is_http_only = cookie.isHTTPOnly ? 1 : 0
        lent.is_host_only = cookie.isHostOnly ? 1 : 0
        lent.expires = cookie.expires ?? -1
        return withTexts(text(cookie.nameBytes), text(cookie.valueBytes), cookie.domain, cookie.path) {
            name, value, domain, path in
            lent.name = name
            lent.value = value
            lent.domain = domain
            lent.path = path
            return body(&lent)
        }
    }

    private static func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// The texts live as long as the call.
    private static func withTexts(
        _ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>, _ domain: UnsafePointer<CChar>,
        _ path: UnsafePointer<CChar>,
        _ body: (
            UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>
        ) -> Int32
    ) -> Int32 { body(name, value, domain, path) }
}
