package import NetcoreHTTP
package import NetcoreSupport

/// Consumers that block.
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
            guard wait(until: deadline, for: { head != nil || hasHead || end != nil }) else { return nil }
        }
    }

    /// Reads the next bytes of the body, waiting for the first until a time. Returns 0 at the end of the body, and nil when the time
    /// comes first. Throws what the task ended with.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, until deadline: MonotonicTime
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
        while size < buffer.count {
            if let part = takePart(atMost: buffer.count - size) {
                // Not under the lock, which the client's loop needs for what comes next.
                condition.lock.unlock()
                part.bytes.withBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[size...]).copyMemory(from: $0) }
                condition.lock.lock()
                size += part.bytes.count
                if part.resumes { resumes = true }
                // What came at the end, perhaps from a cache, is not of the stream's making; then nothing is taken back.
                if part.bytes.isLast { recycle(part.bytes.chunk) }
                continue
            }
            if size > 0 { break }
            if let end {
                error = end.error
                break
            }
            room = (buffer, 0)
            let hasCome = awaitMore(until: deadline)
            size = room?.filled ?? 0
            room = nil
            guard hasCome || size > 0 else {
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

    /// Waits until there is something to read, until a time. Returns the number of bytes that wait, 0 at the end of the body, and nil
    /// when the time comes first. Throws what the task ended with.
    package func waitForBytes(until deadline: MonotonicTime) throws(NetcoreError) -> Int? {
        let deadline = try engine.checkedWait(until: deadline)
        try startReading()
        defer { stopReading() }
        if CallbackScope.isInside { engine.wakeNow() }
        condition.lock.lock()
        defer { condition.lock.unlock() }
        while waiting == 0 {
            if let end {
                if let error = end.error { throw error }
                return 0
            }
            guard awaitMore(until: deadline) else { return nil }
        }
        return waiting
    }

    /// The next piece as it is, waiting for it until a time.
    func nextChunk(until deadline: MonotonicTime) throws(NetcoreError) -> Next {
        let deadline = try engine.checkedWait(until: deadline)
        try startReading()
        defer { stopReading() }
        if CallbackScope.isInside { engine.wakeNow() }
        condition.lock.lock()
        while true {
            let (next, resumes) = takeNext()
            if case .none = next, awaitMore(until: deadline) { continue }
            let task = resumes ? task : nil
            condition.lock.unlock()
            resume(task)
            if case .end(let response) = next, let error = response.error { throw error }
            return next
        }
    }

    /// Waits for more; returns false when the time has come, and asks to be notified then.
    private func awaitMore(until deadline: MonotonicTime) -> Bool {
        isAwaitedNow = true
        defer { isAwaitedNow = false }
        if wait(until: deadline, for: { waiting > 0 || room?.filled ?? 0 > 0 || end != nil }) { return true }
        isAwaited = isAnnounced
        return false
    }

    /// Takes bytes of one chunk. Nil when there are none.
    private func takePart(atMost room: Int) -> (bytes: Part, resumes: Bool)? {
        if partial == nil, let chunk = popChunk() { partial = (chunk, 0) }
        guard let (chunk, offset) = partial else { return nil }
        let size = min(room, chunk.count - offset)
        let isLast = offset + size == chunk.count
        partial = isLast ? nil : (chunk, offset + size)
        return (Part(chunk: chunk, offset: offset, count: size, isLast: isLast), remove(size))
    }

    private struct Part {
        let chunk: ByteBuffer
        let offset: Int
        let count: Int
        /// Nothing of the chunk is left.
        let isLast: Bool

        func withBytes(_ read: (UnsafeRawBufferPointer) -> Void) {
            withExtendedLifetime(chunk) {
                read(UnsafeRawBufferPointer(rebasing: chunk.bytes[offset..<(offset + count)]))
            }
        }
    }

    /// Waits by driving the client's loop, if no other thread does. Returns false when the time has come.
    ///
    /// - Parameter hasCome: whether what is waited for is there; under the lock.
    private func wait(until deadline: MonotonicTime, for hasCome: () -> Bool) -> Bool {
        guard deadline > .now, Fork.count == engine.forkCount else { return false }
        // Downloads have a thread of netcore's, which writes while the I/O thread receives.
        if let task, !task.isOfDownload {
            drive(until: deadline, for: task, hasCome)
            return true
        }
        guard deadline != .never else {
            condition.wait()
            return true
        }
        return condition.wait(until: deadline) || deadline > .now
    }

    /// Gives up the lock meanwhile.
    private func drive(until deadline: MonotonicTime, for task: RequestTask, _ hasCome: () -> Bool) {
        // Who takes long with what was read is served better by a thread that receives meanwhile.
        let takesOver = lastWait.adding(microseconds: ClientLoop.absence) > .now
        condition.lock.unlock()
        engine.driver.drive(
            until: deadline, or: Bystander(condition, task: task, takesOver: takesOver), isOver: hasCome)
        condition.lock.lock()
        lastWait = .now
    }

    /// Drives the loop, which the calling thread has taken, until the head has come, or a time.
    func driveToHead(until deadline: MonotonicTime) {
        engine.driver.drive(until: deadline, for: condition.lock.withLock { task }) { _ in
            condition.lock.withLock { hasHead || end != nil }
        }
        condition.lock.withLock { lastWait = .now }
    }
}
