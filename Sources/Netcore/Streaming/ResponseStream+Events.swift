package import NetcoreHTTP
package import NetcoreSupport

/// The events of a body that is an event stream (HTML standard, section 9.2).
extension ResponseStream {
    /// The next event, waiting for it until a time; nil at the end of the body. Throws `inProgress` when the time comes first, and what
    /// the task ended with.
    ///
    /// - Parameter lastEventID: of the connection before.
    func nextEvent(
        until deadline: MonotonicTime, limit: Int, lastEventID: String = ""
    ) throws(NetcoreError) -> ServerSentEvent? {
        try checkLimit(limit, "largestEvent")
        try events.enter(EventParser(limit: limit, lastEventID: lastEventID))
        defer { events.leave() }
        return try nextElement(of: events, until: deadline)
    }

    /// The events that have come, waiting for the first until a time; an empty block at the end of the body.
    fileprivate func nextEvents(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> EventBlock {
        try checkLimit(limit, "largestEvent")
        try events.enter(EventParser(limit: limit))
        defer { events.leave() }
        var block = EventBlock()
        while true {
            do throws(NetcoreError) {
                try events.collect(into: &block)
            } catch {
                cancel()
                // What came before the one that is too large comes first: the next call throws the same.
                if block.isEmpty { throw error }
            }
            guard block.isEmpty else { return block }
            switch try nextChunk(until: deadline) {
            case .chunk(let chunk): events.add(chunk)
            case .end: return block
            case .none: throw NetcoreError(.inProgress, "the body continues")
            }
        }
    }

    /// The same as ``nextEvent(until:limit:lastEventID:)`` for a consumer that suspends.
    func nextEvent(limit: Int, lastEventID: String = "") async throws(NetcoreError) -> ServerSentEvent? {
        try checkLimit(limit, "largestEvent")
        try events.enter(EventParser(limit: limit, lastEventID: lastEventID))
        defer { events.leave() }
        return try await nextElement(of: events)
    }
}

extension Response {
    /// The next event of a streamed response. Throws what makes it no event stream.
    package func nextEvent(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> ServerSentEvent? {
        try eventStream().nextEvent(until: deadline, limit: limit)
    }

    /// All events that have come, in one block, which is empty at the end.
    package func nextEvents(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> EventBlock {
        try eventStream().nextEvents(until: deadline, limit: limit)
    }

    private func eventStream() throws(NetcoreError) -> ResponseStream {
        guard let stream else { throw NetcoreError(.invalidState, argument: "response", "is not a streamed one") }
        try checkEventStream(self)
        return stream
    }
}

/// Refuses an answer that is no event stream (HTML standard, section 9.2.3).
func checkEventStream(_ head: Response) throws(NetcoreError) {
    guard head.status == 200 else {
        throw NetcoreError(
            .httpStatus, "the server answers \(head.status) in place of an event stream", phase: .receive,
            nativeCode: Int32(clamping: head.status))
    }
    let type = (head.headers["content-type"] ?? "").prefix { $0 != ";" && $0 != " " && $0 != "\t" }
    guard Syntax.equalsIgnoringCase(String(type), "text/event-stream") else {
        throw NetcoreError(.protocol, "the media type of the answer is not text/event-stream", phase: .receive)
    }
}
