internal import NetcoreHTTP

/// How an ``EventSource`` connects again.
public struct EventSourceOptions: Sendable, Hashable {
    /// How long to wait before another connection, until the server says so by the field `retry`. 3 s by default.
    public var retry: Duration = .seconds(3)
    /// The longest wait before another connection, whatever the server says. 60 s by default. The shortest is 10 ms.
    public var longestRetry: Duration = .seconds(60)
    /// Bytes of an event, as it comes. A larger one ends the source with code `limitBodyBytes`. 16 MiB by default.
    public var largestEvent = EventParser.defaultLimit
    /// What the first connection asks to go on after; empty for nothing.
    public var lastEventID = ""

    public init() {}

    func check() throws(NetcoreError) {
        for (value, name) in [(retry, "retry"), (longestRetry, "longestRetry")] where value < .zero {
            throw NetcoreError(.invalidArgument, argument: name, "must not be negative")
        }
        try checkLimit(largestEvent, "largestEvent")
    }
}
