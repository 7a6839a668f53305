package import NetcoreHTTP
internal import NetcoreSupport
package import NetcoreTransport

/// The answer to a request on its way to a consumer that sets the pace: its head, then its body piece by piece, then its end. Of the
/// body a window waits here, and what libcurl had at hand when that was full.
///
/// For any thread; one consumer at a time.
package final class ResponseStream: BodySink, @unchecked Sendable {  // all state is under the condition's lock
    /// What a consumer that asks for more gets.
    enum Next {
        case chunk(ByteBuffer)
        case end(Response)
        /// Nothing yet.
        case none
    }

    package static let defaultWindow = 1 << 20
    package static let largestWindow = 1 << 30
    private static let chunkSize = 64 << 10

    let engine: Engine
    private let window: Int
    /// Whether head and bytes are announced by events of the task. Else somebody waits for them.
    let isAnnounced: Bool
    let condition = Condition()
    let lines = BodyReader<LineParser>()
    let events = BodyReader<EventParser>()
    /// Until a consumer has taken it.
    var head: Response?
    var hasHead = false
    var chunks = FIFO<ByteBuffer>()
    /// The last of the chunks, which may be added to.
    private var tail: ByteBuffer?
    /// Chunks that were read, to be filled again: memory that goes back to the system costs page faults when it comes again.
    private var spare: [ByteBuffer] = []
    /// What was taken of the chunk before the first, by a consumer with little room.
    var partial: (chunk: ByteBuffer, offset: Int)?
    /// Where bytes go that a consumer waits for, and how many have come.
    var room: (memory: UnsafeMutableRawBufferPointer, filled: Int)?
    /// Bytes that wait.
    var waiting = 0
    /// When a consumer that blocks last had to wait, and went on.
    var lastWait = MonotonicTime(microseconds: 0)
    private var isFull = false
    /// What came since the consumer was last woken.
    private var isUnshown = false
    /// The consumer has gone.
    private var isAbandoned = false
    var end: Response?
    /// Somebody reads.
    private var isRead = false
    /// A consumer that blocks waits for more.
    var isAwaitedNow = false
    /// A consumer that does not wait found nothing: what comes next is announced.
    var isAwaited = false
    /// Is called on the client's loop when a reader that does not wait has something to look at.
    private var onChange: (@Sendable () -> Void)?
    var continuation: UnsafeContinuation<Void, Never>?
    /// Until its end.
    var task: RequestTask?
    /// How far the task had come at its end.
    private var lastProgress: RequestTask.Progress?
    private var lastPriority = Priority.default
    /// Of the bytes so far. For the client's loop, after the stream has begun.
    private var digest: (check: DigestCheck, running: RunningDigest)?

    /// - Parameter window: bytes of the body that may wait.
    init(_ engine: Engine, window: Int, isAnnounced: Bool = false) throws(NetcoreError) {
        guard window > 0, window <= Self.largestWindow else {
            throw NetcoreError(
                .invalidArgument, argument: "window", "must be from 1 to \(Self.largestWindow) bytes")
        }
        self.engine = engine
        self.window = window
        self.isAnnounced = isAnnounced
    }

    /// Computes the digest of the body. Before the task is dispatched.
    func setDigest(_ check: DigestCheck?) { digest = check.map { ($0, RunningDigest()) } }

    /// Before the task is dispatched.
    func begin(_ task: RequestTask) { condition.lock.withLock { self.task = task } }

    /// For a reader that does not wait, and is notified of no events.
    func notify(_ onChange: (@Sendable () -> Void)?) { condition.lock.withLock { self.onChange = onChange } }

    /// The task could not be dispatched.
    func forget() { condition.lock.withLock { task = nil } }

    // MARK: The client's loop

    func receiveHead(_ response: Response) {
        change { setHead(response) }
        announceHead(condition.lock.withLock { task })
    }

    private func setHead(_ response: Response) {
        head = response
        hasHead = true
    }

    /// Gives the head to the task's function for events. If it is not kept, the task ends.
    private func announceHead(_ task: RequestTask?) {
        guard isAnnounced, let head = condition.lock.withLock({ head.take() }) else { return }
        head.streamOwner = StreamOwner(self)
        head.early = .head
        _ = task?.deliverEarly(head)
    }

    private func announceBytes(_ task: RequestTask?) {
        let response = Response()
        response.early = .readable
        _ = task?.deliverEarly(response)
    }

    package func take(_ bytes: UnsafeRawBufferPointer) throws(NetcoreError) -> BodyFlow {
        digest?.running.add(bytes)
        condition.lock.lock()
        defer { condition.lock.unlock() }
        guard isAbandoned || add(bytes) else { throw NetcoreError(.outOfMemory, phase: .receive) }
        isUnshown = true
        isFull = !isAbandoned && waiting >= window
        if isFull { return .full }
        return isAwaitedNow || continuation != nil ? .enough : .more
    }

    package func show() {
        var awaiting: RequestTask?
        guard condition.lock.withLock({ isUnshown }) else { return }
        change {
            if isAwaited { awaiting = task }
            isAwaited = false
        }
        if let awaiting { announceBytes(awaiting) }
    }

    private func add(_ received: UnsafeRawBufferPointer) -> Bool {
        let bytes = fillRoom(received)
        if bytes.isEmpty { return true }
        if let tail, tail.count + bytes.count <= Self.chunkSize, tail.append(bytes) {
            waiting += bytes.count
            return true
        }
        let chunk = spare.popLast() ?? ByteBuffer()
        guard chunk.reserve(max(bytes.count, min(window, Self.chunkSize))), chunk.append(bytes) else { return false }
        push(chunk)
        return true
    }

    /// Gives bytes to a consumer that waits: copied once, into memory that stays in the processor's cache. Returns the rest.
    private func fillRoom(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let (memory, filled) = room, waiting == 0, filled < memory.count else { return bytes }
        let size = min(bytes.count, memory.count - filled)
        UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<size]))
        room = (memory, filled + size)
        return UnsafeRawBufferPointer(rebasing: bytes[size...])
    }

    private func push(_ chunk: ByteBuffer) {
        chunks.append(chunk)
        tail = chunk
        waiting += chunk.count
    }

    /// Judges the digest of a body that is whole.
    func judge(_ response: Response) {
        guard response.error == nil, let digest else { return }
        var running = digest.running
        if !hasHead { response.withBody { running.add($0) } }
        response.error = digest.check.conclude(running, response)
    }

    /// The task has ended. What was not streamed, as from a cache, is all there.
    func finish(_ response: Response) {
        var ended: RequestTask?
        change {
            ended = task.take()
            lastProgress = ended?.progress
            if let ended { lastPriority = ended.priority }
            if response.error == nil, !hasHead {
                if let body = response.bodyBuffer, body.count > 0 { push(body) }
                tail = nil  // a cache may have it as well
                response.bodyBuffer = nil
                setHead(Response(headOf: response))
            }
            if response.error?.code == .canceled { drop() }
            spare = []
            end = response
        }
        announceHead(ended)
    }

    /// Changes something that the consumer waits for.
    private func change(_ body: () -> Void) {
        condition.lock.lock()
        body()
        isUnshown = false
        let waiting = continuation.take()
        let onChange = onChange
        condition.broadcast()
        condition.lock.unlock()
        waiting?.resume()
        onChange?()
    }

    private func drop() {
        chunks = FIFO()
        spare = []
        tail = nil
        partial = nil
        waiting = 0
    }

    // MARK: The consumer

    /// Takes the head; nil before it has come. Throws what the task ended with before it.
    func takeHead() throws(NetcoreError) -> Response? {
        if let head = head.take() { return head }
        if let error = end?.error { throw error }
        return nil
    }

    /// Takes the next piece.
    func takeNext() -> (next: Next, resumes: Bool) {
        if let partial {
            self.partial = nil
            let rest = UnsafeRawBufferPointer(rebasing: partial.chunk.bytes[partial.offset...])
            // For a consumer of another kind than the one before.
            if let copy = ByteBuffer(copying: rest) { return (.chunk(copy), remove(rest.count)) }
        }
        if let chunk = popChunk() { return (.chunk(chunk), remove(chunk.count)) }
        return (end.map { .end($0) } ?? .none, false)
    }

    /// Takes the first chunk, to which nothing is added from now on.
    func popChunk() -> ByteBuffer? {
        guard let chunk = chunks.popFirst() else { return nil }
        if chunk === tail { tail = nil }
        return chunk
    }

    /// Takes back a chunk that nothing else refers to, unless it and those that wait are more than a window.
    func recycle(_ chunk: ByteBuffer) {
        guard end == nil, waiting + (spare.count + 1) * Self.chunkSize <= window else { return }
        chunk.removeAll()
        spare.append(chunk)
    }

    /// So many bytes wait no longer. Returns whether the transfer is to go on.
    func remove(_ size: Int) -> Bool {
        waiting -= size
        guard isFull, waiting <= window / 2 else { return false }
        isFull = false
        return true
    }

    /// Lets the transfer go on.
    func resume(_ task: RequestTask?) {
        guard let task else { return }
        engine.intake.submit(.run { _ in task.onLoop.exchange?.hop.transfer?.resumeReceiving() })
    }

    /// The reader is gone: the task is canceled, if it has not ended.
    package func abandon() {
        guard Fork.count == engine.forkCount else { return }
        condition.lock.lock()
        isAbandoned = true
        drop()
        let task = task
        condition.lock.unlock()
        cancel(task)
    }

    package func cancel() {
        guard Fork.count == engine.forkCount else { return }
        cancel(condition.lock.withLock { task })
    }

    /// Gives its task another place among those that wait.
    func setPriority(_ priority: Priority) { condition.lock.withLock { task }?.setPriority(priority) }

    private func cancel(_ task: RequestTask?) {
        guard let task else { return }
        // Before the dispatch a mark is enough: the task then ends at its start.
        if let marked = task.markCanceled(), marked.isFirst, marked.state != .created {
            engine.intake.submit(.cancel(task))
        }
    }

    /// What the task ended with, once the consumer has come to the end of the body; nil before.
    package var ending: Response? { condition.lock.withLock { chunks.isEmpty && partial == nil ? end : nil } }

    package var progress: (RequestTask.State, RequestTask.Progress, Priority) {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        if let task { return (task.state, task.progress, task.priority) }
        let none = RequestTask.Progress(received: 0, expected: nil, sent: 0, toSend: nil)
        return (.finished, lastProgress ?? none, lastPriority)
    }

    /// Bytes that have come and were not read.
    package var waitingBytes: Int { condition.lock.withLock { waiting } }

    static let isBeingRead = NetcoreError(
        .invalidState, argument: "stream", "another call reads from it, and has not returned")

    /// Enters a call that may wait. Its caller leaves it by ``stopReading()``.
    func startReading() throws(NetcoreError) {
        try engine.checkUsable()
        guard condition.lock.withLock({ isRead ? false : setRead() }) else { throw Self.isBeingRead }
    }

    private func setRead() -> Bool {
        isRead = true
        return true
    }

    func stopReading() { condition.lock.withLock { isRead = false } }
}
