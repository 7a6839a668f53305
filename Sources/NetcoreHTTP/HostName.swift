internal import CCurl
internal import Glibc

/// Hosts as they are compared: in lower case and ASCII, without the dot at the end of an absolute name and without the brackets
/// of an address.
package enum HostName {
    /// The host of a URL.
    package static func of(_ url: HTTPURL) -> String { canonical(text(url).utf8) }

    package static func canonical(_ host: Substring.UTF8View) -> String {
        var bytes = host.map(Syntax.lowercased)[...]
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") { bytes = bytes.dropFirst().dropLast() }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a host is in its canonical form: of letters, digits and -._:~, which is what is left of the hosts that libcurl
    /// takes.
    ///
    /// - Parameter allowsZone: whether an address may have a zone of this machine, after "%".
    package static func isCanonical(_ host: String, allowsZone: Bool = false) -> Bool {
        !host.isEmpty && host.utf8.last != UInt8(ascii: ".")
            && host.utf8.allSatisfy { byte in
                switch byte {
                case 0x2D, 0x2E, 0x30...0x3A, 0x5F, 0x61...0x7A, 0x7E: true
                case 0x25: allowsZone && host.utf8.contains(UInt8(ascii: ":"))
                default: false
                }
            }
    }

    package static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(UInt8(ascii: ":")) { return true }
        guard host.utf8.last.map({ $0 &- 0x30 < 10 }) ?? false else { return false }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1
    }

    /// A name in ASCII, as IDNA writes it where libcurl can; as it is where it cannot.
    package static func ascii(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 >= 0x80 }), let handle = curl_url() else { return name }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_HOST, name, 0) == CURLUE_OK else { return name }
        return ascii(handle) ?? name
    }

    /// The host of a URL beyond ASCII, as IDNA writes it, which may leave nothing else than letters, digits and
    /// "-._~": U+2100 has a slash in it. Nil where libcurl cannot, which takes it to be in the encoding of the
    /// process's locale.
    static func ascii(_ handle: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, CURLUPART_HOST, &text, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let text else {
            if leavesText { curl_free(text) }
            return nil
        }
        defer { curl_free(text) }
        let name = String(cString: text)
        let bare = canonical(name[...].utf8)
        return isCanonical(bare) && !bare.utf8.contains(UInt8(ascii: ":")) ? name : nil
    }

    /// Whether the host of a URL is in ASCII, or libcurl can write it so.
    package static func canBeASCII(_ handle: OpaquePointer) -> Bool {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, CURLUPART_HOST, &text, 0) == CURLUE_OK, let text else { return false }
        defer { curl_free(text) }
        return String(cString: text).utf8.allSatisfy { $0 < 0x80 } || ascii(handle) != nil
    }

    /// libcurl 7 hands out a copy of a name even where it cannot convert it, and says that it failed.
    private static let leavesText = curl_version_info(CURLVERSION_FIRST).pointee.version_num < 0x080000

    /// What stands between "://" and the port.
    private static func text(_ url: HTTPURL) -> Substring {
        let host = url.origin.utf8.dropFirst(url.isSecure ? 8 : 7)
        let end = host.lastIndex(of: UInt8(ascii: ":")) ?? host.endIndex
        return url.origin[host.startIndex..<end]
    }
}
