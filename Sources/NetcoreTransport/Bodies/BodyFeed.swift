internal import NetcoreHTTP
internal import NetcoreSupport

/// Reads a body ahead of a transfer, on a thread of its own: files and functions of the application's may take their time.
final class BodyFeed: @unchecked Sendable {  // all state is under the condition's lock
    enum Taken {
        case bytes(Int)
        /// Nothing yet: `onReady` is called when there is more.
        case empty
        case end
        case failed(NetcoreError)
    }

    private let condition = Condition()
    private let body: StreamedBody
    private let reading = BodyReading()
    private let onReady: @Sendable (BodyFeed) -> Void
    private var chunks: [ByteBuffer] = []
    /// What was taken of the first chunk.
    private var offset = 0
    private var spare: ByteBuffer?
    private var end: Result<Void, NetcoreError>?
    private var isStarving = false
    private var isCanceled = false
    private var wantsRestart = false

    private static let chunkSize = 64 << 10
    private static let mostChunks = 3

    /// Starts to read. `onReady` is called on the feed's thread.
    init(_ body: StreamedBody, onReady: @escaping @Sendable (BodyFeed) -> Void) {
        self.body = body
        self.onReady = onReady
        let thread = Thread(name: "netcore-body") { self.run() }
        guard let thread else {
            end = .failure(NetcoreError(.outOfMemory, "no thread can be started to read the body", phase: .send))
            return
        }
        thread.detach()
    }

    // MARK: For the transfer

    func take(into room: UnsafeMutableRawBufferPointer) -> Taken {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        guard !wantsRestart, let chunk = chunks.first else { return takeNothing() }
        let size = min(room.count, chunk.count - offset)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk.bytes[offset..<(offset + size)]))
        offset += size
        if offset == chunk.count {
            spare = chunks.removeFirst()
            offset = 0
            condition.signal()
        }
        return .bytes(size)
    }

    private func takeNothing() -> Taken {
        if !wantsRestart, let end {
            if case .failure(let error) = end { return .failed(error) }
            return .end
        }
        isStarving = true
        return .empty
    }

    /// Reads from the beginning again.
    func restart() {
        condition.lock.withLock {
            wantsRestart = true
            condition.signal()
        }
    }

    /// The transfer takes no more. What the application's function fills in meanwhile is dropped.
    func cancel() {
        reading.cancel()
        condition.lock.withLock {
            isCanceled = true
            condition.signal()
        }
    }

    // MARK: The feed's thread

    private func run() {
        var reader: (any ChunkReader)?
        while let chunk = nextRoom(&reader) {
            let read = Result { () throws(NetcoreError) in try fill(chunk, &reader) }
            guard add(chunk, read) else { continue }
            onReady(self)
        }
    }

    /// Waits until there is need for more. Nil when there will be none.
    private func nextRoom(_ reader: inout (any ChunkReader)?) -> ByteBuffer? {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while !isCanceled, !wantsRestart, end != nil || chunks.count >= Self.mostChunks { condition.wait() }
        guard !isCanceled else { return nil }
        if wantsRestart {
            wantsRestart = false
            end = nil
            chunks = []
            offset = 0
            reader = nil
        }
        defer { spare = nil }
        return spare ?? ByteBuffer()
    }

    /// Returns whether there was more.
    private func fill(_ chunk: ByteBuffer, _ reader: inout (any ChunkReader)?) throws(NetcoreError) -> Bool {
        let source: any ChunkReader
        if let reader {
            source = reader
        } else {
            let pieces = PiecesReader(body.pieces, reading)
            source = body.isPacked ? try PackingReader(pieces) : pieces
            reader = source
        }
        chunk.removeAll()
        guard let room = chunk.room(for: Self.chunkSize) else { throw NetcoreError(.outOfMemory, phase: .send) }
        let size = try source.read(into: UnsafeMutableRawBufferPointer(start: room, count: Self.chunkSize))
        chunk.commit(size)
        return size > 0
    }

    /// Takes in what was read. Returns whether the transfer waits for it.
    private func add(_ chunk: ByteBuffer, _ read: Result<Bool, NetcoreError>) -> Bool {
        condition.lock.withLock {
            guard !wantsRestart, !isCanceled else { return false }
            switch read {
            case .success(true): chunks.append(chunk)
            case .success(false): end = .success(())
            case .failure(let error): end = .failure(error)
            }
            defer { isStarving = false }
            return isStarving
        }
    }
}
