internal import NetcoreSupport

/// The disk tier: answers in a folder, in an SQLite database and in files next to it, shared by all processes that open it.
///
/// Reads happen on the caller's thread, each in a snapshot of its own. Writes happen on the store's thread, many in one
/// transaction; what waits to be written is seen by this process's readers already. Nothing here fails a request: what
/// cannot be read is not found, what cannot be written is not stored, and an event says why.
///
/// ``close()`` ends it; a store that is not closed lives on. In the child of a fork a store that the parent opened is
/// dead: all calls do nothing.
package final class DiskStore: @unchecked Sendable {  // what changes is under `lock`, or only the storage thread's
    package let path: String
    let options: DiskOptions
    let forkCount = Fork.count
    let bodies = OpenBodies()
    let lock = Lock()
    /// Wakes the storage thread.
    let work: Condition
    /// Wakes those who wait for it.
    let done: Condition

    // Under the lock.
    var overlay = Overlay()
    var limits: DiskLimits
    var statistics = DiskStatistics()
    var touches: [Int64: Int64] = [:]
    var touchesDue = MonotonicTime.never
    var readers: [Reader] = []
    var database: OpenDatabase?
    /// What has to be set aside before the next write.
    var damage: (file: UInt64, reason: String)?
    /// Since storing failed: when to try it again, on the clock of the options.
    var stoppedUntil: MonotonicTime?
    /// Since others held the database for too long: when to try again, on the system's clock.
    var busyUntil: MonotonicTime?
    var flushesWanted = 0
    var flushesDone = 0
    var limitsChanged = false
    var isClosing = false
    var isClosed = false
    var thread: Thread?
    var generation = 0
    /// Changed only by the storage thread and the one that opens, which read it without the lock.
    var files: BodyFiles?

    // The storage thread's, and those of the one that opens.
    var writer: Writer?
    var sweep: OrphanSweep?
    var mayShrink = false

    /// Opens the folder, which is made where it is missing. Where that fails the store is an empty one, which tries
    /// again later. Events may come before this returns.
    package init(path: String, options: DiskOptions = DiskOptions()) {
        self.path = path
        self.options = options
        limits = options.limits
        work = Condition(lock)
        done = Condition(lock)
        var events: [StoreEvent] = []
        do throws(SQLiteError) {
            try openDatabase(&events)
        } catch {
            stop(error, &events)
        }
        thread = Fork.isWatched ? Thread(name: "netcore-storage", mayWait: false) { [self] in run() } : nil
        if thread == nil {
            isClosed = true
            events.append(.storingStopped(reason: "no thread could be started"))
        }
        for event in events { options.onEvent(event) }
    }

    /// Whether this process may use it at all.
    var isAlive: Bool { Fork.count == forkCount }

    /// What it did since it was opened, and what it holds.
    package var currentStatistics: DiskStatistics {
        guard isAlive else { return DiskStatistics() }
        return lock.withLock { statistics }
    }

    package var currentLimits: DiskLimits {
        guard isAlive else { return options.limits }
        return lock.withLock { limits }
    }

    /// Changes the limits; entries beyond them are evicted soon.
    package func setLimits(_ new: DiskLimits) {
        guard isAlive else { return }
        lock.withLock {
            limits = new
            limitsChanged = true
            work.signal()
        }
    }

    /// Waits until all that was asked for before is written, or given up.
    package func flush() {
        guard isAlive else { return }
        lock.withLock {
            guard thread?.isCurrent == false else { return }
            flushesWanted += 1
            let number = flushesWanted
            work.signal()
            while flushesDone < number, !isClosed { done.wait() }
        }
    }

    /// Writes what waits and ends the store. Afterwards nothing is found and nothing is stored. Within an event's
    /// callback it returns at once.
    package func close() {
        guard isAlive else { return }
        let ended: Thread? = lock.withLock {
            isClosing = true
            work.signal()
            defer { thread = nil }
            return thread
        }
        guard let ended else {
            lock.withLock {
                while !isClosed { done.wait() }
            }
            return
        }
        if ended.isCurrent { ended.detach() } else { ended.join() }
    }
}

/// The database that is in use.
struct OpenDatabase: Sendable {
    var folder: StoreFolder
    /// Which file it is: the name may stand for another one later.
    var file: UInt64
    var generation: Int
    var bodies: OpenBodies
}
