internal import NetcoreHTTP
internal import NetcoreSupport

/// What a consumer of a stream's events has at hand: events that are whole, and what came of the next one. One consumer at a time, as
/// for the bytes of the body.
final class EventBuffer: @unchecked Sendable {  // what changes belongs to the one that has `isBusy`
    private let lock = Lock()
    private var isBusy = false
    private var parser: EventParser?
    private var events = FIFO<ServerSentEvent>()
    /// The last event read was too large, and none can be read any more.
    private var failure: NetcoreError?

    /// - Parameter limit: of the largest event, as the first call says it.
    func enter(limit: Int) throws(NetcoreError) {
        guard limit > 0 else {
            throw NetcoreError(.invalidArgument, argument: "largestEvent", "must be at least 1 byte")
        }
        let isFree = lock.withLock {
            defer { isBusy = true }
            return !isBusy
        }
        guard isFree else { throw ResponseStream.isBeingRead }
        if parser == nil { parser = EventParser(limit: limit) }
    }

    func leave() { lock.withLock { isBusy = false } }

    /// The next event at hand.
    func next() throws(NetcoreError) -> ServerSentEvent? {
        if let event = events.popFirst() { return event }
        if let failure { throw failure }
        return nil
    }

    func add(_ bytes: UnsafeRawBufferPointer) {
        do throws(NetcoreError) {
            try parser?.add(bytes) { events.append($0) }
        } catch {
            failure = error
        }
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
