internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Copies a streamed body on its way to its consumer, for a cache. Nothing of one that is larger than the limit.
///
/// Confined to the client's loop.
final class BodyCopy: BodySink {
    private let consumer: any BodySink
    private let limit: Int
    /// What has come; nil if the body is too large, or memory ran out.
    private(set) var bytes: ByteBuffer? = ByteBuffer()

    init(to consumer: any BodySink, limit: Int) {
        self.consumer = consumer
        self.limit = limit
    }

    func take(_ piece: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow {
        if let bytes, piece.count > limit - bytes.count || !bytes.append(piece) { self.bytes = nil }
        return try consumer.take(piece)
    }

    func show() { consumer.show() }
}
