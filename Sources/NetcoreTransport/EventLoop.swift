internal import CLinux
internal import Glibc
package import NetcoreSupport
internal import Synchronization

/// The descriptors of one I/O thread: an epoll set and an eventfd by which other threads wake it.
package final class EventLoop: @unchecked Sendable {  // `wake` is for any thread; the rest only for the I/O thread
    private let epoll: Int32
    private let wakeDescriptor: Int32
    private let isSleeping = Atomic<Bool>(false)
    private let restingPlace = RestingPlace()
    private let events: UnsafeMutableBufferPointer<epoll_event>
    private var eventCount = 0

    /// Nil when descriptors ran out.
    package init?() {
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

    /// Ends the thread's wait. Costs a system call only when it sleeps.
    package func wake() {
        guard isSleeping.exchange(false, ordering: .sequentiallyConsistent) else { return }
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    /// Waits for events until a time, unless `hasWork` says, once others can wake the thread, that there is work.
    package func wait(until deadline: MonotonicTime, hasWork: () -> Bool) {
        isSleeping.store(true, ordering: .sequentiallyConsistent)
        let timeout = hasWork() ? 0 : Self.milliseconds(until: deadline)
        restingPlace.enter()
        eventCount = max(Int(epoll_wait(epoll, events.baseAddress, Int32(events.count), timeout)), 0)
        restingPlace.leave()
        // Who wakes it too late wakes the next wait.
        isSleeping.store(false, ordering: .relaxed)
    }

    /// The thread that calls this is the I/O thread.
    package func begin() {
        restingPlace.claim()
        restingPlace.leave()
    }

    /// The I/O thread has done all it had to do.
    package func end() { restingPlace.enter() }

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
