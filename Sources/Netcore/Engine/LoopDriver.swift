internal import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// Who drives a client's loop: a thread that waits for a task while no other drives, else the I/O thread. The only place that decides
/// it.
///
/// Whoever holds the loop is the only one to touch it. The I/O thread starts before something is under way that no thread waits for, and
/// sleeps while there is nothing to do, and while another thread drives.
final class LoopDriver: @unchecked Sendable {  // under the condition's lock
    private enum Holder { case nobody, waiter, thread, ended }

    private let condition = Condition()
    private let descriptors: EventLoop
    private var holder = Holder.nobody
    private let hasThread = Atomic<Bool>(false)
    private var thread: Thread?
    private var isDetached = false
    /// Threads that wait for the client's end.
    private var joiners = 0
    /// Kept until the client has ended.
    private var engine: Engine?

    init(_ descriptors: EventLoop) { self.descriptors = descriptors }

    /// From now on the loop may be driven.
    func begin(_ engine: Engine) { self.engine = engine }

    // MARK: For any thread

    /// Makes sure that a thread looks at what was submitted.
    func wake() {
        if !descriptors.wake() { summon() }
    }

    private func summon() {
        condition.lock.withLock {
            guard holder == .nobody else { return }
            // Without a thread nothing is under way, and the next one that drives will look.
            guard hasThread.load(ordering: .relaxed) else { return descriptors.setDriverMissing() }
            holder = .thread
            condition.broadcast()
        }
    }

    /// Starts the I/O thread, if it has not been. False when no thread can be started.
    func startThread() -> Bool {
        hasThread.load(ordering: .acquiring) || condition.lock.withLock { start() }
    }

    private func start() -> Bool {
        guard !hasThread.load(ordering: .relaxed), holder != .ended else { return true }
        guard let started = Thread(name: "netcore-io", mayWait: false, { self.run() }) else { return false }
        hasThread.store(true, ordering: .releasing)
        if isDetached { started.detach() } else { thread = started }
        return true
    }

    // MARK: For a thread that drives for a while

    /// Takes the loop for the calling thread, which then drives it, or gives it back. False when another thread has it.
    func take() -> Bool {
        condition.lock.withLock {
            guard holder == .nobody else { return false }
            holder = .waiter
            descriptors.setDriverAwake()
            return true
        }
    }

    /// Gives up the loop, which the calling thread has taken, and not driven.
    func giveBack() { leave(isNeeded: false) }

    /// Drives the loop, which the calling thread has taken, until a time, or until `isOver` says so after a turn. Where something is left
    /// to do, the I/O thread then goes on.
    func drive(until deadline: MonotonicTime, isOver: (ClientLoop) -> Bool) {
        guard let engine = condition.lock.withLock({ engine }) else { return }
        let loop = engine.loop
        Thread.whileAwaited {
            guard loop.begin(patience: deadline) else { return }
            while loop.turn() {
                // The application's functions, which may run in a turn, may fork. The child has no loop.
                guard Fork.count == engine.forkCount else { return }
                if isOver(loop) || deadline != .never && deadline <= .now { return leave(isNeeded: loop.leave()) }
                guard loop.wait(until: deadline) else { return }
            }
            finish(loop)
        }
    }

    /// Does what was submitted, where there is no thread that would.
    func settle() {
        guard !hasThread.load(ordering: .acquiring) else { return }
        if !Thread.mayWait {
            if startThread() { wake() }
        } else if take() {
            drive(until: .never) { _ in true }
        }
    }

    private func leave(isNeeded: Bool) {
        descriptors.end()
        condition.lock.withLock {
            holder = .nobody
            descriptors.setDriverMissing()
            if isNeeded || engine?.intake.isWaiting ?? false, start() {
                descriptors.setDriverAwake()
                holder = .thread
                condition.broadcast()
            } else if joiners > 0 {
                condition.broadcast()
            }
        }
    }

    // MARK: The I/O thread

    private func run() {
        condition.lock.lock()
        while holder != .ended {
            guard holder == .thread else {
                condition.wait()
                continue
            }
            condition.lock.unlock()
            drive(until: .never) { !$0.isNeeded }
            condition.lock.lock()
        }
        condition.lock.unlock()
    }

    // MARK: The end

    private func finish(_ loop: ClientLoop) {
        loop.end()
        let ended = condition.lock.withLock {
            holder = .ended
            condition.broadcast()
            return engine.take()
        }
        withExtendedLifetime(ended) {}
    }

    /// Waits until the client, which was told to, has ended.
    func join() {
        condition.lock.lock()
        joiners += 1
        while holder != .ended {
            guard holder == .nobody else {
                condition.wait()
                continue
            }
            holder = .waiter
            descriptors.setDriverAwake()
            condition.lock.unlock()
            drive(until: .never) { _ in false }
            condition.lock.lock()
        }
        joiners -= 1
        let thread = thread.take()
        condition.lock.unlock()
        thread?.join()
    }

    func detach() {
        condition.lock.withLock {
            isDetached = true
            thread.take()?.detach()
        }
    }
}
