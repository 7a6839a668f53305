internal import CCurl
internal import Glibc

/// An absolute http or https URL, parsed once by libcurl's URL API and handed to it as it is.
///
/// User name and password are taken out: they are credentials, not part of what is fetched.
package final class HTTPURL: Sendable {
    package struct Credentials: Sendable, Equatable {
        package let user: String
        package let password: String
    }

    /// Read-only from here on; libcurl copies it at the start of a transfer.
    package nonisolated(unsafe) let handle: OpaquePointer  // never written after init
    /// The whole URL, without user name and password, ended by a NUL byte that is not counted.
    package nonisolated(unsafe) let bytes: UnsafeRawBufferPointer  // never written after init
    package let isSecure: Bool
    /// Scheme, host and port: what makes two URLs the same origin (RFC 6454 section 4). The host is the one that is
    /// connected to: in lower case, in ASCII, an IPv6 address in brackets and with its zone.
    package let origin: String
    package let credentials: Credentials?

    package convenience init(_ text: String) throws(NetcoreError) {
        guard !text.utf8.contains(0) else {
            throw NetcoreError(.invalidURL, argument: "url", "must not contain a NUL byte")
        }
        guard let handle = curl_url() else { throw NetcoreError(.outOfMemory) }
        let code = Self.encodingSpaces(text.utf8).withUnsafeBufferPointer { Self.set(handle, $0) }
        try self.init(adopting: handle, code)
    }

    /// The target of a redirect: a reference resolved against this URL (RFC 3986 section 5), which passes its fragment on
    /// when the reference has none (RFC 9110 section 10.2.2). Credentials in it are not used.
    package func resolving(_ reference: UnsafeRawBufferPointer) throws(NetcoreError) -> HTTPURL {
        guard let copy = curl_url_dup(handle) else { throw NetcoreError(.outOfMemory) }
        let fragment = Self.part(handle, CURLUPART_FRAGMENT)
        let code = Self.encodingSpaces(reference).withUnsafeBufferPointer { text in
            // libcurl drops the base's query where RFC 3986 section 5.3 keeps it.
            switch text[0] {
            case 0: CURLUE_OK
            case CChar(bitPattern: UInt8(ascii: "#")):
                curl_url_set(copy, CURLUPART_FRAGMENT, text.baseAddress.map { $0 + 1 }, UInt32(CURLU_URLENCODE))
            default: Self.set(copy, text)
            }
        }
        if code == CURLUE_OK, let fragment, Self.part(copy, CURLUPART_FRAGMENT) == nil {
            curl_url_set(copy, CURLUPART_FRAGMENT, fragment, 0)
        }
        return try HTTPURL(adopting: copy, code)
    }

    /// A relative reference below this base URL, with the base's user name and password, and with more of a query, which is
    /// encoded already. The base is a folder: a reference with a path is resolved (RFC 3986 section 5) without slashes at its
    /// beginning, against the base with a slash at its end. One without a path keeps that of the base.
    package func joining(_ reference: String, adding query: [UInt8] = []) throws(NetcoreError) -> HTTPURL {
        try resolving(relative: inFolder(reference), adding: query)
    }

    /// A reference that leads, from this URL as RFC 3986 sees it, to where the given one leads from this URL as a folder.
    private func inFolder(_ reference: String) -> String {
        guard let first = reference.utf8.first, first != UInt8(ascii: "?"), first != UInt8(ascii: "#") else {
            return reference
        }
        let path = Self.part(handle, CURLUPART_PATH) ?? "/"
        let last = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
        let below = reference.drop { $0 == "/" }
        return last.isEmpty ? "./" + below : "./" + last + "/" + below
    }

    private func resolving(relative reference: String, adding query: [UInt8]) throws(NetcoreError) -> HTTPURL {
        // One without a path keeps the query of the base.
        guard query.isEmpty || reference.utf8.first.map({ $0 != UInt8(ascii: "#") }) ?? false else {
            return try resolving(relative: reference, adding: []).adding(query: query)
        }
        var reference = reference
        let text = reference.withUTF8 { query.isEmpty ? Array($0) : Self.adding(query, to: UnsafeRawBufferPointer($0)) }
        let result = text.withUnsafeBytes { bytes in Result { () throws(NetcoreError) in try resolving(bytes) } }
        let joined = try result.get()
        guard credentials != nil else { return joined }
        guard let copy = curl_url_dup(joined.handle) else { throw NetcoreError(.outOfMemory) }
        return try HTTPURL(adopting: copy, CURLUE_OK, credentials)
    }

    /// This URL with more of a query, which is encoded already. Parsed anew as a whole: libcurl writes the digits of a query that
    /// it is given separately in lower case.
    package func adding(query: [UInt8]) throws(NetcoreError) -> HTTPURL {
        guard !query.isEmpty else { return self }
        guard let handle = curl_url() else { throw NetcoreError(.outOfMemory) }
        let text = Self.adding(query, to: bytes) + [0]
        let code = text.withUnsafeBytes { text in
            curl_url_set(handle, CURLUPART_URL, text.bindMemory(to: CChar.self).baseAddress, 0)
        }
        return try HTTPURL(adopting: handle, code, credentials)
    }

    /// A URL or a reference with more of a query.
    private static func adding(_ query: [UInt8], to text: UnsafeRawBufferPointer) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count + query.count + 2)
        let fragment = text.firstIndex(of: UInt8(ascii: "#")) ?? text.count
        result += UnsafeRawBufferPointer(rebasing: text[..<fragment])
        if let mark = result.firstIndex(of: UInt8(ascii: "?")) {
            if mark + 1 < result.count, result.last != UInt8(ascii: "&") { result.append(UInt8(ascii: "&")) }
        } else {
            result.append(UInt8(ascii: "?"))
        }
        result += query
        result += UnsafeRawBufferPointer(rebasing: text[fragment...])
        return result
    }

    /// This URL by https. The port of http becomes that of https; any other stays.
    package func upgraded() throws(NetcoreError) -> HTTPURL {
        guard !isSecure else { return self }
        guard let copy = curl_url_dup(handle) else { throw NetcoreError(.outOfMemory) }
        if Self.part(handle, CURLUPART_PORT) == "80" { curl_url_set(copy, CURLUPART_PORT, nil, 0) }
        return try HTTPURL(adopting: copy, curl_url_set(copy, CURLUPART_SCHEME, "https", 0), credentials)
    }

    /// - Parameter credentials: those of the URL that this one was made from; they are no longer in the handle.
    private init(
        adopting handle: OpaquePointer, _ code: CURLUcode, _ credentials: Credentials? = nil
    ) throws(NetcoreError) {
        do throws(NetcoreError) {
            self.handle = handle
            guard code == CURLUE_OK else { throw Self.error(code) }
            let scheme = Self.part(handle, CURLUPART_SCHEME) ?? ""
            guard scheme == "http" || scheme == "https" else { throw Self.error(CURLUE_UNSUPPORTED_SCHEME) }
            isSecure = scheme == "https"
            self.credentials = try Self.takeCredentials(handle) ?? credentials
            guard let host = try Self.host(handle), !host.isEmpty,
                let port = Self.part(handle, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)), port != "0",
                let text = Self.text(handle, CURLUPART_URL)
            else { throw Self.error(CURLUE_NO_HOST) }
            bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
            origin = "\(scheme)://\(host):\(port)"
        } catch {
            curl_url_cleanup(handle)
            throw error
        }
    }

    deinit {
        curl_url_cleanup(handle)
        curl_free(UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// For messages: no query, no fragment.
    package var display: String {
        String(string.prefix { $0 != "?" && $0 != "#" })
    }

    /// A C string with "%20" for each space: libcurl would write "+" in a query.
    private static func encodingSpaces(_ text: some Sequence<UInt8>) -> [CChar] {
        var result: [CChar] = []
        result.reserveCapacity(text.underestimatedCount + 16)
        for byte in text {
            if byte == 0x20 {
                result += [0x25, 0x32, 0x30]
            } else {
                result.append(CChar(bitPattern: byte))
            }
        }
        result.append(0)
        return result
    }

    private static func set(_ handle: OpaquePointer, _ buffer: UnsafeBufferPointer<CChar>) -> CURLUcode {
        guard let text = buffer.baseAddress else { return CURLUE_OUT_OF_MEMORY }
        // libcurl takes "http:/a" and "http:///a" for "http://a"; an empty host is no http URL (RFC 9110 section 4.2.1).
        for scheme in ["http:", "https:"] where strncasecmp(text, scheme, scheme.utf8.count) == 0 {
            let rest = text + scheme.utf8.count
            guard strncmp(rest, "//", 2) == 0, strncmp(rest, "///", 3) != 0 else { return CURLUE_NO_HOST }
        }
        return curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE))
    }

    private static func part(_ handle: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0) -> String? {
        guard let text = text(handle, part, flags) else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    /// The host that libcurl connects to, in lower case. A name beyond ASCII is replaced by the one that IDNA makes
    /// of it.
    private static func host(_ handle: OpaquePointer) throws(NetcoreError) -> String? {
        guard let host = part(handle, CURLUPART_HOST)?.lowercased() else { return nil }
        if host.utf8.first == UInt8(ascii: "[") {
            guard let zone = part(handle, CURLUPART_ZONEID) else { return host }
            return "\(host.dropLast())%25\(zone)]"
        }
        guard host.utf8.contains(where: { $0 >= 0x80 }) else { return host }
        guard let name = HostName.ascii(handle), curl_url_set(handle, CURLUPART_HOST, name, 0) == CURLUE_OK,
            let whole = text(handle, CURLUPART_URL)
        else {
            throw NetcoreError(.invalidURL, argument: "url", "the host is not a valid internationalized name (IDNA)")
        }
        defer { curl_free(whole) }
        // Parsed anew, for it may be an address now.
        let code = curl_url_set(handle, CURLUPART_URL, whole, 0)
        guard code == CURLUE_OK else { throw error(code) }
        return part(handle, CURLUPART_HOST)?.lowercased()
    }

    private static func text(
        _ handle: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0
    ) -> UnsafeMutablePointer<CChar>? {
        var text: UnsafeMutablePointer<CChar>?
        return curl_url_get(handle, part, &text, flags) == CURLUE_OK ? text : nil
    }

    private static func takeCredentials(_ handle: OpaquePointer) throws(NetcoreError) -> Credentials? {
        guard part(handle, CURLUPART_USER) != nil || part(handle, CURLUPART_PASSWORD) != nil else { return nil }
        let user = part(handle, CURLUPART_USER, UInt32(CURLU_URLDECODE))
        let hasPassword = part(handle, CURLUPART_PASSWORD) != nil
        let password = part(handle, CURLUPART_PASSWORD, UInt32(CURLU_URLDECODE))
        guard let user, !hasPassword || password != nil else {
            throw NetcoreError(.invalidURL, argument: "url", "the user name or password has a byte that is not allowed")
        }
        curl_url_set(handle, CURLUPART_USER, nil, 0)
        curl_url_set(handle, CURLUPART_PASSWORD, nil, 0)
        return Credentials(user: user, password: password ?? "")
    }

    private static func error(_ code: CURLUcode) -> NetcoreError {
        switch code {
        case CURLUE_OUT_OF_MEMORY: NetcoreError(.outOfMemory)
        case CURLUE_UNSUPPORTED_SCHEME:
            NetcoreError(.invalidScheme, argument: "url", "the scheme must be http or https")
        case CURLUE_BAD_SCHEME:
            NetcoreError(.invalidURL, argument: "url", "must be absolute; begin it with http:// or https://")
        case CURLUE_NO_HOST: NetcoreError(.invalidURL, argument: "url", "must have a host, and a port other than 0")
        default: NetcoreError(.invalidURL, argument: "url", "\(String(cString: curl_url_strerror(code)).lowercased())")
        }
    }
}
