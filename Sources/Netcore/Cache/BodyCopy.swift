internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import NetcoreTransport

/// Copies a streamed body on its way to its consumer, for a cache. Nothing of one that is larger than the limit.
///
/// Confined to the client's loop.
final class BodyCopy: BodySink, @unchecked Sendable {  // see above
    /// Bytes that are handed to the writer of a file at a time.
    private static let pieceSize = 256 << 10

    private let consumer: any BodySink
    private let limit: Int
    private let resume: () -> Void
    /// Where the body goes when it is too large for memory; nil if it may not be.
    var spill: BodySpill?
    private var isSpilling = false
    private var isConsumerFull = false
    private var size = 0
    /// What has come and is in no file; nil if the body is too large, or memory ran out.
    private var bytes: ByteBuffer? = ByteBuffer()
    private var file: BlockFile?

    /// - Parameter resume: lets the transfer go on.
    init(to consumer: any BodySink, limit: Int, resume: @escaping () -> Void) {
        self.consumer = consumer
        self.limit = limit
        self.resume = resume
    }

    func take(_ piece: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow {
        let hasRoom = copy(piece)
        let flow = try consumer.take(piece)
        isConsumerFull = flow == .full
        return hasRoom ? flow : .full
    }

    /// Returns false if the writer of the file is behind.
    private func copy(_ piece: UnsafeRawBufferPointer) -> Bool {
        guard let bytes else { return true }
        size += piece.count
        guard size <= limit, bytes.append(piece) else {
            self.bytes = nil
            spill = nil
            return true
        }
        guard let spill, bytes.count >= (isSpilling ? Self.pieceSize : BlockFile.smallestBody + 1) else { return true }
        isSpilling = true
        self.bytes = ByteBuffer()
        return spill.add(bytes)
    }

    func show() { consumer.show() }

    /// The writer of the file takes more. A consumer that takes no more lets the transfer go on itself.
    func spillHasRoom() { if !isConsumerFull { resume() } }

    /// The body when all of it has come; nil if it is not to be stored.
    var body: StoredBody? { file.map { .file($0) } ?? (isSpilling ? nil : bytes.map { .memory($0) }) }

    /// The body has ended: completes its file. `done` is called on another thread. False if there is none to wait for.
    func finish(_ done: @escaping @Sendable () -> Void) -> Bool {
        guard isSpilling, let spill, let bytes else { return false }
        self.spill = nil
        if bytes.count > 0 { _ = spill.add(bytes) }
        return spill.finish { [self] file in
            self.file = file
            done()
        }
    }
}
