internal import CCurl
internal import CLinux
internal import Glibc

/// Which shard watches a descriptor, and for what.
///
/// A connection's descriptor stays registered while no transfer uses it, so that the next request on it costs no call
/// into the kernel; it is dropped when it becomes readable in the meantime.
struct SocketTable {
    private struct Entry {
        var shard: Shard?
        /// What epoll knows, 0 for not registered.
        var registered: UInt32 = 0
        /// What libcurl wants, 0 for nothing.
        var wanted: UInt32 = 0
        /// Opened through ``opened(_:)``, so that its end is known too; libcurl closes others without a word.
        var isConnection = false
    }

    private var entries: ContiguousArray<Entry> = []
    private let loop: EventLoop

    init(loop: EventLoop) { self.loop = loop }

    mutating func opened(_ descriptor: Int32) {
        grow(to: descriptor)
        entries[Int(descriptor)] = Entry(isConnection: true)
    }

    /// The descriptor is about to be closed, which takes it out of the epoll set.
    mutating func closed(_ descriptor: Int32) {
        guard Int(descriptor) < entries.count else { return }
        entries[Int(descriptor)] = Entry()
    }

    /// libcurl's wish: CURL_POLL_IN, OUT, INOUT or REMOVE.
    mutating func watch(_ descriptor: Int32, _ what: Int32, for shard: Shard) {
        grow(to: descriptor)
        var wanted: UInt32 = 0
        if what == CURL_POLL_IN || what == CURL_POLL_INOUT { wanted |= EPOLLIN.rawValue }
        if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { wanted |= EPOLLOUT.rawValue }
        let index = Int(descriptor)
        entries[index].wanted = wanted
        entries[index].shard = wanted == 0 ? nil : shard
        if wanted == 0, entries[index].isConnection, entries[index].registered == EPOLLIN.rawValue { return }
        register(index, wanted)
    }

    /// The shard that waits for a descriptor's event; nil for an idle connection, which is then no longer watched.
    mutating func shard(for descriptor: Int32) -> Shard? {
        let index = Int(descriptor)
        guard index < entries.count else { return nil }
        if let shard = entries[index].shard { return shard }
        register(index, 0)
        return nil
    }

    private mutating func register(_ index: Int, _ mask: UInt32) {
        let before = entries[index].registered
        guard before != mask else { return }
        let operation = mask == 0 ? EPOLL_CTL_DEL : before == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        if !loop.control(operation, Int32(index), mask), operation == EPOLL_CTL_ADD {
            loop.control(EPOLL_CTL_MOD, Int32(index), mask)
        }
        entries[index].registered = mask
    }

    private mutating func grow(to descriptor: Int32) {
        while entries.count <= Int(descriptor) { entries.append(Entry()) }
    }
}
