internal import Glibc
internal import Synchronization

/// Counts the forks that led to this process. What was made under another count belongs to the parent: its threads do
/// not exist here, and its locks may be held for ever.
package enum Fork {
    private static let counter = Atomic<UInt32>(0)

    package static var count: UInt32 { counter.load(ordering: .relaxed) }

    /// Installs the handlers, once. The handle table is locked across a fork, so that the child can use it.
    package static let isWatched: Bool = {
        pthread_atfork(
            { HandleTable.shared.lock.lock() },
            { HandleTable.shared.lock.unlock() },
            {
                Fork.counter.wrappingAdd(1, ordering: .relaxed)
                HandleTable.shared.lock.unlock()
            }) == 0
    }()
}
