internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

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
        if let onEvent = options.onEvent { diskOptions.onEvent = { onEvent(Event($0)) } }
        disk = DiskLevel(folder: options.folder, options: diskOptions)
    }

    deinit { disk?.close() }

    var now: Timestamp { options.clock() }

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
            answer.variant.policy, query.request.directives, now: now, settings: settings, timeToLive: query.timeToLive)
        guard case .serve(let age) = reuse else { return nil }
        let result = lookup(now).result(answer, query)
        counters.count(result, bytes: answer.body.count)
        return Response(Serving(answer: answer, age: age, result: result), query, now: now)
    }

    private func isUsable(_ answer: CachedAnswer, _ query: CacheQuery) -> Bool {
        let application = answer.application
        return application.version == query.options.version && application.scope == query.scope
            && application.applicationVersion == options.applicationVersion
            && (!application.isOnlyByTimeToLive || query.timeToLive != nil)
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
    func loadFromDisk(_ query: CacheQuery) -> Loaded {
        var loaded = Loaded(mark: mark)
        guard let disk = disk?.store(query.folder) else { return loaded }
        let names = Set((memory.peek(query.key)?.answers ?? []).map(\.name))
        var heads: [DiskHead?] = []
        let result = disk.load(query.key) { candidates in
            heads = candidates.map { DiskHead($0.head) }
            return choose(heads, query, besides: names)
        }
        switch result {
        case .found(let record):
            guard let head = DiskHead(record.head) else {
                loaded.wasDamaged = true
                break
            }
            let answer = head.answer(record, query, self)
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

    // MARK: Writing

    /// Puts an answer into memory, unless it comes too late: a newer one is there, or was, or it was removed since. False then.
    @discardableResult
    func insert(_ answer: CachedAnswer, _ query: CacheQuery, since mark: RecentChanges.Mark, isNew: Bool = false) -> Bool {
        let now = now
        var displaced: [AnyObject] = []
        defer { withExtendedLifetime(displaced) {} }
        return lock.withLock {
            let before = memory.peek(query.key) ?? CachedSet([])
            guard !recent.outdate(answer, since: mark, now: now),
                !isNew || !before.answers.contains(where: { answer.isOutdone(by: $0, query, now: now) }),
                let after = before.replacing(answer, now: now)
            else { return false }
            memory.set(query.key, after, cost: after.cost, &displaced)
            if isNew { recent.noteStored(answer) }
            return true
        }
    }

    /// Stores an answer in both levels, unless it comes too late. Returns whether it did.
    @discardableResult
    func store(_ answer: CachedAnswer, _ query: CacheQuery, since mark: RecentChanges.Mark) -> Bool {
        guard insert(answer, query, since: mark, isNew: true) else { return false }
        counters.countStored()
        disk?.store(query.folder)?.store(DiskHead.record(answer, query), synchronously: options.writesSynchronously)
        return true
    }

    /// Removes those that answer the same request and are older, though they are told apart by other request fields: asked as
    /// they were asked for, the origin now says something else.
    func removeOutdone(by answer: CachedAnswer, _ query: CacheQuery, known: [CachedAnswer], besides kept: [CachedAnswer]) {
        let now = now
        for old in known + (memory.peek(query.key)?.answers ?? [])
        where old.name != answer.name && old.isOutdone(by: answer, query, now: now)
            && !kept.contains(where: { $0.name == old.name })
        {
            remove(old, query)
        }
    }

    /// Gives a stored answer a new head; its body stays. Not when that comes too late.
    @discardableResult
    func update(
        _ old: CachedAnswer, _ new: CachedAnswer, _ query: CacheQuery, since mark: RecentChanges.Mark
    ) -> Bool {
        guard insert(new, query, since: mark, isNew: true) else { return false }
        let disk = disk?.store(query.folder)
        if old.name == new.name {
            disk?.updateHead(DiskHead.update(new, query), synchronously: options.writesSynchronously)
        } else {
            remove(old, query)
            disk?.store(DiskHead.record(new, query), synchronously: options.writesSynchronously)
        }
        return true
    }

    /// Removes all answers of a key.
    func remove(_ query: CacheQuery) {
        lock.withLock { _ = recent.note(.key(query.key)) }
        memory.remove(query.key)
        disk?.store(query.folder)?.remove(query.key)
    }

    /// Removes one answer of a key.
    func remove(_ answer: CachedAnswer, _ query: CacheQuery) {
        var displaced: [AnyObject] = []
        lock.withLock {
            recent.note(.answer(query.key, answer.name))
            guard let before = memory.peek(query.key) else { return }
            displaced.append(before)
            let after = CachedSet(before.answers.filter { $0.name != answer.name })
            if after.answers.isEmpty {
                memory.remove(query.key)
            } else {
                memory.set(query.key, after, cost: after.cost, &displaced)
            }
        }
        withExtendedLifetime(displaced) {}
        disk?.store(query.folder)?.remove(query.key, variant: answer.name.text)
    }

    /// Attaches a value that the caller decoded to a stored answer. Once that is not in memory any more, the value lives as
    /// long as the responses that came from it.
    func attach(_ value: DecodedValue, to answer: CachedAnswer) {
        // Released outside the lock: that may run code of the caller's.
        var displaced: [AnyObject] = []
        lock.withLock {
            if let old = answer.exchange(value) { displaced.append(old) }
            if let set = memory.peek(answer.key), set.answers.contains(where: { $0 === answer }) {
                memory.set(answer.key, set, cost: set.cost, &displaced)
            }
        }
        withExtendedLifetime(displaced) {}
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
