internal import CCurl
internal import Glibc

/// Hosts as they are compared: in lower case and ASCII, without the dot at the end of an absolute name and without the brackets
/// of an address.
package enum HostName {
    /// The host of a URL. Its letters beyond ASCII are written as IDNA does where libcurl can; else it is not canonical.
    package static func of(_ url: HTTPURL) -> String { canonical(text(url).utf8[...]) }

    package static func canonical(_ host: Substring.UTF8View) -> String {
        var bytes = host.map(Syntax.lowercased)[...]
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") { bytes = bytes.dropFirst().dropLast() }
        if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a host is in its canonical form: of letters, digits and -._:~, which is what is left of the hosts that libcurl
    /// takes.
    package static func isCanonical(_ host: String) -> Bool {
        !host.isEmpty && host.utf8.last != UInt8(ascii: ".") && host.utf8.allSatisfy { byte in
            switch byte {
            case 0x2D, 0x2E, 0x30...0x3A, 0x5F, 0x61...0x7A, 0x7E: true
            default: false
            }
        }
    }

    package static func isAddress(_ host: String) -> Bool {
        var address = in_addr()
        return host.utf8.contains(UInt8(ascii: ":")) || inet_pton(AF_INET, host, &address) == 1
    }

    /// libcurl 7 hands out a copy of a name even where it cannot convert it, and says that it failed.
    private static let leavesText = curl_version_info(CURLVERSION_FIRST).pointee.version_num < 0x080000

    /// What stands between "://" and the port.
    private static func text(_ url: HTTPURL) -> String {
        let host = url.origin.utf8.dropFirst(url.isSecure ? 8 : 7)
        let end = host.lastIndex(of: UInt8(ascii: ":")) ?? host.endIndex
        let name = String(url.origin[host.startIndex..<end])
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return name }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url.handle, CURLUPART_HOST, &text, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let text else {
            if Self.leavesText { curl_free(text) }
            return name
        }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
