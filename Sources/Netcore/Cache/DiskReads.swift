internal import NetcoreSupport

/// One look at the disk, on the cache's reading thread.
final class DiskRead: @unchecked Sendable {  // made by one thread, then used by one other
    private var cache: Cache?
    private let query: CacheQuery
    private let leavesLarge: Bool
    private var didLoad: (@Sendable (Cache.Loaded) -> Void)?

    init(
        _ cache: Cache, _ query: CacheQuery, leavesLarge: Bool,
        _ didLoad: @escaping @Sendable (Cache.Loaded) -> Void
    ) {
        self.cache = cache
        self.query = query
        self.leavesLarge = leavesLarge
        self.didLoad = didLoad
    }

    /// Reads and says what it found; afterwards it holds neither the cache nor who asked.
    func run() {
        defer {
            cache = nil
            didLoad = nil
        }
        guard let cache, let didLoad else { return }
        didLoad(cache.loadFromDisk(query, leavesLarge: leavesLarge))
    }
}

/// The work on the disk that a client has under way: its end waits for them, so that a cache that ends with it has ended
/// when that call returns.
final class DiskReads: @unchecked Sendable {  // `count` is under the condition's lock
    private let ended = Condition()
    private var count = 0
    private var end: (@Sendable () -> Void)?

    /// Calls a function after each; before the first one.
    func onEnd(_ function: @escaping @Sendable () -> Void) { end = function }

    var isBusy: Bool { ended.lock.withLock { count > 0 } }

    /// Returns false when the queue takes none.
    func start(_ work: @escaping @Sendable () -> Void, on queue: WorkQueue) -> Bool {
        ended.lock.withLock { count += 1 }
        let isAdded = queue.add { [self] in
            work()
            leave()
        }
        if !isAdded { leave() }
        return isAdded
    }

    private func leave() {
        ended.lock.withLock {
            count -= 1
            ended.broadcast()
        }
        end?()
    }

    func wait() {
        ended.lock.withLock {
            while count > 0 { ended.wait() }
        }
    }
}
