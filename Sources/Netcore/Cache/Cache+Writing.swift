internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// Storing and removing, in both levels.
extension Cache {
    /// Puts an answer into memory, unless it comes too late: a newer one is there, or was, or it was removed since. False then.
    @discardableResult
    func insert(_ answer: CachedAnswer, _ query: CacheQuery, since mark: RecentChanges.Mark, isNew: Bool = false)
        -> Bool
    {
        let now = now
        var displaced: [AnyObject] = []
        defer { withExtendedLifetime(displaced) {} }
        return lock.withLock {
            let before = memory.peek(query.key) ?? CachedSet([])
            guard !recent.outdate(answer, since: mark, now: now),
                !isNew || !before.answers.contains(where: { answer.isOutdone(by: $0, query, now: now) }),
                let after = before.replacing(answer, now: now)
            else { return false }
            keepInMemory(after, query, &displaced)
            if isNew { recent.noteStored(answer) }
            return true
        }
    }

    /// Stores an answer in both levels, unless it comes too late. Returns whether it did.
    @discardableResult
    func store(_ answer: CachedAnswer, _ query: CacheQuery, since mark: RecentChanges.Mark) -> Bool {
        // The file of an entry is that entry's only.
        if case .file(let file) = answer.body, !file.isNew { return false }
        guard insert(answer, query, since: mark, isNew: true) else { return false }
        counters.countStored()
        let isOnDisk = disk?.store(query.folder)?.store(
            DiskHead.record(answer, query), synchronously: options.writesSynchronously)
        return answer.body.buffer != nil || isOnDisk ?? false
    }

    /// Under the lock: puts the answers of a key into memory, except those whose bodies are on disk only.
    private func keepInMemory(_ set: CachedSet, _ query: CacheQuery, _ displaced: inout [AnyObject]) {
        let kept =
            set.answers.allSatisfy { $0.body.buffer != nil }
            ? set : CachedSet(set.answers.filter { $0.body.buffer != nil })
        if kept.answers.isEmpty {
            if let removed = memory.remove(query.key) { displaced.append(removed) }
        } else {
            memory.set(query.key, kept, cost: kept.cost, &displaced)
        }
    }

    /// Removes those that answer the same request and are older, though they are told apart by other request fields: asked as
    /// they were asked for, the origin now says something else.
    func removeOutdone(
        by answer: CachedAnswer, _ query: CacheQuery, known: [CachedAnswer], besides kept: [CachedAnswer]
    ) {
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
