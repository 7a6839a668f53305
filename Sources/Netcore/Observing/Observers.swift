internal import Glibc
internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// The observers of a client. For any thread; nearly all events come from its loop.
final class Observers: @unchecked Sendable {  // the list is under `lock`
    private let areAny = Atomic<Bool>(false)
    private let numbers = Atomic<UInt64>(0)
    private let lock = Lock()
    private var all: [EventObserver] = []
    private var isClosed = false
    private var callsFunctions = false
    /// Tasks under way whose requests have functions of their own.
    private var tasks = 0
    private let clock: ManualClock?
    /// Calls functions, for all observers.
    let worker = ApplicationWorker(name: "netcore-observe")

    /// - Parameter clock: nil for the machine's.
    init(_ clock: ManualClock?) { self.clock = clock }

    /// Whether anybody wants to know.
    var isActive: Bool { areAny.load(ordering: .relaxed) }

    /// For a task, unique in the client.
    func nextNumber() -> UInt64 { numbers.wrappingAdd(1, ordering: .relaxed).newValue }

    func add(_ observer: EventObserver) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in
            guard !isClosed else { throw Intake.shutDownError }
            if observer.hasFunction {
                // Now, so that the caller learns whether there is a thread.
                guard worker.add({}) else { throw Engine.noThread }
                callsFunctions = true
            }
            all.append(observer)
            areAny.store(true, ordering: .relaxed)
        }
    }

    func remove(_ observer: EventObserver) {
        lock.withLock {
            all.removeAll { $0 === observer }
            noteActive()
        }
    }

    private func noteActive() { areAny.store(!all.isEmpty || tasks > 0, ordering: .relaxed) }

    /// A task with functions of its own begins.
    func beginTask() {
        lock.withLock {
            tasks += 1
            noteActive()
        }
    }

    /// Nothing more is reported of it.
    func endTask() {
        lock.withLock {
            tasks -= 1
            noteActive()
        }
    }

    /// - Parameter own: functions of the task's request, which are called with it, too.
    func report(_ event: ClientEvent, _ own: [@Sendable (ClientEvent) -> Void] = []) {
        lock.withLock {
            for observer in all { observer.add(event) }
            if !own.isEmpty { callsFunctions = true }
        }
        if !own.isEmpty { _ = worker.add { for function in own { function(event) } } }
    }

    /// Tells the observers of what was reported: once for all events of a turn.
    func flush() {
        guard isActive else { return }
        lock.withLock {
            for observer in all where observer.signal() { _ = worker.add { observer.run() } }
        }
    }

    /// The client has ended: no event follows.
    func close() {
        let observers = lock.withLock {
            isClosed = true
            defer {
                all = []
                noteActive()
            }
            return all
        }
        for observer in observers {
            observer.close()
            if observer.hasFunction { _ = worker.add { observer.runToTheEnd() } }
        }
    }

    /// Waits until the functions were called with the last event.
    func drain() { if lock.withLock({ callsFunctions }) { _ = worker.addAndWait {} } }

    /// Nanoseconds of the client's clock.
    var now: Int {
        if let clock { return clock.now.microseconds * 1000 }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
