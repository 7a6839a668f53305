@testable import NetcoreTransport
import Testing

/// What the kernel's messages say of the network.
@Suite struct NetworkTableTests {
    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private static func attribute(_ type: UInt16, _ value: [UInt8]) -> [UInt8] {
        let whole = bytes(UInt16(4 + value.count)) + bytes(type) + value
        return whole + [UInt8](repeating: 0, count: -whole.count & 3)
    }

    private struct Message {
        let type: UInt16
        let bytes: [UInt8]

        /// Running unless said otherwise.
        static func link(_ index: Int32, _ flags: UInt32 = 0x1043) -> Message {
            Message(
                type: Netlink.newLink,
                bytes: [0, 0, 1, 0] + NetworkTableTests.bytes(index) + NetworkTableTests.bytes(flags) + [0, 0, 0, 0])
        }

        static func address(_ link: UInt32, _ value: [UInt8], scope: UInt8 = 0, flags: UInt8 = 0) -> Message {
            Message(
                type: Netlink.newAddress,
                bytes: [value.count == 4 ? 2 : 10, 24, flags, scope] + NetworkTableTests.bytes(link)
                    + NetworkTableTests.attribute(1, value))
        }

        static func route(
            _ link: Int32, _ destination: [UInt8] = [], length: UInt8 = 0, gateway: [UInt8] = [10, 0, 0, 1],
            table: UInt8 = 254, type: UInt8 = 1
        ) -> Message {
            var bytes: [UInt8] = [2, length, 0, 0, table, 0, 0, type, 0, 0, 0, 0]
            if !destination.isEmpty { bytes += NetworkTableTests.attribute(1, destination) }
            bytes += NetworkTableTests.attribute(4, NetworkTableTests.bytes(link))
            bytes += NetworkTableTests.attribute(5, gateway)
            return Message(type: Netlink.newRoute, bytes: bytes)
        }
    }

    private func state(_ messages: [Message]) -> NetworkState {
        var table = NetworkTable()
        for message in messages { message.bytes.withUnsafeBytes { table.take(type: message.type, $0) } }
        return table.state
    }

    private let home: [Message] = [.link(2), .address(2, [10, 0, 0, 7]), .route(2)]

    @Test("reachable is what has a route beyond itself on a link that is up and running")
    func reachable() {
        #expect(!state([]).isReachable && state(home).isReachable)
        #expect(state([.link(2), .route(2, [192, 168, 0, 0], length: 16)]).isReachable)
        #expect(!state([.link(2, 0x1003), .route(2)]).isReachable, "no carrier")
        #expect(!state([.link(1, 0x49), .route(1)]).isReachable, "loopback")
        #expect(!state([.link(2), .route(3)]).isReachable, "another link")
        #expect(!state([.link(2), .route(2, [169, 254, 0, 0], length: 16)]).isReachable)
        #expect(
            !state([.link(2), .route(2, [0xFE, 0x80] + [UInt8](repeating: 0, count: 14), length: 64)]).isReachable)
        #expect(!state([.link(2), .route(2, table: 255)]).isReachable, "an address of this host")
        #expect(!state([.link(2), .route(2, type: 7)]).isReachable, "a route that refuses")
    }

    @Test("another network is another default route, or another address of its link")
    func ways() {
        let before = state(home).ways
        #expect(state([.route(2), .link(2), .address(2, [10, 0, 0, 7])]).ways == before)
        #expect(
            state(home + [.link(3), .address(3, [172, 17, 0, 1]), .route(3, [172, 17, 0, 0], length: 16)]).ways
                == before)
        #expect(state(home + [.address(2, [10, 0, 0, 9], scope: 253)]).ways == before)
        #expect(state(home + [.address(2, [UInt8](repeating: 7, count: 16), flags: 0x01)]).ways == before)
        #expect(state(home + [.address(2, [10, 0, 0, 9])]).ways != before)
        #expect(state([.link(2), .address(2, [10, 0, 0, 7]), .route(2, gateway: [10, 0, 0, 2])]).ways != before)
        #expect(state(home + [.link(3), .route(3)]).ways != before)
    }

    @Test("messages that are cut, or that nothing is known of, say nothing")
    func damaged() {
        for message in home {
            for size in 0..<message.bytes.count {
                _ = state([Message(type: message.type, bytes: Array(message.bytes[..<size]))])
            }
        }
        #expect(!state([Message(type: 99, bytes: home[0].bytes)]).isReachable)
        let datagram = [UInt8](repeating: 0xFF, count: 40)
        var count = 0
        datagram.withUnsafeBytes { bytes in
            _ = Netlink.messages(bytes) { _, _ in
                count += 1
                return true
            }
        }
        #expect(count == 0)
    }

    @Test("the system says how it stands, and that nothing has changed")
    func system() throws {
        let watch = try #require(NetworkWatch())
        _ = watch.current
        #expect(watch.descriptor >= 0)
    }
}
