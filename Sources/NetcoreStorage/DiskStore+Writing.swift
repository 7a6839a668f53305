internal import CSQLite
internal import NetcoreSupport

/// Writing a batch, and what follows when that fails.
extension DiskStore {
    /// Removals that could not be written, beyond which everything is removed instead.
    private static let mostHeld = 10_000
    private static let busyPause = 200

    func write(
        _ batch: [Overlay.Pending], _ touches: [Int64: Int64], _ limits: DiskLimits, _ events: inout [StoreEvent]
    ) {
        var prepared: [PreparedChange] = []
        do throws(SQLiteError) {
            let (writer, files) = try ready(&events)
            for pending in batch {
                prepared.append(try PreparedChange(pending.change, files: files, largeBody: options.largeBody))
            }
            let outcome = try writer.commit(prepared, touches: touches, limits: limits)
            files.remove(outcome.dropped)
            if batch.contains(where: \.change.isRemoval) || outcome.evictions > 64 { mayShrink = true }
            written(batch, outcome, &events)
        } catch {
            files?.remove(prepared.compactMap(\.body?.reference.file))
            failed(batch, error, &events)
        }
    }

    /// The writer, opened anew when the database was damaged, replaced, or could not be opened before.
    private func ready(_ events: inout [StoreEvent]) throws(SQLiteError) -> (Writer, BodyFiles) {
        let database = lock.withLock { self.database }
        if let database, let writer, let files, database.folder.databaseFile == writer.file { return (writer, files) }
        try openDatabase(&events)
        guard let writer, let files else { throw .moved }
        return (writer, files)
    }

    private func written(_ batch: [Overlay.Pending], _ outcome: Writer.Outcome, _ events: inout [StoreEvent]) {
        let resumed = lock.withLock { () -> Bool in
            statistics.evictions += outcome.evictions
            statistics.count = Int(outcome.totals.count)
            statistics.bytes = Int(outcome.totals.bytes)
            settle(batch, isWritten: true)
            defer { stoppedUntil = nil }
            return stoppedUntil != nil
        }
        if resumed { events.append(.storingResumed) }
    }

    /// Under the lock: these changes are done with.
    private func settle(_ changes: [Overlay.Pending], isWritten: Bool) {
        overlay.drop(changes)
        for pending in changes {
            pending.receipt?.isDone = true
            pending.receipt?.isWritten = isWritten
            if !isWritten { statistics.skipped += 1 }
        }
    }

    /// Gives up what was to be stored; keeps what was to be removed, unless all of it has gone with the database.
    private func failed(_ batch: [Overlay.Pending], _ error: SQLiteError, _ events: inout [StoreEvent]) {
        var isFresh = false
        switch error.kind {
        case .damaged, .moved: isFresh = reopen(error, &events)
        case .busy: lock.withLock { busyUntil = MonotonicTime.now.adding(milliseconds: Self.busyPause) }
        case .refused:
            let isFull = error.code & 0xFF == SQLITE_FULL
            if isFull, batch.contains(where: \.change.clearsAll) {
                isFresh = startOver(&events)
            } else {
                stop(error, &events)
            }
        }
        lock.withLock {
            settle(batch.filter { !$0.change.isRemoval }, isWritten: false)
            let removals = batch.filter(\.change.isRemoval)
            if isFresh { settle(removals, isWritten: true) } else { hold(removals) }
        }
    }

    /// Opens the database that is there now, or a fresh one. Returns whether the old one was set aside here.
    private func reopen(_ error: SQLiteError, _ events: inout [StoreEvent]) -> Bool {
        lock.withLock {
            if error.kind == .damaged, damage == nil, let database { damage = (database.file, error.message) }
        }
        let before = events.count
        do throws(SQLiteError) {
            try openDatabase(&events)
        } catch {
            stop(error, &events)
        }
        return events[before...].contains { if case .setAside = $0 { true } else { false } }
    }

    /// Clears all where the disk is too full even for that: what is to be emptied is removed. Returns whether it is.
    private func startOver(_ events: inout [StoreEvent]) -> Bool {
        guard let old = lock.withLock({ database }) else { return false }
        closeDatabase()
        do throws(SQLiteError) {
            try old.folder.withLock { () throws(SQLiteError) in
                if old.folder.databaseFile == old.file { old.folder.removeDatabase() }
            }
            files?.removeAll()
            try openDatabase(&events)
            return true
        } catch {
            stop(error, &events)
            return false
        }
    }

    /// Under the lock: puts removals back, to be tried again. What waits for them waits no longer.
    private func hold(_ removals: [Overlay.Pending]) {
        for pending in removals { pending.receipt?.isDone = true }
        overlay.putBack(removals)
        guard overlay.queued > Self.mostHeld else { return }
        let all = overlay.take(count: .max, bytes: .max)
        settle(all, isWritten: false)
        overlay.append(.clear(.all))
    }

    /// Stops storing until a later time. Who waits for what is queued waits no longer.
    func stop(_ error: SQLiteError, _ events: inout [StoreEvent]) {
        let isNew = lock.withLock { () -> Bool in
            overlay.endWaiting()
            defer { stoppedUntil = options.clock().adding(milliseconds: options.retryMilliseconds) }
            return stoppedUntil == nil
        }
        if isNew { events.append(.storingStopped(reason: error.message)) }
    }
}
