public import NetcoreHTTP
package import NetcoreSupport

extension Client {
    /// Downloads to a file, which is in its place when this returns: whole, and never before.
    ///
    /// Until then the bytes are in a part beside it, named as the file with `.netcore-part` at its end. The part stays when the
    /// download is canceled, fails, or its process ends, and another download to the same path goes on where it stopped, if the server
    /// still has the same. A transfer that breaks off goes on by itself (``DownloadOptions/resumes``).
    ///
    /// - Parameters:
    ///   - request: a GET. Its total timeout is that of the whole download; of the limits on bodies only its own count. The client's
    ///     cache takes no part.
    ///   - path: of the file, in a folder that is there.
    ///   - onProgress: is called each 100 ms, or as ``Request/progressInterval`` says, and at the end, on the thread that writes.
    /// - Throws: ``NetcoreError``: `httpStatus` for an answer without a file, `integrity`, `fileExists`, `fileBusy` when another
    ///   download writes to the path, `storage`; otherwise as ``perform(_:)``.
    public func download(
        _ request: Request, to path: String, options: DownloadOptions = DownloadOptions(),
        onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws -> DownloadInfo {
        let task = try makeDownload(request, to: path, options, .none, hasID: false, onProgress: onProgress)
        let response = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                task.sink = .continuation(continuation)
                do throws(NetcoreError) {
                    try startDownload(task)
                } catch {
                    continuation.resume(returning: Response(error: error))
                }
            }
        } onCancel: {
            // Before the dispatch a mark is enough: the task then ends at its start.
            if let marked = task.markCanceled(), marked.state != .created { task.engine.intake.submit(.cancel(task)) }
        }
        task.seeEnd()
        if let error = response.error { throw error.inSurroundingTask }
        return response.download
    }

    package func makeDownload(
        _ request: Request, to path: String, _ options: DownloadOptions, _ sink: RequestTask.Sink, userData: UInt = 0,
        hasID: Bool = true, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) throws(NetcoreError) -> RequestTask {
        try engine.checkUsable()
        // Its requests go on while its own thread writes.
        try engine.startThreads()
        let run = try DownloadRun(self, request, to: path, options, onProgress)
        return try RequestTask(engine: engine, work: .download(run), sink: sink, userData: userData, hasID: hasID)
    }

    /// Dispatches a download that was just made; on failure its id is invalid again.
    package func startDownload(_ task: RequestTask) throws(NetcoreError) {
        do throws(NetcoreError) {
            try engine.intake.dispatch(task)
        } catch {
            task.releaseID()
            throw error
        }
    }

    /// Downloads, and waits until a time. When that comes first there is a task in place of the response: it has an id, and
    /// ``RequestTask/wait(until:)`` gets the response.
    package func download(
        _ request: Request, to path: String, _ options: DownloadOptions, until deadline: MonotonicTime
    ) throws(NetcoreError) -> (response: Response?, task: RequestTask?) {
        let deadline = try engine.checkedWait(until: deadline)
        let waiter = Waiter()
        return try dispatch(
            makeDownload(request, to: path, options, .waiter(waiter), hasID: false), waiter, until: deadline)
    }
}

extension Response {
    /// What became of the download that it ended.
    package var download: DownloadInfo { downloadBox?.info ?? DownloadInfo() }
}
