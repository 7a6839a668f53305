internal import NetcoreSupport

/// One look at the disk, on the cache's reading thread.
final class DiskRead: @unchecked Sendable {  // made by one thread, then used by one other
    private weak var engine: Engine?
    private var cache: Cache?
    private var task: RequestTask?
    private let query: CacheQuery

    init(_ engine: Engine, _ cache: Cache, _ task: RequestTask, _ query: CacheQuery) {
        self.engine = engine
        self.cache = cache
        self.task = task
        self.query = query
    }

    /// Reads and tells the client; afterwards it holds neither.
    func run() {
        defer {
            cache = nil
            task = nil
        }
        guard let cache, let task else { return }
        let loaded = cache.loadFromDisk(query)
        engine?.intake.submit(.run { [query] engine in engine.cacheStage?.resume(task, query, loaded) })
    }
}

/// The looks at the disk that a client has under way: its end waits for them, so that a cache that ends with it has ended
/// when that call returns.
final class DiskReads: @unchecked Sendable {  // `count` is under the condition's lock
    private let ended = Condition()
    private var count = 0

    /// Returns false when the queue takes none.
    func start(_ read: DiskRead, on queue: WorkQueue) -> Bool {
        ended.lock.withLock { count += 1 }
        let isAdded = queue.add { [self] in
            read.run()
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
    }

    func wait() {
        ended.lock.withLock {
            while count > 0 { ended.wait() }
        }
    }
}
