/// The links, addresses and routes of the system, as the kernel describes them by rtnetlink (rtnetlink(7)): filled in message by message,
/// without I/O.
struct NetworkTable {
    private struct Address: Hashable {
        let link: Int32
        let bytes: [UInt8]
    }

    private struct Route: Hashable {
        let link: Int32
        let isDefault: Bool
        let gateway: [UInt8]
    }

    /// Those that carry packets to other hosts.
    private var links: Set<Int32> = []
    private var addresses: Set<Address> = []
    private var routes: Set<Route> = []

    /// Takes in what a message says.
    ///
    /// - Parameter bytes: without its header.
    mutating func take(type: UInt16, _ bytes: UnsafeRawBufferPointer) {
        switch type {
        case Netlink.newLink: takeLink(bytes)
        case Netlink.newAddress: takeAddress(bytes)
        case Netlink.newRoute: takeRoute(bytes)
        default: break
        }
    }

    private mutating func takeLink(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 16 else { return }
        let flags = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        guard flags & Netlink.loopback == 0, flags & Netlink.upAndRunning == Netlink.upAndRunning else { return }
        links.insert(bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self))
    }

    /// Addresses of global scope; of IPv6, those that change by themselves are left out.
    private mutating func takeAddress(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 8, bytes[3] == 0, bytes[2] & Netlink.changingAddress == 0 else { return }
        let link = bytes.loadUnaligned(fromByteOffset: 4, as: Int32.self)
        var found: [UInt8] = []
        Netlink.attributes(bytes, from: 8) { type, value in
            // Of a point-to-point link, the local end is the address.
            if type == 2 || type == 1 && found.isEmpty { found = Array(value) }
        }
        if !found.isEmpty { addresses.insert(Address(link: link, bytes: found)) }
    }

    /// Unicast routes that lead beyond one link.
    private mutating func takeRoute(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 12, bytes[7] == Netlink.unicast, bytes[4] != Netlink.localTable else { return }
        let length = bytes[1]
        var link: Int32 = 0
        var gateway: [UInt8] = []
        var destination: [UInt8] = []
        Netlink.attributes(bytes, from: 12) { type, value in
            switch type {
            case 1: destination = Array(value)
            case 4 where value.count == 4: link = value.loadUnaligned(as: Int32.self)
            case 5: gateway = Array(value)
            // Several ways: the first one.
            case 9 where value.count >= 8: link = value.loadUnaligned(fromByteOffset: 4, as: Int32.self)
            default: break
            }
        }
        guard link != 0, !Self.isLinkLocal(destination, length) else { return }
        routes.insert(Route(link: link, isDefault: length == 0, gateway: gateway))
    }

    /// 169.254.0.0/16 (RFC 3927), fe80::/10 (RFC 4291).
    private static func isLinkLocal(_ destination: [UInt8], _ length: UInt8) -> Bool {
        switch destination.count {
        case 4: length >= 16 && destination[0] == 169 && destination[1] == 254
        case 16: length >= 10 && destination[0] == 0xFE && destination[1] & 0xC0 == 0x80
        default: false
        }
    }

    /// What it comes to.
    var state: NetworkState {
        let usable = routes.filter { links.contains($0.link) }
        let defaults = usable.filter(\.isDefault)
        let ways = defaults.isEmpty ? usable : defaults
        let used = Set(ways.map(\.link))
        var hasher = Hasher()
        ways.hash(into: &hasher)
        addresses.filter { used.contains($0.link) }.hash(into: &hasher)
        return NetworkState(isReachable: !usable.isEmpty, ways: hasher.finalize())
    }
}

/// What the links and routes of the system say of the network.
package struct NetworkState: Equatable, Sendable {
    /// A link that is up, other than loopback, has a route beyond itself.
    package let isReachable: Bool
    /// A digest of the routes by which other networks are reached, and of the addresses of their links: another one is another network.
    package let ways: Int
}

/// Constants and the layout of rtnetlink (linux/netlink.h, linux/rtnetlink.h).
enum Netlink {
    /// AF_NETLINK and NETLINK_ROUTE.
    static let family: Int32 = 16
    static let routes: Int32 = 0
    /// RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
    static let changes: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400
    /// NLM_F_REQUEST and NLM_F_DUMP.
    static let dump: UInt16 = 0x1 | 0x300
    static let newLink: UInt16 = 16
    static let getLink: UInt16 = 18
    static let newAddress: UInt16 = 20
    static let getAddress: UInt16 = 22
    static let newRoute: UInt16 = 24
    static let getRoute: UInt16 = 26
    static let done: UInt16 = 3
    static let error: UInt16 = 2
    /// IFF_UP and IFF_RUNNING.
    static let upAndRunning: UInt32 = 0x41
    static let loopback: UInt32 = 0x8
    /// IFA_F_TEMPORARY, IFA_F_DADFAILED, IFA_F_DEPRECATED, IFA_F_TENTATIVE.
    static let changingAddress: UInt8 = 0x01 | 0x08 | 0x20 | 0x40
    static let unicast: UInt8 = 1
    static let localTable: UInt8 = 255
    static let headerSize = 16

    /// Calls `body` with each attribute of a message.
    static func attributes(
        _ bytes: UnsafeRawBufferPointer, from start: Int, _ body: (UInt16, UnsafeRawBufferPointer) -> Void
    ) {
        var offset = start
        while offset + 4 <= bytes.count {
            let size = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            guard size >= 4, offset + size <= bytes.count else { return }
            let type = bytes.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self) & 0x3FFF
            body(type, UnsafeRawBufferPointer(rebasing: bytes[(offset + 4)..<(offset + size)]))
            offset += (size + 3) & ~3
        }
    }

    /// Calls `body` with each message of a datagram, without its header, until it returns false. Returns whether it always said true.
    static func messages(_ bytes: UnsafeRawBufferPointer, _ body: (UInt16, UnsafeRawBufferPointer) -> Bool) -> Bool {
        var offset = 0
        while offset + headerSize <= bytes.count {
            let size = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            guard size >= headerSize, offset + size <= bytes.count else { return true }
            let type = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt16.self)
            let content = UnsafeRawBufferPointer(rebasing: bytes[(offset + headerSize)..<(offset + size)])
            guard body(type, content) else { return false }
            offset += (size + 3) & ~3
        }
        return true
    }
}
