package import NetcoreHTTP
package import NetcoreSupport

/// The events of a body that is an event stream (HTML standard, section 9.2).
extension ResponseStream {
    /// The next event, waiting for it until a time; nil at the end of the body. Throws `inProgress` when the time comes first, and what
    /// the task ended with.
    package func nextEvent(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> ServerSentEvent? {
        try events.enter(limit: limit)
        defer { events.leave() }
        if let event = try events.next() { return event }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { room.deallocate() }
        while true {
            guard let size = try read(into: room, until: deadline) else {
                throw NetcoreError(.inProgress, "the events continue")
            }
            if size == 0 { return nil }
            events.add(UnsafeRawBufferPointer(rebasing: room[..<size]))
            if let event = try nextWhole() { return event }
        }
    }

    /// The same for a consumer that suspends.
    func nextEvent(limit: Int) async throws(NetcoreError) -> ServerSentEvent? {
        try events.enter(limit: limit)
        defer { events.leave() }
        while true {
            if let event = try nextWhole() { return event }
            guard let chunk = try await next() else { return nil }
            events.add(chunk.bytes)
        }
    }

    /// An event at hand. After one that is too large nothing more is received.
    private func nextWhole() throws(NetcoreError) -> ServerSentEvent? {
        do throws(NetcoreError) {
            return try events.next()
        } catch {
            cancel()
            throw error
        }
    }
}

extension Response {
    /// The next event of a streamed response. Throws what makes it no event stream.
    package func nextEvent(until deadline: MonotonicTime, limit: Int) throws(NetcoreError) -> ServerSentEvent? {
        guard let stream else { throw NetcoreError(.invalidState, argument: "response", "is not a streamed one") }
        try checkEventStream(self)
        return try stream.nextEvent(until: deadline, limit: limit)
    }
}
