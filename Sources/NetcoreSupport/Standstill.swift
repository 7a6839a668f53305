internal import Glibc
internal import Synchronization

/// Brings the threads that drive clients' loops to rest: while the process forks, and for good before OpenSSL is cleaned up.
///
/// A thread at rest is between two turns of a loop. It holds no lock, neither of netcore nor of libcurl, OpenSSL or Swift's
/// runtime, so that the child of a fork can take them all; and it does not use what OpenSSL frees.
package enum Standstill {
    private static let fork: UInt8 = 1
    private static let forGood: UInt8 = 2
    /// Why threads are to rest: the bits above.
    fileprivate static let reasons = Atomic<UInt8>(0)
    /// Held by a thread while it forks.
    fileprivate static let lock = Lock()
    nonisolated(unsafe) private static var places: [RestingPlace] = []  // under `lock`

    /// How long to wait for threads that do not come to rest, such as one in a function of the application's that waits for the
    /// thread that forks or exits.
    private static let patience = 1000

    /// Whether the threads rest for good: no client does anything any more.
    package static var isForGood: Bool { reasons.load(ordering: .relaxed) & forGood != 0 }

    /// Lets every thread that drives a loop come to rest, and returns once they have. They stay there.
    package static func beginForGood() {
        reasons.bitwiseOr(forGood, ordering: .sequentiallyConsistent)
        let all = lock.withLock { places }
        waitForRest(of: all)
    }

    /// The process is about to fork. Keeps the lock.
    static func beginFork() {
        lock.lock()
        guard !places.isEmpty else { return }
        reasons.bitwiseOr(fork, ordering: .sequentiallyConsistent)
        waitForRest(of: places)
    }

    /// The process has forked. The child has none of the threads.
    static func endFork(inChild isChild: Bool) {
        if isChild { places.removeAll() }
        reasons.bitwiseAnd(~fork, ordering: .sequentiallyConsistent)
        lock.unlock()
    }

    private static func waitForRest(of places: [RestingPlace]) {
        let deadline = MonotonicTime.now.adding(milliseconds: patience)
        var pause = timespec(tv_sec: 0, tv_nsec: 20_000)
        for place in places {
            while !place.isAtRest, MonotonicTime.now < deadline { nanosleep(&pause, nil) }
        }
    }

    fileprivate static func add(_ place: RestingPlace) { lock.withLock { places.append(place) } }

    fileprivate static func remove(_ place: RestingPlace) { lock.withLock { places.removeAll { $0 === place } } }

    /// Keeps the calling thread at rest as long as there is a reason. Where that is for good it returns false, still at rest, when a
    /// time has come.
    fileprivate static func stay(at state: borrowing Atomic<Bool>, patience: MonotonicTime) -> Bool {
        repeat {
            state.store(true, ordering: .sequentiallyConsistent)
            if isForGood {
                wait(until: patience)
                return false
            }
            lock.withLock {}
            state.store(false, ordering: .sequentiallyConsistent)
        } while reasons.load(ordering: .sequentiallyConsistent) != 0
        return true
    }

    private static func wait(until deadline: MonotonicTime) {
        while deadline == .never { _ = pause() }
        var left = deadline.microseconds(since: .now)
        while left > 0 {
            var span = timespec(tv_sec: left / 1_000_000, tv_nsec: left % 1_000_000 * 1000)
            nanosleep(&span, nil)
            left = deadline.microseconds(since: .now)
        }
    }
}

/// Where the thread that drives one loop comes to rest.
package final class RestingPlace: Sendable {
    private let isResting = Atomic<Bool>(true)
    private let thread = Atomic<UInt>(0)

    package init() { Standstill.add(self) }

    /// The thread is no more, and its client neither.
    package func close() { Standstill.remove(self) }

    /// The thread goes on, unless the process is at a standstill: it then waits for the end of that. False where there is none, after
    /// `patience`: the thread stays at rest, and must touch nothing of the loop.
    package func leave(patience: MonotonicTime) -> Bool {
        isResting.store(false, ordering: .sequentiallyConsistent)
        guard Standstill.reasons.load(ordering: .sequentiallyConsistent) != 0 else { return true }
        return Standstill.stay(at: isResting, patience: patience)
    }

    /// The thread is going to wait, and touches nothing until ``leave(patience:)``.
    package func enter() { isResting.store(true, ordering: .releasing) }

    /// The thread that calls ``leave(patience:)`` from now on is this one.
    package func claim() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

    /// A thread that asks for the standstill itself does nothing else meanwhile.
    fileprivate var isAtRest: Bool {
        isResting.load(ordering: .sequentiallyConsistent) || thread.load(ordering: .relaxed) == UInt(pthread_self())
    }
}
