internal import NetcoreSupport
internal import NetcoreTransport
internal import Synchronization

/// Who drives a client's loop: a thread that waits for a task while no other drives, else the I/O thread, or in its place the
/// application's own loop (LoopDriver+Application.swift). The only place that decides it.
///
/// A thread that reads a stream piece by piece leaves the loop and soon comes back. While its task is the only one under way, the loop
/// is kept for it so long.
///
/// Whoever holds the loop is the only one to touch it. The I/O thread starts before something is under way that no thread waits for, and
/// sleeps while there is nothing to do, and while another thread drives.
final class LoopDriver: @unchecked Sendable {  // under the condition's lock
    enum Holder { case nobody, waiter, thread, ended }

    let condition = Condition()
    private let descriptors: EventLoop
    var holder = Holder.nobody
    private let hasThread = Atomic<Bool>(false)
    private var thread: Thread?
    private var isDetached = false
    /// Threads that wait for the client's end.
    private var joiners = 0
    /// Kept until the client has ended.
    private var engine: Engine?
    /// There is no I/O thread: the application's own loop drives.
    let isApplicationDriven: Bool
    /// What that watches.
    private(set) var watched: LoopDescriptor?
    /// Threads that wait while another one drives, and would drive themselves.
    var bystanders: [Bystander] = [] {
        didSet { hasBystanders.store(!bystanders.isEmpty, ordering: .relaxed) }
    }
    private let hasBystanders = Atomic<Bool>(false)
    /// When the I/O thread takes the loop, if nobody drives it then.
    private var nextTurn = MonotonicTime.never
    /// How long that thread sleeps.
    private var sleepsUntil = MonotonicTime.never
    /// The thread of the application's loop, from a turn until it submits something; otherwise 0.
    let turner = Atomic<UInt>(0)

    init(_ descriptors: EventLoop, isApplicationDriven: Bool) {
        self.descriptors = descriptors
        self.isApplicationDriven = isApplicationDriven
    }

    /// From now on the loop may be driven.
    func begin(_ engine: Engine, _ watched: LoopDescriptor?) {
        self.engine = engine
        self.watched = watched
    }

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

    /// Starts the I/O thread, if it has not been and there is to be one. False when no thread can be started.
    func startThread() -> Bool {
        isApplicationDriven || hasThread.load(ordering: .acquiring) || condition.lock.withLock { start() }
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
    ///
    /// - Parameter bystander: is called then, once the other one has left.
    func take(else bystander: Bystander? = nil) -> Bool {
        condition.lock.withLock {
            guard holder == .nobody else {
                if let bystander { bystanders.append(bystander) }
                return false
            }
            holder = .waiter
            descriptors.setDriverAwake()
            return true
        }
    }

    /// Gives up the loop, which the calling thread has taken, and not driven.
    func giveBack() { isApplicationDriven ? leave(nextTurn: nil) : leave(until: condition.lock.withLock { nextTurn }) }

    /// Drives the loop, which the calling thread has taken, until a time, or until `isOver` says so after a turn. Where something is left
    /// to do, the I/O thread then goes on.
    ///
    /// - Parameter task: the calling thread will soon drive again for this one: if it is all that is under way, the I/O thread gives it
    ///   the time.
    func drive(until deadline: MonotonicTime, for task: RequestTask? = nil, isOver: (ClientLoop) -> Bool) {
        guard let engine = condition.lock.withLock({ engine }) else { return }
        let loop = engine.loop
        Thread.whileAwaited {
            guard loop.begin(patience: deadline) else { return }
            while loop.turn() {
                // The application's functions, which may run in a turn, may fork. The child has no loop.
                guard Fork.count == engine.forkCount else { return }
                if isOver(loop) || deadline != .never && deadline <= .now { return leave(loop, expecting: task) }
                guard loop.wait(until: deadline) else { return }
            }
            finish(loop)
        }
    }

    /// Does a turn of the loop, which the calling thread has taken, and gives it back.
    ///
    /// - Parameter takesEvents: whether events are looked for before.
    func turnOnce(takesEvents: Bool) {
        guard let engine = condition.lock.withLock({ engine }) else { return }
        let loop = engine.loop
        Thread.whileAwaited {
            guard loop.begin(patience: .now), !takesEvents || loop.wait(until: .now) else { return }
            guard loop.turn() else { return finish(loop) }
            guard Fork.count == engine.forkCount else { return }
            leave(loop)
        }
    }

    private func leave(_ loop: ClientLoop, expecting task: RequestTask? = nil) {
        guard !isApplicationDriven else { return leave(nextTurn: loop.pause()) }
        let time = loop.leave(expecting: task ?? successor(loop))
        leave(until: time, now: loop.machineNow)
    }

    /// Does what was submitted, where there is no thread that would.
    func settle() {
        guard !isApplicationDriven || Thread.mayWait else { return }
        guard !hasThread.load(ordering: .acquiring) else { return }
        if !Thread.mayWait {
            if startThread() { wake() }
        } else if take() {
            drive(until: .never) { _ in true }
        }
    }

    /// Gives up the loop, which needs a thread from a time on.
    private func leave(until time: MonotonicTime, now: MonotonicTime = .now) {
        descriptors.end()
        let called: [Bystander] = condition.lock.withLock {
            holder = .nobody
            descriptors.setDriverMissing()
            nextTurn = time
            if time <= now || engine?.intake.isWaiting ?? false, start() {
                descriptors.setDriverAwake()
                holder = .thread
                condition.broadcast()
                return []
            }
            if joiners > 0 || time < sleepsUntil && start() { condition.broadcast() }
            guard !bystanders.isEmpty else { return [] }
            defer { bystanders = [] }
            return bystanders
        }
        for bystander in called { bystander.call() }
    }

    /// The same where the application's loop drives, which is to do the next turn at a time; nil where that is known to it.
    private func leave(nextTurn: MonotonicTime?) {
        descriptors.end()
        let (isNeeded, called) = condition.lock.withLock {
            holder = .nobody
            descriptors.setDriverMissing()
            if let nextTurn { watched?.ring(at: nextTurn) }
            if joiners > 0 { condition.broadcast() }
            defer { bystanders = [] }
            return (engine?.intake.isWaiting ?? false, bystanders)
        }
        if isNeeded { wake() }
        for bystander in called { bystander.call() }
    }

    // MARK: The I/O thread

    private func run() {
        condition.lock.lock()
        while holder != .ended {
            guard holder == .thread else {
                sleep()
                continue
            }
            condition.lock.unlock()
            drive(until: .never) { !$0.isNeeded || self.successor($0) != nil }
            condition.lock.lock()
        }
        condition.lock.unlock()
    }

    /// Sleeps until something changes, or takes the loop when it needs a thread and nobody has it.
    private func sleep() {
        // Who has the loop now may leave it again before that, often.
        sleepsUntil = nextTurn > .now || holder == .nobody ? nextTurn : .never
        if sleepsUntil == .never {
            condition.wait()
        } else if !condition.wait(until: sleepsUntil), holder == .nobody, nextTurn <= .now {
            descriptors.setDriverAwake()
            holder = .thread
        }
        sleepsUntil = .never
    }

    /// The task of a thread that would drive in place of this one, if that task is all that is under way.
    private func successor(_ loop: ClientLoop) -> RequestTask? {
        guard hasBystanders.load(ordering: .relaxed) else { return nil }
        let tasks = condition.lock.withLock { bystanders.filter(\.takesOver).compactMap(\.task) }
        return tasks.first { loop.carriesOnly($0) }
    }

    // MARK: The end

    private func finish(_ loop: ClientLoop) {
        loop.end()
        let (ended, called) = condition.lock.withLock {
            holder = .ended
            condition.broadcast()
            defer { bystanders = [] }
            return (engine.take(), bystanders)
        }
        for bystander in called { bystander.call() }
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
