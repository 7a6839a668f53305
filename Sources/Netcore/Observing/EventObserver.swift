internal import CLinux
internal import Glibc
package import NetcoreHTTP
internal import NetcoreSupport

/// Who gets the events of a client: a function, or who reads them. For any thread. Ends with ``cancel()``, or with the client.
public final class EventObserver: @unchecked Sendable {  // all state is under `lock`
    package static let standardCapacity = 4096
    private let lock = Lock()
    private var ring: EventRing
    private var function: (@Sendable (ClientEvent) -> Void)?
    let hasFunction: Bool
    /// No event follows.
    private var isClosed = false
    /// Who reads was told that there are events.
    private var isSignaled = false
    /// Readable while there are events; -1 for an observer with a function.
    private let eventDescriptor: Int32
    private let owner: Observers

    /// - Parameter function: nil for an observer that is read.
    init(_ owner: Observers, capacity: Int, _ function: (@Sendable (ClientEvent) -> Void)?) throws(NetcoreError) {
        self.owner = owner
        self.function = function
        hasFunction = function != nil
        ring = EventRing(capacity: capacity)
        eventDescriptor = function == nil ? eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) : -1
        guard hasFunction || eventDescriptor >= 0 else { throw Engine.outOfMemory }
    }

    deinit { if eventDescriptor >= 0 { Glibc.close(eventDescriptor) } }

    /// Ends it: what it has not got yet is dropped. A function may still be running.
    public func cancel() {
        owner.remove(self)
        let dropped = lock.withLock {
            isClosed = true
            return function.take()
        }
        withExtendedLifetime(dropped) {}
    }

    // MARK: For who reads

    private static let notRead = NetcoreError(.invalidState, argument: "observer", "has a function")

    /// Readable while there are events, and from the end of the client on.
    package func descriptor() throws(NetcoreError) -> Int32 {
        guard !hasFunction else { throw Self.notRead }
        return eventDescriptor
    }

    /// Takes up to a number of events, the oldest first. Does not wait. Nil once the client has ended and all were taken.
    ///
    /// - Parameter use: is called with each, with the lock held.
    package func take(maximum: Int, _ use: (Int, ClientEvent) -> Void) throws(NetcoreError) -> Int? {
        guard !hasFunction else { throw Self.notRead }
        return lock.withLock {
            var count = 0
            while count < maximum, let event = ring.popFirst() {
                use(count, event)
                count += 1
            }
            if ring.count == 0, isSignaled, !isClosed {
                isSignaled = false
                var value: UInt64 = 0
                _ = read(eventDescriptor, &value, 8)
            }
            return count == 0 && isClosed ? nil : count
        }
    }

    /// How many events were dropped since this was asked before.
    package func takeDropped() -> Int { lock.withLock { ring.takeDropped() } }

    // MARK: For who reports

    func add(_ event: ClientEvent) {
        lock.withLock {
            if !isClosed { ring.append(event) }
        }
    }

    /// Tells who reads that there are events. Returns whether the function is to be called, by ``run()``.
    func signal() -> Bool {
        lock.withLock {
            guard !isSignaled, ring.count > 0 else { return false }
            isSignaled = true
            setReadable()
            return hasFunction
        }
    }

    private func setReadable() {
        guard !hasFunction else { return }
        var one: UInt64 = 1
        _ = write(eventDescriptor, &one, 8)
    }

    /// Calls the function with all events that there are.
    func run() {
        while let (function, event) = next() { function(event) }
    }

    private func next() -> (@Sendable (ClientEvent) -> Void, ClientEvent)? {
        lock.withLock {
            if let function, let event = ring.popFirst() { return (function, event) }
            isSignaled = false
            return nil
        }
    }

    /// The client has ended: no event follows.
    func close() {
        lock.withLock {
            isClosed = true
            if !isSignaled { setReadable() }
        }
    }

    /// The same after ``close()``, and drops the function.
    func runToTheEnd() {
        run()
        let dropped = lock.withLock { function.take() }
        withExtendedLifetime(dropped) {}
    }
}
