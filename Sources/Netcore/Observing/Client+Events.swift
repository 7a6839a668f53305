public import NetcoreHTTP

extension Client {
    /// Calls a function with each event of the client from now on, on a thread of the client's, one call at a time. Up to 4,096 events
    /// wait for it; when more do, the oldest are dropped.
    ///
    /// The events of a task come in the order in which they happened, ``ClientEvent/Kind/queued`` first and ``ClientEvent/Kind/done``
    /// last. ``destroy()`` waits until the function was called with the last one.
    @discardableResult
    public func observe(
        _ function: @escaping @Sendable (ClientEvent) -> Void
    ) throws(NetcoreError) -> EventObserver {
        try addObserver(capacity: EventObserver.standardCapacity, function)
    }

    /// An observer that is read.
    package func makeObserver(capacity: Int) throws(NetcoreError) -> EventObserver {
        try addObserver(capacity: capacity, nil)
    }

    private func addObserver(
        capacity: Int, _ function: (@Sendable (ClientEvent) -> Void)?
    ) throws(NetcoreError) -> EventObserver {
        try engine.checkUsable()
        let observers = engine.parts.observers
        let observer = try EventObserver(observers, capacity: capacity, function)
        try observers.add(observer)
        return observer
    }

    /// The events of the client from now on, until it ends.
    ///
    /// - Parameter capacity: events that wait to be taken; when more do, the oldest are dropped.
    public func events(capacity: Int = 4096) throws(NetcoreError) -> AsyncStream<ClientEvent> {
        let (stream, continuation) = AsyncStream<ClientEvent>.makeStream(bufferingPolicy: .bufferingNewest(capacity))
        let end = EndOfEvents(continuation)
        let observer = try observe { event in _ = end.continuation.yield(event) }
        continuation.onTermination = { [weak observer] _ in observer?.cancel() }
        return stream
    }
}

/// Ends a stream of events when its observer has gone.
private final class EndOfEvents: Sendable {
    let continuation: AsyncStream<ClientEvent>.Continuation

    init(_ continuation: AsyncStream<ClientEvent>.Continuation) { self.continuation = continuation }

    deinit { continuation.finish() }
}
