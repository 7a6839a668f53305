internal import Glibc

/// The IP address and port at the other end of a connection: of the server, or of a proxy.
public struct PeerAddress: Sendable, Hashable {
    /// As IPv6, IPv4 mapped into it (RFC 4291 section 2.5.5.2), in network byte order.
    package let bytes: Bytes
    /// 0 if it is not known.
    public let port: Int

    /// In the order in which memory has them.
    package struct Bytes: Sendable, Hashable {
        var first: UInt64 = 0
        var second: UInt64 = 0
    }

    /// Nil if the text is no IP address. A zone after "%" is left out.
    init?(_ text: String, port: Int) {
        let text = text.prefix { $0 != "%" }
        var bytes = Bytes()
        let isRead = withUnsafeMutableBytes(of: &bytes) {
            inet_pton(AF_INET6, text.contains(":") ? String(text) : "::ffff:\(text)", $0.baseAddress) == 1
        }
        guard isRead else { return nil }
        self.bytes = bytes
        self.port = port
    }

    /// Such as "192.0.2.1" or "2001:db8::1".
    public var address: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { room in
            let text = withUnsafeBytes(of: bytes) {
                inet_ntop(AF_INET6, $0.baseAddress, room.baseAddress, socklen_t(room.count))
            }
            guard let text else { return "" }
            let mapped = "::ffff:"
            let address = String(cString: text)
            return address.hasPrefix(mapped) && address.contains(".")
                ? String(address.dropFirst(mapped.count)) : address
        }
    }
}
