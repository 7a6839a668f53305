/// How large the receive buffer of a transfer is, by what is known before it begins.
///
/// With a large buffer a large body comes in up to 1.4 times as fast; for a small one it only makes the allocator work, and
/// ten thousand at once must not cost much (docs/performance.md).
enum BufferPolicy {
    static let large = 256 << 10
    /// libcurl's default.
    static let medium = 16 << 10
    static let small = 4 << 10

    /// Bodies from this size on gain by a large buffer.
    static let largeBody = 128 << 10

    /// - Parameters:
    ///   - active: transfers of the client under way.
    ///   - lastBodySize: of the last body that the host sent; nil when it has sent none.
    ///   - mayMultiplex: whether the connection speaks HTTP/2, or may: libcurl 7.88 hands over a header section that is larger than
    ///     the buffer only in part, and waits for ever for the rest.
    ///   - isStreamed: the answer is; such a body is often large, whatever the host sent before.
    ///   - rate: bytes a second to receive at most: there is a pause after each buffer, and a short one is better.
    static func size(
        active: Int, lastBodySize: Int?, mayMultiplex: Bool = false, isStreamed: Bool = false, rate: Int? = nil
    ) -> Int {
        if mayMultiplex { return large }
        if let rate { return min(max(rate / 8, 1 << 10), medium) }
        if active >= 512 { return small }
        if isStreamed, active < 16 { return large }
        let mayBeLarge = lastBodySize.map { $0 >= largeBody } ?? (active < 4)
        return mayBeLarge && active < 64 ? large : medium
    }
}
