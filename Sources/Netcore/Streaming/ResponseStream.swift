package import NetcoreHTTP
package import NetcoreSupport
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

    private let engine: Engine
    private let window: Int
    /// Whether head and bytes are announced by events of the task. Else somebody waits for them.
    private let isAnnounced: Bool
    private let condition = Condition()
    let events = EventBuffer()
    /// Until a consumer has taken it.
    private var head: Response?
    private var hasHead = false
    private var chunks = FIFO<ByteBuffer>()
    /// The last of the chunks, which may be added to.
    private var tail: ByteBuffer?
    /// What was taken of the chunk before the first, by a consumer with little room.
    private var partial: (chunk: ByteBuffer, offset: Int)?
    /// Bytes that wait.
    private var waiting = 0
    private var isFull = false
    /// The consumer has gone.
    private var isAbandoned = false
    private var end: Response?
    /// Somebody waits for more.
    private var isRead = false
    /// A consumer that does not wait found nothing: what comes next is announced.
    private var isAwaited = false
    private var continuation: UnsafeContinuation<Void, Never>?
    /// Until its end.
    private var task: RequestTask?
    /// How far the task had come at its end.
    private var lastProgress: RequestTask.Progress?

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

    /// Before the task is dispatched.
    func begin(_ task: RequestTask) { condition.lock.withLock { self.task = task } }

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
        var isAdded = false
        var isFull = false
        var awaiting: RequestTask?
        change {
            if isAwaited { awaiting = task }
            isAwaited = false
            isAdded = isAbandoned || add(bytes)
            self.isFull = !isAbandoned && waiting >= window
            isFull = self.isFull
        }
        guard isAdded else { throw NetcoreError(.outOfMemory, phase: .receive) }
        if let awaiting { announceBytes(awaiting) }
        return isFull ? .full : .more
    }

    private func add(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let tail, tail.count + bytes.count <= Self.chunkSize, tail.append(bytes) {
            waiting += bytes.count
            return true
        }
        let chunk = ByteBuffer()
        guard chunk.reserve(max(bytes.count, min(window, Self.chunkSize))), chunk.append(bytes) else { return false }
        push(chunk)
        return true
    }

    private func push(_ chunk: ByteBuffer) {
        chunks.append(chunk)
        tail = chunk
        waiting += chunk.count
    }

    /// The task has ended. What was not streamed, as from a cache, is all there.
    func finish(_ response: Response) {
        var ended: RequestTask?
        change {
            ended = task.take()
            lastProgress = ended?.progress
            if response.error == nil, !hasHead {
                if let body = response.bodyBuffer, body.count > 0 { push(body) }
                tail = nil  // a cache may have it as well
                response.bodyBuffer = nil
                setHead(Response(headOf: response))
            }
            if response.error?.code == .canceled { drop() }
            end = response
        }
        announceHead(ended)
    }

    /// Changes something that the consumer waits for.
    private func change(_ body: () -> Void) {
        condition.lock.lock()
        body()
        let waiting = continuation.take()
        condition.broadcast()
        condition.lock.unlock()
        waiting?.resume()
    }

    private func drop() {
        chunks = FIFO()
        tail = nil
        partial = nil
        waiting = 0
    }

    // MARK: The consumer

    /// Takes the head; nil before it has come. Throws what the task ended with before it.
    private func takeHead() throws(NetcoreError) -> Response? {
        if let head = head.take() { return head }
        if let error = end?.error { throw error }
        return nil
    }

    /// Takes the next piece.
    private func takeNext() -> (next: Next, resumes: Bool) {
        if let partial {
            self.partial = nil
            let rest = UnsafeRawBufferPointer(rebasing: partial.chunk.bytes[partial.offset...])
            // For a consumer of another kind than the one before.
            if let copy = ByteBuffer(copying: rest) { return (.chunk(copy), remove(rest.count)) }
        }
        if let chunk = chunks.popFirst() {
            if chunk === tail { tail = nil }
            return (.chunk(chunk), remove(chunk.count))
        }
        return (end.map { .end($0) } ?? .none, false)
    }

    /// So many bytes wait no longer. Returns whether the transfer is to go on.
    private func remove(_ size: Int) -> Bool {
        waiting -= size
        guard isFull, waiting <= window / 2 else { return false }
        isFull = false
        return true
    }

    /// Lets the transfer go on.
    private func resume(_ task: RequestTask?) {
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

    private func cancel(_ task: RequestTask?) {
        guard let task else { return }
        // Before the dispatch a mark is enough: the task then ends at its start.
        if let marked = task.markCanceled(), marked.isFirst, marked.state != .created {
            engine.intake.submit(.cancel(task))
        }
    }

    /// What the task ended with, once the consumer has come to the end of the body; nil before.
    package var ending: Response? { condition.lock.withLock { chunks.isEmpty && partial == nil ? end : nil } }

    package var progress: (RequestTask.State, RequestTask.Progress) {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        if let task { return (task.state, task.progress) }
        return (.finished, lastProgress ?? RequestTask.Progress(received: 0, expected: nil, sent: 0, toSend: nil))
    }

    /// Bytes that have come and were not read.
    package var waitingBytes: Int { condition.lock.withLock { waiting } }

    static let isBeingRead = NetcoreError(
        .invalidState, argument: "stream", "another call reads from it, and has not returned")

    /// Enters a call that may wait. Its caller leaves it by ``stopReading()``.
    private func startReading() throws(NetcoreError) {
        try engine.checkUsable()
        guard condition.lock.withLock({ isRead ? false : setRead() }) else { throw Self.isBeingRead }
    }

    private func setRead() -> Bool {
        isRead = true
        return true
    }

    private func stopReading() { condition.lock.withLock { isRead = false } }
}

// MARK: Consumers that block

extension ResponseStream {
    /// Waits for the head until a time. Nil when that comes first. Throws what the task ended with before it.
    package func head(until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        let deadline = try engine.checkedWait(until: deadline)
        engine.wakeNow()
        return try waitForHead(until: deadline)?.result.get()
    }

    /// The same for a head that then owns the stream, or a response with the error.
    func opening(until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        let found = try waitForHead(until: deadline)
        if let found, found.error == nil { found.streamOwner = StreamOwner(self) }
        return found
    }

    private func waitForHead(until deadline: MonotonicTime) throws(NetcoreError) -> Response? {
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while true {
            if let head = head.take() { return head }
            if hasHead { throw NetcoreError(.invalidHandle, argument: "task", "another call has the response") }
            if let end { return end }
            guard wait(until: deadline) else { return nil }
        }
    }

    /// Reads the next bytes of the body, waiting for the first until a time. Returns 0 at the end of the body, and nil when the time
    /// comes first. Throws what the task ended with.
    package func read(
        into room: UnsafeMutableRawBufferPointer, until deadline: MonotonicTime
    ) throws(NetcoreError) -> Int? {
        let deadline = try engine.checkedWait(until: deadline)
        try startReading()
        defer { stopReading() }
        // What a callback submitted waits for its end.
        if CallbackScope.isInside { engine.wakeNow() }
        condition.lock.lock()
        var size = 0
        var error: NetcoreError?
        var resumes = false
        while size < room.count {
            if let part = copyPart(into: UnsafeMutableRawBufferPointer(rebasing: room[size...])) {
                size += part.size
                if part.resumes { resumes = true }
                continue
            }
            if size > 0 { break }
            if let end {
                error = end.error
                break
            }
            guard wait(until: deadline) else {
                isAwaited = isAnnounced
                condition.lock.unlock()
                return nil
            }
        }
        let task = resumes ? task : nil
        condition.lock.unlock()
        resume(task)
        if let error { throw error }
        return size
    }

    /// Copies bytes of one chunk. Nil when there are none.
    private func copyPart(into room: UnsafeMutableRawBufferPointer) -> (size: Int, resumes: Bool)? {
        if partial == nil, let chunk = chunks.popFirst() {
            if chunk === tail { tail = nil }
            partial = (chunk, 0)
        }
        guard let (chunk, offset) = partial else { return nil }
        let size = min(room.count, chunk.count - offset)
        room.copyMemory(from: UnsafeRawBufferPointer(rebasing: chunk.bytes[offset..<(offset + size)]))
        partial = offset + size < chunk.count ? (chunk, offset + size) : nil
        return (size, remove(size))
    }

    /// Returns false when the time has come.
    private func wait(until deadline: MonotonicTime) -> Bool {
        guard deadline != .never else {
            condition.wait()
            return true
        }
        return deadline > .now && (condition.wait(until: deadline) || deadline > .now)
    }
}

// MARK: Consumers that suspend

extension ResponseStream {
    func head() async -> Result<Response, NetcoreError> {
        while true {
            do throws(NetcoreError) {
                let head = try condition.lock.withLock { () throws(NetcoreError) in try takeHead() }
                if let head { return .success(head) }
            } catch {
                return .failure(error)
            }
            await change { self.hasHead || self.end != nil }
        }
    }

    /// The next piece of the body; nil at its end. Throws what the task ended with.
    func next() async throws(NetcoreError) -> ByteBuffer? {
        try startReading()
        defer { stopReading() }
        while true {
            let (next, task) = takeOne()
            resume(task)
            switch next {
            case .chunk(let chunk): return chunk
            case .end(let response):
                if let error = response.error { throw error }
                return nil
            case .none: await change { !self.chunks.isEmpty || self.end != nil }
            }
        }
    }

    /// The next piece, and the task that is to go on, if it stood still.
    private func takeOne() -> (Next, RequestTask?) {
        condition.lock.withLock {
            let (next, resumes) = takeNext()
            return (next, resumes ? task : nil)
        }
    }

    /// Suspends until something changes, unless a condition holds.
    private func change(until isThere: () -> Bool) async {
        await withUnsafeContinuation { continuation in
            condition.lock.lock()
            let isThere = isThere()
            if !isThere { self.continuation = continuation }
            condition.lock.unlock()
            if isThere { continuation.resume() }
        }
    }
}
