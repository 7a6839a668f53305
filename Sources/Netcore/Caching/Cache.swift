package import NetcoreHTTP
internal import NetcoreStorage
package import NetcoreSupport

/// A cache of answers in two levels, memory and disk (RFC 9111), for one client or for several. Any thread may use it.
public final class Cache: @unchecked Sendable {  // the parts are safe by themselves
    /// Options of a cache, chosen once.
    public struct Options: Sendable {
        /// Whether answers go to more than one user (RFC 9111 section 1.2); a private cache otherwise.
        public var isShared = false
        /// The folder of the disk level, made with mode 0700 when it is not there; nil for memory alone.
        public var folder: String?
        /// Bytes that the memory level may take; 0 turns it off.
        public var memoryBytes = 20 << 20
        public var memoryCount = Int.max
        /// Bytes that the disk level may take.
        public var diskBytes = 200 << 20
        public var diskCount = Int.max
        /// Whether an answer is on disk before its task ends; by default it is written soon.
        public var writesSynchronously = false
        /// What was stored by another version of the application is not used.
        public var applicationVersion = ""
        /// Whether a stale answer may be served, unless it forbids that, when the origin is out of reach.
        public var servesStaleWhenDisconnected = false
        /// Hears of damage and full disks, on a thread of the cache's.
        public var onEvent: (@Sendable (Event) -> Void)?

        public init() {}
    }

    /// What happened to the disk level. None of it is an error of a request.
    public enum Event: Sendable, Equatable {
        /// The database could not be used and was renamed to `path`; a fresh one began.
        case setAside(path: String, reason: String)
        /// Nothing is stored for now.
        case storingStopped(reason: String)
        case storingResumed
        /// A stored answer was damaged, and removed.
        case damagedEntry(url: String)
    }

    package let options: Options
    let settings: CacheSettings
    let memory: MemoryStore<CachedSet>
    let disk: DiskStore?
    /// Reads from disk for the I/O threads.
    let reader: WorkQueue?
    /// Order between changes of the memory level that look first.
    private let lock = Lock()
    let counters = CacheCounters()

    /// Opens the disk level; what cannot be used there is set aside. Never fails for what is found on disk.
    public init(_ options: Options = Options()) {
        self.options = options
        var settings = CacheSettings()
        settings.isShared = options.isShared
        settings.servesStaleWhenDisconnected = options.servesStaleWhenDisconnected
        self.settings = settings
        memory = MemoryStore(limits: MemoryLimits(bytes: options.memoryBytes, count: options.memoryCount))
        var diskOptions = DiskOptions()
        diskOptions.limits = DiskLimits(bytes: options.diskBytes, count: options.diskCount)
        if let onEvent = options.onEvent { diskOptions.onEvent = { onEvent(Event($0)) } }
        disk = options.folder.map { DiskStore(path: $0, options: diskOptions) }
        reader = disk == nil ? nil : WorkQueue(name: "netcore-cache")
    }

    deinit {
        reader?.close()
        disk?.close()
    }

    /// Waits until all that is to be written is on disk.
    public func flush() { disk?.flush() }

    func lookup(_ now: Timestamp) -> CacheLookup {
        CacheLookup(settings: settings, applicationVersion: options.applicationVersion, now: now)
    }

    // MARK: Reading

    /// A fresh answer in memory, as it is handed out: without a hop, and without looking at the disk.
    package func freshResponse(_ query: CacheQuery, now: Timestamp) -> Response? {
        guard query.isPlain, let answer = memory.get(query.key)?.single, isUsable(answer, query) else { return nil }
        let reuse = ReuseRule.decide(
            answer.variant.policy, query.request.directives, now: now, settings: settings, timeToLive: query.timeToLive)
        guard case .serve(let age) = reuse else { return nil }
        let result: CacheResult = query.timeToLive != nil || answer.variant.policy.isFresh(at: now) ? .hit : .staleHit
        counters.countHit(answer.body.count)
        return Response(Serving(answer: answer, age: age, result: result), query, now: now)
    }

    private func isUsable(_ answer: CachedAnswer, _ query: CacheQuery) -> Bool {
        let application = answer.application
        return application.version == query.options.version && application.scope == query.options.scope
            && application.applicationVersion == options.applicationVersion
            && (!application.isOnlyByTimeToLive || query.timeToLive != nil)
    }

    /// What memory holds under a key.
    func inMemory(_ query: CacheQuery) -> [CachedAnswer] { memory.get(query.key)?.answers ?? [] }

    /// Loads the matching answer of the disk level into memory. Blocks. Returns whether one was found damaged.
    func loadFromDisk(_ query: CacheQuery) -> Bool {
        guard let disk else { return false }
        let names = Set((memory.peek(query.key)?.answers ?? []).map(\.name))
        var heads: [DiskHead?] = []
        let result = disk.load(query.key) { candidates in
            heads = candidates.map { DiskHead($0.head) }
            return choose(heads, query, besides: names)
        }
        switch result {
        case .found(let record):
            guard let head = DiskHead(record.head) else { return true }
            insert(head.answer(record, query, settings: settings), query)
            return false
        case .damaged: return true
        case .notFound, .notSelected: return false
        }
    }

    /// The stored head that serves a request, of those that are not in memory.
    private func choose(_ heads: [DiskHead?], _ query: CacheQuery, besides names: Set<VariantName>) -> Int? {
        var indices: [Int] = []
        var variants: [Variant] = []
        for (index, head) in heads.enumerated() {
            guard let head, !names.contains(head.name) else { continue }
            indices.append(index)
            variants.append(head.variant(query, settings: settings))
        }
        let matching = VariantSelection.matches(variants, query.request.fields)
        let own = matching.first { heads[indices[$0]]?.application.scope == query.options.scope }
        return (own ?? matching.first ?? variants.indices.first).map { indices[$0] }
    }

    // MARK: Writing

    /// Puts an answer into memory, unless a newer one is there. Returns all of its key then.
    @discardableResult
    func insert(_ answer: CachedAnswer, _ query: CacheQuery) -> CachedSet? {
        lock.withLock {
            let before = memory.peek(query.key) ?? CachedSet([])
            guard let after = before.replacing(answer) else { return nil }
            memory.set(query.key, after, cost: after.cost)
            return after
        }
    }

    /// Stores an answer in both levels, unless a newer one is there.
    func store(_ answer: CachedAnswer, _ query: CacheQuery) {
        guard insert(answer, query) != nil || options.memoryBytes == 0 else { return }
        counters.countStored()
        disk?.store(DiskHead.record(answer, query), synchronously: options.writesSynchronously)
    }

    /// Gives a stored answer a new head; its body stays.
    func update(_ old: CachedAnswer, _ new: CachedAnswer, _ query: CacheQuery) {
        insert(new, query)
        guard let disk else { return }
        if old.name == new.name {
            disk.updateHead(DiskHead.update(new, query), synchronously: options.writesSynchronously)
        } else {
            disk.store(DiskHead.record(new, query), synchronously: options.writesSynchronously)
        }
    }

    func remove(_ query: CacheQuery) {
        memory.remove(query.key)
        disk?.remove(query.key)
    }

    /// Removes one answer of a key.
    func remove(_ answer: CachedAnswer, _ query: CacheQuery) {
        lock.withLock {
            guard let before = memory.peek(query.key) else { return }
            let after = CachedSet(before.answers.filter { $0.name != answer.name })
            if after.answers.isEmpty { memory.remove(query.key) } else { memory.set(query.key, after, cost: after.cost) }
        }
        disk?.remove(query.key, variant: answer.name.text)
    }
}

extension Cache.Event {
    init(_ event: StoreEvent) {
        switch event {
        case .setAside(let path, let reason): self = .setAside(path: path, reason: reason)
        case .storingStopped(let reason): self = .storingStopped(reason: reason)
        case .storingResumed: self = .storingResumed
        case .damagedEntry(let url): self = .damagedEntry(url: url)
        }
    }
}
