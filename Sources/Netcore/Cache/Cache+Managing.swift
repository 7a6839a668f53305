internal import NetcoreStorage
internal import NetcoreSupport

extension Cache {
    /// What a cache did since it was opened, and what it holds.
    public struct Statistics: Sendable, Hashable {
        public var hits = 0
        public var staleHits = 0
        /// Served after a 304.
        public var revalidations = 0
        public var misses = 0
        /// Answers taken in.
        public var stored = 0
        /// Bytes of bodies that needed no transfer.
        public var bytesSaved = 0
        public var memoryHits = 0
        public var memoryMisses = 0
        public var memoryEvictions = 0
        public var memoryBytes = 0
        public var memoryCount = 0
        public var diskHits = 0
        public var diskMisses = 0
        public var diskEvictions = 0
        /// Stored answers that were found damaged.
        public var diskDamaged = 0
        /// In the folder, of all processes, as of the last write.
        public var diskBytes = 0
        public var diskCount = 0
    }

    /// One stored answer.
    public struct Entry: Sendable {
        public let url: String
        /// The first of its tags; "" for none.
        public var tag: String { tags.first ?? "" }
        /// Those of the request that it answers.
        public let tags: [String]
        public let scope: String
        /// Bytes, as counted against the limit.
        public let size: Int
        public let bodySize: Int
        /// Milliseconds since 1970: when the answer came or was validated last, and until when it is fresh.
        public let storedAt: Int64
        public let freshUntil: Int64
        public let hits: Int
        let position: Position
    }

    /// A place in the list of what is stored.
    struct Position {
        /// Which folder's.
        var store = 0
        var entry: Int64 = -1
    }

    public enum Filter: Sendable {
        case all
        case url(String)
        case prefix(String)
        case tag(String)
        case scope(String)
    }

    public var statistics: Statistics {
        var result = Statistics()
        counters.fill(&result)
        let inMemory = memory.statistics
        result.memoryHits = inMemory.hits
        result.memoryMisses = inMemory.misses
        result.memoryEvictions = inMemory.evictions
        result.memoryBytes = inMemory.bytes
        result.memoryCount = inMemory.count
        guard let onDisk = disk?.statistics else { return result }
        result.diskHits = onDisk.hits
        result.diskMisses = onDisk.misses
        result.diskEvictions = onDisk.evictions
        result.diskDamaged = onDisk.damaged
        result.diskBytes = onDisk.bytes
        result.diskCount = onDisk.count
        return result
    }

    /// Removes what a filter matches, from both levels; not seen from now on. Returns how many answers memory held of it.
    @discardableResult
    public func clear(_ filter: Filter = .all) -> Int {
        forget(filter).count
    }

    /// The same; returns the number of the change as well.
    @discardableResult
    func forget(_ filter: Filter) -> (count: Int, change: Int) {
        // First: what comes from now on is not stored any more.
        let change = lock.withLock { recent.note(.filter(filter)) }
        var count = 0
        memory.removeAll { _, set in
            let matching = set.answers.filter { filter.matches($0) }.count
            count += matching
            // A key's answers go together: what is left of them is on disk, or asked for anew.
            return matching > 0
        }
        for store in disk?.all ?? [] { store.clear(filter.onDisk) }
        return (count, change)
    }

    /// The limits as they are now; those of the disk level are 0 for a cache without a folder.
    package var limits: (memoryBytes: Int, memoryCount: Int, diskBytes: Int, diskCount: Int) {
        let inMemory = memory.currentLimits
        let onDisk = disk?.currentLimits
        return (inMemory.bytes, inMemory.count, onDisk?.bytes ?? 0, onDisk?.count ?? 0)
    }

    /// Changes limits, and evicts what is beyond them.
    public func setLimits(
        memoryBytes: Int? = nil, memoryCount: Int? = nil, diskBytes: Int? = nil, diskCount: Int? = nil
    ) {
        var inMemory = memory.currentLimits
        inMemory.bytes = memoryBytes ?? inMemory.bytes
        inMemory.count = memoryCount ?? inMemory.count
        memory.setLimits(inMemory)
        disk?.setLimits { limits in
            limits.bytes = diskBytes ?? limits.bytes
            limits.count = diskCount ?? limits.count
        }
    }

    /// Waits until all that is to be written is on disk, and the events of it have been told.
    public func flush() {
        for store in disk?.all ?? [] { store.flush() }
        sideThread.drain()
    }

    /// A page of what is stored, which begins after an entry; nil begins the list. Of the disk level, or of memory where there
    /// is none. Blocks while it reads from disk. Empty at the end.
    public func entries(after entry: Entry? = nil, limit: Int = 100) -> [Entry] {
        guard limit > 0 else { return [] }
        var position = entry?.position ?? Position()
        guard let disk else { return entriesInMemory(after: position.entry, limit: limit) }
        for store in disk.all.dropFirst(position.store) {
            let page = store.entries(after: position.entry < 0 ? nil : position.entry, limit: limit)
            if !page.isEmpty { return page.map { Entry($0, in: position.store) } }
            position = Position(store: position.store + 1)
        }
        return []
    }

    /// Hands out what is stored, until `body` returns false; it may change the cache.
    package func forEachEntry(_ body: (Entry) -> Bool) {
        // Of memory all at once: places in it shift when entries go.
        let limit = disk == nil ? Int.max : 100
        var page = entries(limit: limit)
        while let last = page.last {
            for entry in page where !body(entry) { return }
            guard disk != nil else { return }
            page = entries(after: last, limit: limit)
        }
    }

    private func entriesInMemory(after position: Int64, limit: Int) -> [Entry] {
        var all: [Entry] = []
        for set in memory.values {
            for answer in set.answers {
                let stored = answer.variant.head.responseTime.wall
                all.append(
                    Entry(
                        url: answer.url, tags: TagList.tags(answer.tag), scope: answer.application.scope,
                        size: answer.cost,
                        bodySize: answer.body.count, storedAt: stored,
                        freshUntil: answer.freshUntil, hits: 0,
                        position: Position(entry: Int64(all.count))))
            }
        }
        return Array(all.dropFirst(Int(clamping: position.adding(saturating: 1))).prefix(limit))
    }
}

extension Cache.Entry {
    init(_ stored: StoredEntry, in store: Int) {
        self.init(
            url: stored.url, tags: TagList.tags(stored.tag), scope: stored.scope, size: stored.size,
            bodySize: stored.bodySize,
            storedAt: stored.storedAt.wall, freshUntil: stored.freshUntil, hits: stored.hits,
            position: Cache.Position(store: store, entry: stored.position))
    }
}

extension Cache.Filter {
    func matches(_ answer: CachedAnswer) -> Bool {
        switch self {
        case .all: true
        case .url(let url): answer.url == url
        case .prefix(let prefix): answer.url.utf8.starts(with: prefix.utf8)
        case .tag(let tag): TagList.contains(answer.tag, tag)
        case .scope(let scope): answer.application.scope == scope
        }
    }

    var onDisk: ClearFilter {
        switch self {
        case .all: .all
        case .url(let url): .url(url)
        case .prefix(let prefix): .urlPrefix(prefix)
        case .tag(let tag): .tag(tag)
        case .scope(let scope): .scope(scope)
        }
    }
}
