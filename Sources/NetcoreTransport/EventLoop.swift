internal import CLinux
internal import Glibc
package import NetcoreSupport
internal import Synchronization

/// The descriptors of a client's loop: an epoll set and an eventfd by which other threads wake who drives it.
///
/// `wake` and what it says of the driver are for any thread; the rest is only for the thread that drives the loop.
package final class EventLoop: @unchecked Sendable {  // see above
    /// What a wake-up has to do.
    private enum Driver {
        static let isAwake: UInt8 = 0
        static let isWaiting: UInt8 = 1
        static let isMissing: UInt8 = 2
    }

    private let epoll: Int32
    /// What the driver is said to be while no thread drives.
    private let idle: UInt8
    private let wakeDescriptor: Int32
    private let driver: Atomic<UInt8>
    private let restingPlace = RestingPlace()
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var eventCount = 0

    /// Nil when descriptors ran out.
    ///
    /// - Parameter isWatched: the application watches ``descriptor`` while no thread drives, so that a wake-up reaches it.
    package init?(isWatched: Bool = false) {
        idle = isWatched ? Driver.isWaiting : Driver.isMissing
        driver = Atomic(idle)
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        events = .allocate(capacity: 256)
        guard epoll >= 0, wakeDescriptor >= 0,
            control(EPOLL_CTL_ADD, wakeDescriptor, EPOLLIN.rawValue | EPOLLET.rawValue)
        else {
            return nil
        }
    }

    deinit {
        if epoll >= 0 { close(epoll) }
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
        restingPlace.close()
        events.deallocate()
    }

    /// The epoll set.
    var descriptor: Int32 { epoll }

    // MARK: For any thread

    /// Ends the wait of the thread that drives the loop. Costs a system call only when it waits. False: no thread drives it.
    package func wake() -> Bool {
        switch driver.exchange(Driver.isAwake, ordering: .sequentiallyConsistent) {
        case Driver.isAwake: return true
        case Driver.isWaiting:
            var one: UInt64 = 1
            _ = write(wakeDescriptor, &one, 8)
            return true
        default: return false
        }
    }

    /// No thread drives the loop from now on. What was submitted before must be looked for afterwards.
    package func setDriverMissing() { driver.store(idle, ordering: .sequentiallyConsistent) }

    /// A thread is going to drive the loop.
    package func setDriverAwake() { driver.store(Driver.isAwake, ordering: .sequentiallyConsistent) }

    // MARK: For the thread that drives

    /// The calling thread begins to drive. False where the process is at a standstill for good until a time: it must not.
    package func begin(patience: MonotonicTime) -> Bool {
        restingPlace.claim()
        return restingPlace.leave(patience: patience)
    }

    /// The calling thread touches nothing any more.
    package func end() { restingPlace.enter() }

    /// Waits for events until a time, unless `hasWork` says, once others can wake the thread, that there is work. False where the
    /// process came to a standstill for good, after `patience`: the thread must touch nothing any more.
    package func wait(until deadline: MonotonicTime, patience: MonotonicTime, hasWork: () -> Bool) -> Bool {
        driver.store(Driver.isWaiting, ordering: .sequentiallyConsistent)
        let timeout = hasWork() ? 0 : Self.milliseconds(until: deadline)
        restingPlace.enter()
        eventCount = max(Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)), 0)
        guard restingPlace.leave(patience: patience) else { return false }
        // Who wakes it too late wakes the next wait.
        driver.store(Driver.isAwake, ordering: .relaxed)
        return true
    }

    /// Hands over the events that ended the wait.
    package func takeEvents(_ handle: (_ descriptor: Int32, _ events: UInt32) -> Void) {
        for index in 0..<eventCount {
            let event = events[index]
            // Edge-triggered: each wake-up is one event, and the count need not be read.
            if event.data.fd != wakeDescriptor { handle(event.data.fd, event.events) }
        }
        eventCount = 0
    }

    @discardableResult
    package func control(_ operation: Int32, _ descriptor: Int32, _ mask: UInt32) -> Bool {
        var event = epoll_event()
        event.events = mask
        event.data.fd = descriptor
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    private static func milliseconds(until deadline: MonotonicTime) -> Int32 {
        guard deadline != .never else { return -1 }
        let left = deadline.microseconds(since: .now)
        return left <= 0 ? 0 : Int32(min((left + 999) / 1000, 60_000))
    }
}
