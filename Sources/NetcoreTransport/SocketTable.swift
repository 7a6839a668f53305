internal import CCurl
internal import CLinux
internal import Glibc

/// What the client knows of each descriptor that libcurl uses: which shard watches it and for what, and whether the
/// connection of it may carry another request.
///
/// A connection's descriptor stays registered while no transfer uses it, so that the next request on it costs no call
/// into the kernel. Bytes that come in the meantime answer no request: the connection is then cut.
final class SocketTable {
    private struct Entry {
        var shard: Shard?
        /// What epoll knows, 0 for not registered.
        var registered: UInt32 = 0
        /// Opened through ``opened(_:)``, so that its end is known too; libcurl closes others without notice.
        var isConnection = false
        /// Where the connection leads; nil before its first request, and where it has no ports (Unix-domain sockets).
        var endpoint: ConnectionEndpoint?
        /// The transfer whose request is the only one under way on it; by its index.
        var owner: Int?
        /// It belongs to a network that was left: it ends after its request.
        var isLeft = false
        /// A request has ended on it.
        var hasServed = false
        /// The TLS session of a connection that speaks HTTP/2: bytes may come at any time, and libcurl reads them.
        var session: TLSSession?

        var isMultiplexed: Bool { session != nil }

        /// Nothing may come on it now.
        var isIdle: Bool { hasServed && owner == nil && !isMultiplexed }
    }

    private var entries: ContiguousArray<Entry> = []
    private var byEndpoint: [ConnectionEndpoint: Int32] = [:]
    private let loop: EventLoop

    init(loop: EventLoop) { self.loop = loop }

    func opened(_ descriptor: Int32) {
        guard grow(to: descriptor) else { return }
        entries[Int(descriptor)] = Entry(isConnection: true)
    }

    /// The descriptor is about to be closed, which takes it out of the epoll set. Returns its session, where it speaks HTTP/2.
    func closed(_ descriptor: Int32) -> TLSSession? {
        guard let index = index(descriptor) else { return nil }
        if let endpoint = entries[index].endpoint { byEndpoint[endpoint] = nil }
        let session = entries[index].session
        entries[index] = Entry()
        return session
    }

    // MARK: Requests

    /// The connection that leads to an endpoint, once it has been bound to it.
    func connection(to endpoint: ConnectionEndpoint) -> Int32? { byEndpoint[endpoint] }

    /// Whether a connection waits for its first request.
    func isNew(_ descriptor: Int32) -> Bool {
        index(descriptor).map { entries[$0].isConnection && entries[$0].endpoint == nil && !entries[$0].isMultiplexed }
            ?? false
    }

    /// The connection among those that wait for their first request whose local end is an endpoint's.
    func newConnection(at endpoint: ConnectionEndpoint) -> Int32? {
        entries.indices.lazy.map { Int32($0) }.first { isNew($0) && endpoint.isLocalEnd(of: $0) }
    }

    /// The transfer that has a connection for itself.
    func owner(of descriptor: Int32) -> Int? { index(descriptor).flatMap { entries[$0].owner } }

    /// Learns where a connection leads.
    func bind(_ descriptor: Int32, to endpoint: ConnectionEndpoint) {
        guard let index = index(descriptor), entries[index].isConnection else { return }
        entries[index].endpoint = endpoint
        byEndpoint[endpoint] = descriptor
    }

    /// A transfer's request goes on a connection, which it has for itself.
    func take(_ descriptor: Int32, by transfer: Int) {
        guard let index = index(descriptor) else { return }
        entries[index].owner = transfer
    }

    /// A connection turned out to carry many streams.
    func shareByStreams(_ descriptor: Int32, _ session: TLSSession?) {
        guard let index = index(descriptor), entries[index].isConnection else { return }
        entries[index].session = session
        entries[index].owner = nil
    }

    /// The transfer's request has ended.
    func release(_ descriptor: Int32, by transfer: Int) {
        guard let index = index(descriptor), entries[index].owner == transfer else { return }
        entries[index].owner = nil
        entries[index].hasServed = true
        if entries[index].isLeft { cut(index) }
    }

    /// Cuts the idle connections on which something has come. For connections that cannot be told apart by their ports.
    func cutUnasked() {
        for index in entries.indices where entries[index].isIdle {
            if ConnectionInput.isUnasked(on: Int32(index)) { cut(index) }
        }
    }

    /// The network is another one: ends the connections that no transfer uses, and has the others end after their request. Those to this
    /// host stay, and those of HTTP/2 as long as they have streams.
    ///
    /// - Parameter sparesStreams: a transfer is paused, so that a connection nothing is waited for on may have streams.
    func leaveNetwork(sparesStreams: Bool) {
        for index in entries.indices where entries[index].isConnection && !ConnectionInput.isLocal(Int32(index)) {
            let entry = entries[index]
            if entry.isIdle || entry.isMultiplexed && entry.shard == nil && !sparesStreams {
                cut(index)
            } else {
                entries[index].isLeft = true
            }
        }
    }

    /// Ends the connection whose request could not be sent whole, if it is still there. libcurl 7.88 keeps it if that was its first
    /// request, and OpenSSL what it did not send: that would go out before the next request, which would get its answer.
    func cutUnsent(_ descriptor: Int32, by transfer: Int) {
        guard let index = index(descriptor), entries[index].owner == transfer else { return }
        cut(index)
    }

    /// Ends a connection that no transfer uses: libcurl finds it at its end.
    private func cut(_ index: Int) {
        register(index, 0)
        if let endpoint = entries[index].endpoint { byEndpoint[endpoint] = nil }
        entries[index].endpoint = nil
        ConnectionInput.end(Int32(index))
    }

    // MARK: Events

    /// Whether some transfer waits for a descriptor, as far as libcurl says.
    func isWatched(_ descriptor: Int32) -> Bool { index(descriptor).map { entries[$0].shard != nil } ?? false }

    /// What libcurl waits for, for a transfer: CURL_POLL_IN, OUT, INOUT or REMOVE. Returns false where the kernel refuses.
    func watch(_ descriptor: Int32, _ what: Int32, for shard: Shard) -> Bool {
        guard grow(to: descriptor) else { return true }
        var wanted: UInt32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { wanted |= EPOLLIN.rawValue }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { wanted |= EPOLLOUT.rawValue }
        let index = Int(descriptor)
        entries[index].shard = wanted == 0 ? nil : shard
        if wanted == 0, entries[index].isConnection, entries[index].registered == EPOLLIN.rawValue { return true }
        return register(index, wanted)
    }

    /// The shard that waits for a descriptor's event; nil for an idle connection, which is then no longer watched. One
    /// that speaks HTTP/1.1 is cut, since nothing may come on it (RFC 9112 section 9.2).
    func shard(for descriptor: Int32) -> Shard? {
        guard let index = index(descriptor) else { return nil }
        let entry = entries[index]
        if let shard = entry.shard { return shard }
        if entry.isIdle, ConnectionInput.isUnasked(on: descriptor) {
            cut(index)
        } else {
            register(index, 0)
        }
        return nil
    }

    @discardableResult
    private func register(_ index: Int, _ mask: UInt32) -> Bool {
        let before = entries[index].registered
        guard before != mask else { return true }
        let operation = mask == 0 ? EPOLL_CTL_DEL : before == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        var isDone = loop.control(operation, Int32(index), mask)
        if !isDone, operation == EPOLL_CTL_ADD { isDone = loop.control(EPOLL_CTL_MOD, Int32(index), mask) }
        entries[index].registered = isDone ? mask : 0
        return isDone || mask == 0
    }

    private func index(_ descriptor: Int32) -> Int? {
        descriptor >= 0 && Int(descriptor) < entries.count ? Int(descriptor) : nil
    }

    /// Makes room for a descriptor. False for one that is none.
    private func grow(to descriptor: Int32) -> Bool {
        guard descriptor >= 0 else { return false }
        while entries.count <= Int(descriptor) { entries.append(Entry()) }
        return true
    }
}
