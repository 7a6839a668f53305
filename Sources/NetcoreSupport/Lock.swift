public import Glibc
internal import Synchronization

/// A mutual-exclusion lock over `pthread_mutex_t`.
///
/// Not `Synchronization.Mutex`: on Linux that one records the owner's thread number, which it caches, and the cache is
/// stale in the child of a fork; and the thread sanitizer does not see it (docs/decisions.md).
public final class Lock: @unchecked Sendable {  // the mutex is what makes it safe
    @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>

    public init() {
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    @inlinable public func lock() { pthread_mutex_lock(mutex) }

    @inlinable public func unlock() { pthread_mutex_unlock(mutex) }

    /// Locks it, unless another thread holds it for so many milliseconds. Returns whether it did.
    package func lock(patience: Int) -> Bool {
        let deadline = MonotonicTime.now.adding(milliseconds: patience)
        var pause = timespec(tv_sec: 0, tv_nsec: 20_000)
        while pthread_mutex_trylock(mutex) != 0 {
            guard MonotonicTime.now < deadline else { return false }
            nanosleep(&pause, nil)
        }
        return true
    }

    @inlinable public func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// A condition variable on the monotonic clock, used with one ``Lock``.
package final class Condition: @unchecked Sendable {  // used under its lock only
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    package let lock: Lock

    package init(_ lock: Lock = Lock()) {
        self.lock = lock
        condition = .allocate(capacity: 1)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Waits for a signal; the lock is held by the caller.
    package func wait() { pthread_cond_wait(condition, lock.mutex) }

    /// Waits for a signal until a monotonic time. Returns false when the time has come.
    package func wait(until deadline: MonotonicTime) -> Bool {
        var time = timespec(
            tv_sec: deadline.microseconds / 1_000_000, tv_nsec: deadline.microseconds % 1_000_000 * 1000)
        return pthread_cond_timedwait(condition, lock.mutex, &time) != ETIMEDOUT
    }

    /// The address of a condition that is not in use; 0 for none.
    private static let spare = Atomic<UInt>(0)

    /// A condition that was given back, or a new one, which allocates memory four times.
    package static func reused() -> Condition {
        exchangeSpare(0)?.takeRetainedValue() ?? Condition()
    }

    /// Keeps the condition for the next call of ``reused()``. No thread may wait on it. A late signal does no harm, because threads that
    /// wait check again.
    package func giveBack() {
        Self.exchangeSpare(UInt(bitPattern: Unmanaged.passRetained(self).toOpaque()))?.release()
    }

    private static func exchangeSpare(_ address: UInt) -> Unmanaged<Condition>? {
        let last = spare.exchange(address, ordering: .acquiringAndReleasing)
        return UnsafeRawPointer(bitPattern: last).map { .fromOpaque($0) }
    }

    package func signal() { pthread_cond_signal(condition) }

    package func broadcast() { pthread_cond_broadcast(condition) }
}
