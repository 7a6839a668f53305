internal import Glibc
internal import Synchronization

/// Counts the forks that led to this process. What was made under another count belongs to the parent: its threads do
/// not exist here, and its locks may be held for ever.
package enum Fork {
    private static let counter = Atomic<UInt32>(0)

    package static var count: UInt32 { counter.load(ordering: .relaxed) }

    /// Installs the handlers, once. Across a fork the loops of clients rest, and the locks of what belongs to the whole process are
    /// held, so that the child can use it.
    package static let isWatched: Bool = {
        // Without optimization these, too, are made at their first use.
        _ = (count, FirstUse.client.hasEnded, FirstUse.threads.hasEnded, FirstUse.database.hasEnded)
        return pthread_atfork(
            {
                let holds = Fork.firstUse.lock(patience: Fork.patience)
                Standstill.beginFork()
                Fork.holdsFirstUse = holds
                Log.lock.lock()
                HandleTable.shared.lock.lock()
            },
            { Fork.end(inChild: false) },
            {
                Fork.counter.wrappingAdd(1, ordering: .relaxed)
                Fork.end(inChild: true)
            }) == 0
    }()

    private static func end(inChild isChild: Bool) {
        let holds = holdsFirstUse
        // The lock stays locked in the child.
        if isChild, !holds {
            hasClient.store(true, ordering: .relaxed)
            hasThreads.store(true, ordering: .relaxed)
            hasDatabase.store(true, ordering: .relaxed)
        }
        HandleTable.shared.lock.unlock()
        Log.lock.unlock()
        Standstill.endFork(inChild: isChild)
        if holds { firstUse.unlock() }
    }

    // MARK: What is set up once

    /// Milliseconds for which a fork waits for the first use of something to end.
    private static let patience = 1000
    private static let firstUse = Lock()
    /// Between the handlers of one fork, under the lock of the standstill.
    nonisolated(unsafe) private static var holdsFirstUse = false

    // Plain values: what Swift makes at its first use is made under a lock of its own, which the child would find held.
    private static let hasClient = Atomic<Bool>(false)
    private static let hasThreads = Atomic<Bool>(false)
    private static let hasDatabase = Atomic<Bool>(false)

    /// What sets up parts of libraries and of Swift's runtime for the whole process when it is first used.
    package enum FirstUse {
        case client
        case threads
        case database

        fileprivate var hasEnded: Bool {
            switch self {
            case .client: hasClient.load(ordering: .acquiring)
            case .threads: hasThreads.load(ordering: .acquiring)
            case .database: hasDatabase.load(ordering: .acquiring)
            }
        }

        fileprivate func end() {
            switch self {
            case .client: hasClient.store(true, ordering: .releasing)
            case .threads: hasThreads.store(true, ordering: .releasing)
            case .database: hasDatabase.store(true, ordering: .releasing)
            }
        }
    }

    /// Does something whose first success sets things up under locks that the child of a fork would find held. A fork waits for it.
    /// The body is told whether nothing has succeeded before.
    package static func afterFirstUse<Result, Failure: Error>(
        of use: FirstUse, _ body: (_ isFirst: Bool) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isWatched, !use.hasEnded else { return try body(false) }
        return try firstUse.withLock { () throws(Failure) in
            let result = try body(!use.hasEnded)
            use.end()
            return result
        }
    }
}
