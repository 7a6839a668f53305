internal import CCurl
internal import Glibc
internal import NetcoreSupport

/// Notices when links, addresses and routes of the system change, by a socket of rtnetlink that is readable then. For any thread.
package final class NetworkWatch: @unchecked Sendable {  // the state is under `lock`
    /// Readable after a change; never blocks.
    package let descriptor: Int32
    private let lock = Lock()
    private var state: NetworkState

    /// Nil when the system gives no such socket.
    package init?() {
        // Before the state is read, so that no change is missed.
        descriptor = Self.open(nonblocking: true)
        guard descriptor >= 0, Self.subscribe(descriptor), let state = Self.read() else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        self.state = state
    }

    deinit { close(descriptor) }

    package var current: NetworkState { lock.withLock { state } }

    /// Looks for changes. Returns the state if it is another one since the last call.
    package func refresh() -> NetworkState? {
        lock.withLock {
            guard drain(), let new = Self.read(), new != state else { return nil }
            state = new
            return new
        }
    }

    /// Takes all notices away. What they say is read anew: they may be many, and some may have been lost.
    private func drain() -> Bool {
        var byte: UInt8 = 0
        var hasSome = false
        while true {
            if recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) < 0 {
                if errno == EINTR { continue }
                // Lost notices are notices.
                guard errno == ENOBUFS else { return hasSome }
            }
            hasSome = true
        }
    }

    private static func open(nonblocking: Bool) -> Int32 {
        let type = Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | (nonblocking ? SOCK_NONBLOCK.rawValue : 0))
        return socket(Netlink.family, type, Netlink.routes)
    }

    private static func subscribe(_ descriptor: Int32) -> Bool {
        // struct sockaddr_nl: family, a port number that the kernel chooses, groups.
        var address: (UInt16, UInt16, UInt32, UInt32) = (UInt16(Netlink.family), 0, 0, Netlink.changes)
        return withUnsafeBytes(of: &address) { bytes in
            bind(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count)) == 0
        }
    }

    // MARK: Reading the state

    /// Nil when the system does not say it.
    private static func read() -> NetworkState? {
        let descriptor = open(nonblocking: false)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var table = NetworkTable()
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 16)
        defer { room.deallocate() }
        for request in [Netlink.getLink, Netlink.getAddress, Netlink.getRoute] {
            guard dump(request, descriptor, room, into: &table) else { return nil }
        }
        return table.state
    }

    /// Asks for all objects of a kind. The kernel answers at once: nothing is waited for.
    private static func dump(
        _ request: UInt16, _ descriptor: Int32, _ room: UnsafeMutableRawBufferPointer, into table: inout NetworkTable
    ) -> Bool {
        // A header, and the longest of the structs that may follow it, of zeros: all objects of all families.
        var message = [UInt8](repeating: 0, count: Netlink.headerSize + 16)
        message.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
            bytes.storeBytes(of: request, toByteOffset: 4, as: UInt16.self)
            bytes.storeBytes(of: Netlink.dump, toByteOffset: 6, as: UInt16.self)
        }
        guard send(descriptor, message, message.count, 0) == message.count else { return false }
        var hasFailed = false
        while true {
            let size = recv(descriptor, room.baseAddress, room.count, 0)
            guard size > 0 else {
                if size < 0, errno == EINTR { continue }
                return false
            }
            let goesOn = Netlink.messages(UnsafeRawBufferPointer(rebasing: room[..<size])) { type, bytes in
                if type == Netlink.error { hasFailed = true }
                guard type != Netlink.done, type != Netlink.error else { return false }
                table.take(type: type, bytes)
                return true
            }
            if !goesOn { return !hasFailed }
        }
    }
}
