internal import NetcoreStorage
internal import NetcoreSupport

/// The disk level of a cache: one store, and one more for each other folder that requests name, opened when it is first
/// needed.
final class DiskLevel: @unchecked Sendable {  // `stores` and `options` are under `lock`
    /// Each store has a thread; what belongs to further folders is kept only in memory.
    private static let mostStores = 64

    /// Reads for the I/O threads.
    let reader: WorkQueue?
    private let lock = Lock()
    private var options: DiskOptions
    private var stores: [(folder: String, store: DiskStore)] = []
    /// The folder of requests that name none.
    private let folder: String?

    /// - Parameter folder: opened at once.
    init(folder: String?, options: DiskOptions) {
        self.folder = folder
        self.options = options
        reader = WorkQueue(name: "netcore-cache")
        if let folder { _ = open(folder) }
    }

    /// The store of a folder, or the cache's own where a request names none. May open it, and then blocks.
    func store(_ folder: String?) -> DiskStore? {
        isOpen(folder) ?? folder.flatMap { open($0) }
    }

    /// The store of a folder if it is open already.
    func isOpen(_ folder: String?) -> DiskStore? {
        guard let folder = folder ?? self.folder else { return nil }
        return lock.withLock { stores.first { $0.folder == folder }?.store }
    }

    private func open(_ folder: String) -> DiskStore? {
        guard let options = lock.withLock({ stores.count < Self.mostStores ? options : nil }) else { return nil }
        // Outside the lock: it may call the application's event function.
        let store = DiskStore(path: folder, options: options)
        let other = lock.withLock {
            let other = stores.first { $0.folder == folder }?.store
            if other == nil { stores.append((folder, store)) }
            return other
        }
        guard let other else { return store }
        store.close()
        return other
    }

    /// All stores that are open, in the order of their opening.
    var all: [DiskStore] { lock.withLock { stores.map(\.store) } }

    var currentLimits: DiskLimits { lock.withLock { options.limits } }

    func setLimits(_ change: (inout DiskLimits) -> Void) {
        let (limits, open) = lock.withLock {
            change(&options.limits)
            return (options.limits, stores)
        }
        for (_, store) in open { store.setLimits(limits) }
    }

    var statistics: DiskStatistics {
        all.reduce(into: DiskStatistics()) { sum, store in
            let one = store.currentStatistics
            sum.hits += one.hits
            sum.misses += one.misses
            sum.evictions += one.evictions
            sum.damaged += one.damaged
            // Of folders, whose totals others may have written.
            sum.bytes = sum.bytes.adding(saturating: one.bytes)
            sum.count = sum.count.adding(saturating: one.count)
        }
    }

    func close() {
        reader?.close()
        for store in all { store.close() }
    }
}
