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
            areAny.store(!all.isEmpty, ordering: .relaxed)
        }
    }

    func report(_ event: ClientEvent) {
        lock.withLock {
            for observer in all { observer.add(event) }
        }
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
            areAny.store(false, ordering: .relaxed)
            defer { all = [] }
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
