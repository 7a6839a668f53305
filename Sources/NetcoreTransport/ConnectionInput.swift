internal import CCurl
internal import CLinux
internal import Glibc

/// What has come in on a connection between two requests (RFC 9112 section 9.2): it answers none of them.
enum ConnectionInput {
    /// Whether there is something to read, or an end, or a fault. Empty lines, which some servers send after a body, are
    /// taken away first.
    static func isUnasked(on descriptor: Int32) -> Bool {
        while true {
            var bytes: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
            let size = recv(descriptor, &bytes, 4, peek)
            guard size > 0 else { return size == 0 || errno != EAGAIN }
            let isEmpty = withUnsafeBytes(of: &bytes) { $0.prefix(size).allSatisfy { $0 == 0x0D || $0 == 0x0A } }
            guard isEmpty, recv(descriptor, &bytes, size, Int32(MSG_DONTWAIT)) == size else { return true }
        }
    }

    /// Whether what has come was sent before the peer had a byte of the request: then it does not answer it. A peer's segment
    /// acknowledges what came before it was sent.
    static func isOlder(thanRequestOf size: Int, on descriptor: Int32) -> Bool {
        size > 0 && Int(netcore_unacknowledged(descriptor)) >= size
    }

    /// Puts a stream that has ended in the place of a connection: what came on it is gone, and the peer sees its end.
    static func end(_ descriptor: Int32) {
        var pair: (Int32, Int32) = (-1, -1)
        let isMade = withUnsafeMutableBytes(of: &pair) { ends in
            socketpair(
                AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0,
                ends.assumingMemoryBound(to: Int32.self).baseAddress) == 0
        }
        guard isMade else {
            // Descriptors ran out. What came stays to be read; ``isUnasked(on:)`` is asked again before each request.
            _ = shutdown(descriptor, Int32(SHUT_RDWR))
            return
        }
        close(pair.1)
        _ = netcore_dup(pair.0, descriptor)
        close(pair.0)
    }

    /// Whether a socket leads to this host: a Unix-domain socket, or one with a loopback address (RFC 6890).
    static func isLocal(_ descriptor: Int32) -> Bool {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failure = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard failure == 0 else { return true }
        let family = Int32(address.ss_family)
        return withUnsafeBytes(of: &address) { bytes in
            switch family {
            case AF_INET: bytes[4] == 127
            case AF_INET6: bytes[8..<23].allSatisfy { $0 == 0 } && bytes[23] == 1
            default: true
            }
        }
    }

    private static let peek = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
}
