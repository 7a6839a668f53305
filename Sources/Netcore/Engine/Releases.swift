internal import NetcoreSupport
internal import Synchronization

/// Tells the application that netcore will not call a function of its any more: one after the other, on a thread that holds no lock
/// and on which every call may be made.
package enum Releases {
    private static let current = Atomic<Unmanaged<SideThread>?>(nil)

    /// Soon, from any thread and under any lock.
    package static func run(_ job: @escaping SideThread.Job) { thread.run(job) }

    /// Waits until all of them that are due have run. Not inside a callback, and not on a thread that may not wait.
    package static func drain() { thread.drain() }

    /// One for the process; another one after a fork.
    private static var thread: SideThread {
        let found = current.load(ordering: .acquiring)
        if let thread = found?.takeUnretainedValue(), thread.isAlive { return thread }
        let made = Unmanaged.passRetained(SideThread(name: "netcore-release"))
        let (isFirst, other) = current.compareExchange(
            expected: found, desired: made, ordering: .acquiringAndReleasing)
        guard !isFirst, let other else { return made.takeUnretainedValue() }
        made.release()
        return other.takeUnretainedValue()
    }
}
