internal import NetcoreStorage
internal import NetcoreSupport

/// Writes a body to a file of a store as it comes, on the cache's reading thread.
final class BodySpill: @unchecked Sendable {  // the state is under `lock`, the writer belongs to the thread
    /// Bytes that may wait to be written before the transfer is paused.
    private static let mostWaiting = 4 << 20

    private let store: DiskStore
    private let start: (@escaping @Sendable () -> Void) -> Bool
    private let onRoom: @Sendable () -> Void
    private let lock = Lock()
    private var waiting = 0
    private var isBehind = false
    private var hasFailed = false
    private var writer: BlockWriter?

    /// - Parameters:
    ///   - start: has work done on the reading thread, in order; false if that takes none.
    ///   - onRoom: called on the thread when it has caught up after ``add(_:)`` returned false.
    init(
        _ store: DiskStore, on start: @escaping (@escaping @Sendable () -> Void) -> Bool,
        onRoom: @escaping @Sendable () -> Void
    ) {
        self.store = store
        self.start = start
        self.onRoom = onRoom
    }

    /// Takes bytes, all of them. Returns false if no more should come for now.
    func add(_ bytes: ByteBuffer) -> Bool {
        let isWanted = lock.withLock {
            waiting += bytes.count
            isBehind = isBehind || waiting > Self.mostWaiting
            return !hasFailed
        }
        guard isWanted, start({ [self] in write(bytes) }) else {
            wrote(bytes.count, fails: true)
            return true
        }
        return lock.withLock { !isBehind }
    }

    private func write(_ bytes: ByteBuffer) {
        if writer == nil, !lock.withLock({ hasFailed }) { writer = store.beginBody() }
        let isWritten = writer?.append(bytes.bytes) ?? false
        if !isWritten { writer = nil }
        wrote(bytes.count, fails: !isWritten)
    }

    private func wrote(_ count: Int, fails: Bool) {
        let hasRoom = lock.withLock {
            waiting -= count
            if fails { hasFailed = true }
            guard isBehind, waiting <= Self.mostWaiting / 2 else { return false }
            isBehind = false
            return true
        }
        if hasRoom { onRoom() }
    }

    /// Gives the file once all is written; nil if that failed. Returns false if nothing can be done any more.
    func finish(_ done: @escaping @Sendable (BlockFile?) -> Void) -> Bool {
        start { [self] in
            let file = writer?.finished()
            writer = nil
            done(file)
        }
    }
}
