public import NetcoreHTTP
package import NetcoreSupport

/// The events of a server that sends them for as long as somebody listens: connects, and connects again when a connection ends or
/// fails, with the id of the last event in the field Last-Event-ID (HTML standard, section 9.2).
///
/// It connects when the first event is asked for, and does nothing while no event is asked for, so that a slow consumer slows the
/// server down. An answer with status 204 ends it. Another status than 200, another media type, and an error that would come again are
/// thrown, and end it, too. It is canceled when the last reference to it goes.
public final class EventSource: Sendable {
    private let driver: EventSourceDriver

    package init(_ driver: EventSourceDriver) { self.driver = driver }

    deinit { driver.cancel() }

    /// What it does at the moment.
    public enum State: Int32, Sendable {
        case connecting = 0
        /// Events come.
        case open = 1
        /// Until it connects again.
        case waiting = 2
        case closed = 3
    }

    public var state: State { State(rawValue: driver.info.state.rawValue) ?? .closed }
    /// The id of the last event that was read.
    public var lastEventID: String { driver.info.lastEventID }
    /// How many times it has connected, or tried to.
    public var connections: Int { driver.info.connections }

    /// Ends it, for who waits for an event, too.
    public func cancel() { driver.cancel() }

    /// The next event, waiting for it until a time; nil after a 204. Throws `inProgress` when the time comes first.
    package func next(until deadline: MonotonicTime) throws(NetcoreError) -> ServerSentEvent? {
        try driver.next(until: deadline)
    }

    /// A descriptor that is readable when there may be something to be read without waiting.
    package func descriptor() throws(NetcoreError) -> Int32 { try driver.descriptor() }

    package var info: EventSourceDriver.Info { driver.info }
}

extension EventSource: AsyncSequence {
    public typealias Element = ServerSentEvent

    public func makeAsyncIterator() -> Iterator { Iterator(source: self) }

    /// One that is read by two tasks at once throws ``NetcoreError/Code/invalidState``.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: EventSource

        /// - Throws: ``NetcoreError``, the same each time; `CancellationError` if the surrounding task was canceled, and the source with it.
        public mutating func next() async throws -> ServerSentEvent? {
            let driver = source.driver
            do {
                return try await withTaskCancellationHandler {
                    try await driver.next()
                } onCancel: {
                    driver.cancel()
                }
            } catch let error as NetcoreError {
                throw error.inSurroundingTask
            }
        }
    }
}

extension Client {
    /// Makes a source of events. It connects when the first event is asked for.
    ///
    /// - Parameter request: of any method; it is sent with each connection, with its body if that can be read again. Its timeouts are
    ///   those of a connection: an idle timeout is how a connection that is dead unnoticed is found. Accept is text/event-stream unless
    ///   the request sets it. No cache takes part.
    public func eventSource(
        _ request: Request, options: EventSourceOptions = EventSourceOptions()
    ) throws(NetcoreError) -> EventSource {
        EventSource(try EventSourceDriver(self, request, options))
    }
}
