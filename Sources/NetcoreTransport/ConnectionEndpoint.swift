internal import Glibc

/// The two ends of a connection, by which it is found again when libcurl names them. A digest of the addresses and
/// ports; connections of one process that are open at the same time differ in them.
struct ConnectionEndpoint: Hashable {
    private let digest: UInt64
    private let localPort: Int32

    /// Nil for a connection without ports, as by a Unix-domain socket.
    init?(
        localAddress: UnsafePointer<CChar>?, localPort: Int32, remoteAddress: UnsafePointer<CChar>?, remotePort: Int32
    ) {
        guard localPort > 0 else { return nil }
        self.localPort = localPort
        var digest: UInt64 = 0xCBF2_9CE4_8422_2325
        Self.add(localAddress, to: &digest)
        Self.add(remoteAddress, to: &digest)
        digest = (digest ^ UInt64(UInt32(bitPattern: localPort))) &* Self.prime
        digest = (digest ^ UInt64(UInt32(bitPattern: remotePort))) &* Self.prime
        self.digest = digest
    }

    func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// Whether a descriptor is this connection's, of those that are open.
    func isLocalEnd(of descriptor: Int32) -> Bool { Self.localPort(of: descriptor) == Int(localPort) }

    /// The port at this end of a TCP connection.
    static func localPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let failure = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard failure == 0, [AF_INET, AF_INET6].contains(Int32(address.ss_family)) else { return nil }
        // The port has the same place in both.
        return withUnsafeBytes(of: &address) {
            Int(UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
        }
    }

    /// FNV-1a, 64 bits.
    private static let prime: UInt64 = 0x100_0000_01B3

    private static func add(_ text: UnsafePointer<CChar>?, to digest: inout UInt64) {
        guard var next = text else { return }
        while next.pointee != 0 {
            digest = (digest ^ UInt64(UInt8(bitPattern: next.pointee))) &* prime
            next += 1
        }
        digest = digest &* prime
    }
}
