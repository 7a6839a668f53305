internal import CCurl
internal import Glibc
internal import NetcoreHTTP
internal import NetcoreSupport

/// A peer that refuses a body may answer and reset the connection while more of the body is on its way. libcurl 7.88 then fails to
/// send, and closes the socket without a look at what has come: here that is read after all, where it is plain HTTP/1.1.
extension Transfer {
    /// A socket is about to be closed: takes what is left in it, if it is the one that this transfer sends to.
    func saveLeftover(of descriptor: Int32) {
        guard let wire, !wire.url.isSecure, host?.proxy.hasPrefix("https") != true, hasOpenEnd,
            let port = ConnectionEndpoint.localPort(of: descriptor),
            port == netcore_getinfo_long(easy, CURLINFO_LOCAL_PORT)
        else { return }
        let rest = ByteBuffer()
        while rest.count < Self.mostLeftover, let room = rest.room(for: 16 << 10) {
            let size = recv(descriptor, room, 16 << 10, Int32(MSG_DONTWAIT))
            guard size > 0 else { break }
            rest.commit(size)
        }
        leftover = hasWholeHead || rest.bytes.starts(with: "HTTP/".utf8) ? rest : nil
    }

    /// Nothing of the answer has come, or all of its head and perhaps some of a body whose length is known.
    private var hasOpenEnd: Bool {
        switch head.state {
        case .statusLine: true
        case .fields: false
        case .trailers: !head.isChunked && head.contentLength != nil
        }
    }

    /// A receive buffer has seldom more.
    private static let mostLeftover = 4 << 20

    /// Whether what was left is a whole answer, which it then is. One in chunks, or without a length, is not: its end is not told
    /// from a loss.
    func readLeftover() -> Bool {
        guard let rest = leftover, failure == nil, !resending.wasForeignAtClose, let method = wire?.method else {
            return false
        }
        leftover = nil
        var bytes = rest.bytes[...]
        while !hasWholeHead {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return false }
            guard receiveHeader(UnsafeRawBufferPointer(rebasing: bytes[...end])) else { return false }
            bytes = bytes[(end + 1)...]
        }
        guard HeadParser.hasBody(status: head.status, method: method) else { return true }
        guard !head.isChunked, let length = head.contentLength, bytes.count >= length - receivedBodyBytes else {
            return false
        }
        let missing = length - receivedBodyBytes
        return missing <= 0 || receiveBody(UnsafeRawBufferPointer(rebasing: bytes.prefix(missing)))
    }
}
