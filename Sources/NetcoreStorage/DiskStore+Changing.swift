internal import NetcoreSupport

extension DiskStore {
    /// Stores an answer: soon, or before this returns. Packs the body where that makes it smaller, unless `packing`
    /// says that it is packed already. Returns false when it is not stored: the queue is full, storing has stopped, or, for
    /// one that was waited for, writing failed.
    @discardableResult
    package func store(_ record: StoredRecord, packing: Bool = true, synchronously: Bool = false) -> Bool {
        add(.store(record, packing: packing), wait: synchronously)
    }

    /// Begins the file of a large body that is stored when it is whole. Nil while storing has stopped, and where no file can be made.
    package func beginBody() -> BlockWriter? {
        guard isAlive, let files = lock.withLock({ hasStopped || isClosing ? nil : files }) else { return nil }
        return try? BlockWriter(files)
    }

    /// Gives a stored answer a new head; its body stays.
    @discardableResult
    package func updateHead(_ update: HeadUpdate, synchronously: Bool = false) -> Bool {
        add(.updateHead(update), wait: synchronously)
    }

    /// Removes a key's answers, or one variant of them. Not seen by this process from now on.
    package func remove(_ key: StoreKey, variant: String? = nil, synchronously: Bool = false) {
        add(.remove(key, variant: variant), wait: synchronously)
    }

    /// Removes all entries that a filter matches. Not seen by this process from now on.
    package func clear(_ filter: ClearFilter, synchronously: Bool = false) {
        add(.clear(filter), wait: synchronously)
    }

    @discardableResult
    private func add(_ change: Change, wait: Bool) -> Bool {
        guard isAlive else { return false }
        return lock.withLock {
            guard !isClosing, !isClosed else { return false }
            guard change.isRemoval || hasRoom(for: change) else {
                statistics.skipped += 1
                return false
            }
            // Nothing is written while the store has stopped: who waited would wait for the next attempt.
            let receipt = wait && !hasStopped && thread?.isCurrent == false ? Overlay.Receipt() : nil
            overlay.append(change, receipt: receipt)
            work.signal()
            guard let receipt else { return true }
            while !receipt.isDone, !isClosed { done.wait() }
            return receipt.isWritten
        }
    }

    /// Whether an answer may wait to be stored. Removals always may: without them something outdated would be served.
    private func hasRoom(for change: Change) -> Bool {
        guard !hasStopped, overlay.count < options.queueCount else { return false }
        return overlay.count == 0 || overlay.bytes + change.size <= options.queueBytes
    }
}
