internal import NetcoreHTTP
internal import NetcoreSupport

/// Consumers that suspend.
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
