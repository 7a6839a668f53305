internal import NetcoreSupport

/// The storage thread: takes what waits, and writes it in one transaction.
extension DiskStore {
    /// One turn's work.
    private struct Turn {
        var batch: [Overlay.Pending]
        var touches: [Int64: Int64]
        var limits: DiskLimits
        /// The last flush that was asked for before the batch was taken.
        var flush: Int
        var isLast: Bool
        /// Whether there is anything to write, or to open.
        var writes = false
    }

    private static let batchCount = 512
    private static let batchBytes = 8 << 20
    private static let sweepFiles = 64

    func run() {
        while let turn = nextTurn() {
            var events: [StoreEvent] = []
            if turn.writes { write(turn.batch, turn.touches, turn.limits, &events) }
            // First: who waited for the writing finds that the events have been told.
            for event in events { options.onEvent(event) }
            let ends = lock.withLock { finish(turn) }
            if ends { break }
            tidy()
        }
        end()
    }

    /// Waits for work and takes it.
    private func nextTurn() -> Turn? {
        lock.lock()
        defer { lock.unlock() }
        while !hasWork {
            let deadline = mayWrite ? touchesDue : wakeUp
            if deadline == .never { work.wait() } else { _ = work.wait(until: deadline) }
        }
        var turn = Turn(batch: [], touches: [:], limits: limits, flush: flushesWanted, isLast: isClosing)
        guard mayWrite || isClosing else { return turn }
        busyUntil = nil
        turn.batch = overlay.take(count: Self.batchCount, bytes: Self.batchBytes)
        let isLastOfQueue = !overlay.hasQueued
        if !isLastOfQueue { turn.flush = flushesDone }
        swap(&turn.touches, &touches)
        turn.writes = !turn.batch.isEmpty || !turn.touches.isEmpty || limitsChanged || database == nil
        touchesDue = .never
        limitsChanged = false
        turn.isLast = isClosing && isLastOfQueue
        return turn
    }

    private var hasWork: Bool {
        if isClosing || flushesWanted > flushesDone { return true }
        guard mayWrite else { return false }
        return overlay.hasQueued || limitsChanged || database == nil || touchesDue <= .now
            || (stoppedUntil == nil && (sweep != nil || mayShrink))
    }

    /// Whether it is time to write, after a failure.
    private var mayWrite: Bool {
        if let busyUntil, MonotonicTime.now < busyUntil { return false }
        return !hasStopped
    }

    /// Under the lock: writing failed, and it is not yet time to try again.
    var hasStopped: Bool { stoppedUntil.map { options.clock() < $0 } ?? false }

    /// When to look again without having been woken.
    private var wakeUp: MonotonicTime {
        if let busyUntil { return busyUntil }
        guard stoppedUntil != nil else { return .never }
        return MonotonicTime.now.adding(milliseconds: max(options.retryMilliseconds, 100))
    }

    /// Under the lock. Returns whether the store ends.
    private func finish(_ turn: Turn) -> Bool {
        flushesDone = max(flushesDone, turn.flush)
        done.broadcast()
        return turn.isLast
    }

    /// Work that nothing waits for, a little at a time.
    private func tidy() {
        guard let writer else { return }
        do throws(SQLiteError) {
            if let sweep {
                let more = try sweep.step(files: Self.sweepFiles) { (name) throws(SQLiteError) in
                    try writer.isUsed(name)
                }
                if !more { self.sweep = nil }
            } else if mayShrink {
                mayShrink = try writer.shrink()
            }
        } catch {
            // Whatever it is, the next write meets it too.
            sweep = nil
            mayShrink = false
        }
    }

    private func end() {
        closeDatabase()
        files?.release()
        lock.withLock {
            files = nil
            isClosed = true
            overlay = Overlay()
            done.broadcast()
        }
    }
}
