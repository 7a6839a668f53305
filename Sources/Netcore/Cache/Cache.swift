internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import Synchronization

/// A cache of answers in two levels, memory and disk (RFC 9111), for one client or for several. Any thread may use it.
public final class Cache: @unchecked Sendable {  // the parts are safe by themselves
    package let options: Options
    let settings: CacheSettings
    let memory: MemoryStore<CachedSet>
    let disk: DiskLevel?
    /// Order between changes of the memory level that look first.
    let lock = Lock()
    /// Under `lock`.
    var recent = RecentChanges()
    let counters = CacheCounters()
    /// The clients that use it.
    let listeners = CacheListeners()
    /// Clients that use it now and have sent cookies.
    private let cookieClients = Atomic<Int>(0)
    /// Runs the application's functions that threads of netcore's come upon.
    package let sideThread = SideThread()

    /// Opens the disk level; what cannot be used there is set aside. Never fails for what is found on disk.
    public init(_ options: Options = Options()) {
        self.options = options
        var settings = CacheSettings()
        settings.isShared = options.isShared
        settings.servesStaleWhenDisconnected = options.servesStaleWhenDisconnected
        self.settings = settings
        memory = MemoryStore(limits: MemoryLimits(bytes: options.memoryBytes, count: options.memoryCount))
        guard options.folder != nil || options.folderForRequest != nil else {
            disk = nil
            return
        }
        var diskOptions = DiskOptions()
        diskOptions.limits = DiskLimits(bytes: options.diskBytes, count: options.diskCount)
        let onEvent = options.onEvent
        diskOptions.onEvent = { [sideThread, listeners] event in
            listeners.report(Event(event))
            if let onEvent { sideThread.run { onEvent(Event(event)) } }
        }
        disk = DiskLevel(folder: options.folder, options: diskOptions)
        sideThread.drain()
    }

    deinit {
        disk?.close()
        sideThread.drain()
    }

    /// A client that uses the cache sends cookies of its own for the first time. Stored answers are not divided by
    /// cookies (RFC 9111 section 3), so that those of one user's client would be served to another's.
    func joinCookieClient() {
        guard cookieClients.wrappingAdd(1, ordering: .relaxed).newValue == 2 else { return }
        Log.warn(
            "cache: two clients that send cookies share it, and are served each other's answers; set a cache scope for each user"
        )
    }

    func leaveCookieClient() { cookieClients.wrappingSubtract(1, ordering: .relaxed) }

    var clock: ManualClock? { options.clock }

    var now: Timestamp { options.timestamps?() ?? clock?.timestamp ?? .now }

    func lookup(_ now: Timestamp) -> CacheLookup {
        CacheLookup(settings: settings, applicationVersion: options.applicationVersion, now: now)
    }

    // MARK: Reading

    /// A fresh answer in memory, as it is handed out: without a hop, and without looking at the disk.
    package func freshResponse(_ query: CacheQuery) -> Response? {
        guard query.isPlain, let answer = memory.get(query.key)?.single else { return nil }
        return freshResponse(query, answer)
    }

    /// The same from disk. Blocks. What is there, and not fresh, is in memory afterwards.
    func loadFreshResponse(_ query: CacheQuery) -> Response? {
        guard query.isPlain, disk != nil else { return nil }
        let loaded = loadFromDisk(query)
        return CachedSet(stored(query, loaded)).single.flatMap { freshResponse(query, $0) }
    }

    private func freshResponse(_ query: CacheQuery, _ answer: CachedAnswer) -> Response? {
        guard isUsable(answer, query) else { return nil }
        let now = now
        let reuse = ReuseRule.decide(
            answer.variant.policy, query.request.directives, now: now, settings: settings,
            timeToLive: query.timeToLive(of: answer))
        guard case .serve(let age) = reuse else { return nil }
        let result: CacheResult = answer.isFresh(for: query, at: now) ? .hit : .staleHit
        counters.count(result, bytes: answer.body.count)
        return Response(Serving(answer: answer, age: age, result: result), query, now: now)
    }

    private func isUsable(_ answer: CachedAnswer, _ query: CacheQuery) -> Bool {
        let application = answer.application
        return application.version == query.options.version && application.scope == query.scope
            && application.applicationVersion == options.applicationVersion
            && (!application.isOnlyByTimeToLive || query.isApplications)
    }

    /// What memory holds under a key.
    func inMemory(_ query: CacheQuery) -> [CachedAnswer] { memory.get(query.key)?.answers ?? [] }

    /// This moment, for what is asked for now and comes later.
    var mark: RecentChanges.Mark { lock.withLock { recent.mark } }

    /// What the disk level has for a request.
    struct Loaded {
        /// What serves it, and was not in memory.
        var answer: CachedAnswer?
        var wasDamaged = false
        /// When the reading began.
        var mark: RecentChanges.Mark
    }

    /// Loads the matching answer of the disk level into memory. Blocks.
    ///
    /// - Parameter leavesLarge: a large body stays on disk, to be read from there.
    func loadFromDisk(_ query: CacheQuery, leavesLarge: Bool = false) -> Loaded {
        var loaded = Loaded(mark: mark)
        guard let disk = disk?.store(query.folder) else { return loaded }
        let names = Set((memory.peek(query.key)?.answers ?? []).map(\.name))
        var chosen: DiskHead?
        var unreadable: [String] = []
        let result = disk.load(query.key) { candidates in
            let heads = candidates.map { DiskHead($0.head) }
            unreadable = heads.indices.filter { heads[$0] == nil }.map { candidates[$0].variant }
            let choice = choose(heads, query, besides: names)
            chosen = choice.flatMap { heads[$0] }
            return choice
        }
        for variant in unreadable { disk.remove(query.key, variant: variant) }
        loaded.wasDamaged = !unreadable.isEmpty
        switch result {
        case .found(let found):
            let isKept = leavesLarge && chosen?.parts == nil
            guard let record = isKept ? found : disk.withBodyInMemory(found),
                let answer = chosen?.answer(record, query, self)
            else {
                loaded.wasDamaged = true
                disk.remove(query.key, variant: found.variant)
                break
            }
            if insert(answer, query, since: loaded.mark) { loaded.answer = answer }
        case .damaged: loaded.wasDamaged = true
        case .notFound, .notSelected: break
        }
        return loaded
    }

    /// What is stored under a key: what memory holds, and what was read from disk and was too large for memory.
    func stored(_ query: CacheQuery, _ loaded: Loaded?) -> [CachedAnswer] {
        let inMemory = inMemory(query)
        guard let loaded, let answer = loaded.answer, !inMemory.contains(where: { $0.name == answer.name }),
            !isOutdated(answer, since: loaded.mark)
        else { return inMemory }
        return inMemory + [answer]
    }

    /// Whether something was removed or stored since, so that an answer is not to be served or stored any more.
    func isOutdated(_ answer: CachedAnswer, since mark: RecentChanges.Mark) -> Bool {
        let now = now
        return lock.withLock { recent.outdate(answer, since: mark, now: now) }
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
        let own = matching.first { heads[indices[$0]]?.application.scope == query.scope }
        return (own ?? matching.first ?? variants.indices.first).map { indices[$0] }
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
