/// A message of an event stream (HTML standard, section 9.2 "Server-sent events").
public struct ServerSentEvent: Sendable, Hashable {
    /// What the field `event` says; "message" without one.
    public let type: String
    /// The lines of the fields `data`, with line feeds between them.
    public let data: String
    /// The value of the last field `id` so far, of this event or of one before; empty without one.
    public let lastEventID: String
    /// The value of the last field `retry` so far: milliseconds to wait before another connection. Nil without one.
    public let retry: Int?

    package init(type: String, data: String, lastEventID: String, retry: Int?) {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
        self.retry = retry
    }
}
