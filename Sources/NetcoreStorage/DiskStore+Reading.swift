internal import NetcoreSupport

extension DiskStore {
    /// How many idle connections are kept.
    private static let mostReaders = 8
    /// Uses that were not written yet: of at most so many entries, for at most so long.
    private static let mostTouches = 4096
    private static let touchMilliseconds = 5000

    /// Finds an answer. `select` chooses among the key's answers, by index, or takes none; it is called at most a few
    /// times, within a snapshot: it should be quick, and not call the store. A large body is only opened, and checked as it is read.
    package func load(_ key: StoreKey, select: ([VariantHead]) -> Int?) -> LoadResult {
        guard isAlive else { return .notFound }
        var outcome = Reader.Outcome()
        for _ in 0..<3 {
            outcome = loadOnce(key, select)
            // Replaced between the look at the row and the opening of its body: once more, in a new snapshot.
            guard outcome.missesFile else { break }
        }
        count(outcome)
        return outcome.result
    }

    private func loadOnce(_ key: StoreKey, _ select: ([VariantHead]) -> Int?) -> Reader.Outcome {
        lock.lock()
        // In this order: a change that is committed in between is then seen twice, and not missed.
        let changes = overlay.changes(of: key)
        let database = isClosing ? nil : database
        let idle = database == nil ? nil : readers.popLast()
        let largest = limits.bytes
        lock.unlock()
        guard let database else { return pendingOnly(changes, select) }
        do throws(SQLiteError) {
            let reader: Reader
            if let idle { reader = idle } else { reader = try Reader(database) }
            let outcome = try reader.load(key, changes, largest: largest, select: select)
            putBack(reader, served: outcome.served)
            return outcome
        } catch {
            readingFailed(error, database)
            return pendingOnly(changes, select)
        }
    }

    /// Without a database: what waits to be written is all there is.
    private func pendingOnly(_ changes: [Change], _ select: ([VariantHead]) -> Int?) -> Reader.Outcome {
        var outcome = Reader.Outcome()
        var candidates: [Overlay.Candidate] = []
        Overlay.apply(changes, to: &candidates)
        guard !candidates.isEmpty else { return outcome }
        outcome.result = .notSelected
        if let choice = select(candidates.map(\.variant)), candidates.indices.contains(choice) {
            outcome.result = .found(candidates[choice].record)
        }
        return outcome
    }

    private func putBack(_ reader: Reader, served: Int64?) {
        lock.lock()
        let isKept = reader.generation == database?.generation && !isClosing && readers.count < Self.mostReaders
        if isKept { readers.append(reader) }
        if let served, touches.count < Self.mostTouches {
            if touches.isEmpty {
                touchesDue = MonotonicTime.now.adding(milliseconds: Self.touchMilliseconds)
                work.signal()
            }
            touches[served, default: 0] += 1
        }
        lock.unlock()
    }

    private func count(_ outcome: Reader.Outcome) {
        lock.lock()
        if case .found(let record) = outcome.result {
            statistics.hits += 1
            statistics.bytesServed += record.body.count
        } else {
            statistics.misses += 1
        }
        lock.unlock()
        if !outcome.damage.isEmpty { discard(outcome.damage) }
    }

    /// The same answer with its body in memory. Nil if that cannot be read; a damaged entry is removed. Blocks.
    package func withBodyInMemory(_ record: StoredRecord) -> StoredRecord? {
        guard case .file(let file) = record.body else { return record }
        do throws(BodyFailure) {
            var record = record
            record.body = .memory(try file.readAll())
            return record
        } catch {
            if case .damaged = error { _ = discard(file) }
            return nil
        }
    }

    /// Has the entry of a body removed that was found damaged. False if it was not read from an entry.
    package func discard(_ file: BlockFile) -> Bool {
        guard isAlive, let entry = file.entry else { return false }
        lock.withLock {
            statistics.damaged += 1
            overlay.append(.remove(entry.key, variant: nil, identity: entry.identity))
            work.signal()
        }
        options.onEvent(.damagedEntry(url: entry.url))
        return true
    }

    /// Has damaged rows removed, and tells of each once.
    private func discard(_ damaged: [Reader.Damage]) {
        var found: [StoreEvent] = []
        lock.lock()
        for damage in damaged where !overlay.isDiscarded(id: damage.id, sum: damage.sum) {
            statistics.damaged += 1
            overlay.append(.discard(id: damage.id, sum: damage.sum))
            work.signal()
            found.append(.damagedEntry(url: damage.url))
        }
        lock.unlock()
        for event in found { options.onEvent(event) }
    }

    /// A damaged or replaced database is put right by the storage thread; other errors pass.
    private func readingFailed(_ error: SQLiteError, _ failed: OpenDatabase) {
        var dropped: [Reader] = []
        lock.withLock {
            guard error.kind == .damaged || error.kind == .moved, database?.generation == failed.generation
            else { return }
            database = nil
            swap(&dropped, &readers)
            if error.kind == .damaged { damage = (failed.file, error.message) }
            work.signal()
        }
    }

    /// A page of what is stored, in no particular order, beginning after a ``StoredEntry/position``; nil begins the
    /// list, and waits for what is still to be written.
    package func entries(after position: Int64? = nil, limit: Int = 100) -> [StoredEntry] {
        guard isAlive else { return [] }
        if position == nil { flush() }
        guard let database = lock.withLock({ isClosing ? nil : database }) else { return [] }
        do throws(SQLiteError) {
            let page = try Reader(database).list(after: position ?? -1, limit: limit)
            if !page.damage.isEmpty { discard(page.damage) }
            return page.entries
        } catch {
            readingFailed(error, database)
            return []
        }
    }
}
