internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// A download under way: what any thread may ask of it, and the thread that does the work. It reads streamed responses and writes a
/// file, so that no disk holds up the I/O thread.
package final class DownloadRun: @unchecked Sendable {  // what changes is under the condition's lock
    let client: Client
    let request: Request
    let paths: PartPaths
    let options: DownloadOptions
    /// A digest of it: keys may be long, and URLs hold secrets.
    let key: String
    private let onProgress: (@Sendable (DownloadProgress) -> Void)?
    private let condition = Condition()
    /// Of its requests under way.
    private var streams: [ResponseStream] = []
    /// One of them has something to look at.
    private var hasNews = false
    private var isCanceled = false
    /// Of its requests, where the application changed it.
    private var priority: Priority?
    private var current = DownloadProgress()

    init(
        _ client: Client, _ request: Request, to path: String, _ options: DownloadOptions,
        _ onProgress: (@Sendable (DownloadProgress) -> Void)?
    ) throws(NetcoreError) {
        try options.check()
        guard request.method == "GET" else {
            throw NetcoreError(.invalidArgument, argument: "request", "the method of a download must be GET")
        }
        for name in ["Range", "If-Range", "If-Match"] where request.hasHeader(name) {
            throw NetcoreError(.invalidArgument, argument: "request", "a download sets \(name) itself")
        }
        let built = try request.built(for: client.engine)
        self.client = client
        self.request = request
        self.options = options.taking(built.options.rules.digest)
        self.onProgress = onProgress
        paths = try onDisk { () throws(FileFailure) in try PartPaths(path) }
        var name = options.key ?? built.url.string
        key = name.withUTF8 { Digest.sha256(UnsafeRawBufferPointer($0)) }
    }

    var progressInterval: Int? { request.options.progressInterval }

    /// How far it has come.
    package var progress: DownloadProgress { condition.lock.withLock { current } }

    // MARK: The client's loop

    /// Starts the thread. False if there is none.
    func begin(_ task: RequestTask) -> Bool {
        let downloads = client.engine.downloads
        downloads.enter()
        let thread = Thread(name: "netcore-file") {
            let result = Download(self).run { progress in self.tell(progress, task) }
            task.engine.intake.submit(.run { loop in loop.complete(task, result) })
            downloads.leave()
        }
        guard let thread else {
            downloads.leave()
            return false
        }
        thread.detach()
        return true
    }

    /// It is to end soon.
    func cancel() {
        let streams = condition.lock.withLock {
            isCanceled = true
            condition.broadcast()
            return self.streams
        }
        for stream in streams { stream.cancel() }
    }

    func setPriority(_ priority: Priority) {
        let streams = condition.lock.withLock {
            self.priority = priority
            return self.streams
        }
        for stream in streams { stream.setPriority(priority) }
    }

    // MARK: Its thread

    private func tell(_ progress: DownloadProgress, _ task: RequestTask) {
        condition.lock.withLock { current = progress }
        if let onProgress {
            CallbackScope.enter()
            onProgress(progress)
            CallbackScope.leave()
        }
        task.engine.intake.submit(
            .run { loop in task.downloadDidProgress(progress.size, of: progress.total, now: loop.now) })
    }

    static let canceled = NetcoreError(.canceled, phase: .receive)

    func checkCanceled() throws(NetcoreError) {
        guard condition.lock.withLock({ !isCanceled }) else { throw Self.canceled }
    }

    /// Sends a request; a cancel reaches its response from now on.
    func open(_ request: Request) throws(NetcoreError) -> ResponseStream {
        let stream = try client.openStream(request, window: ResponseStream.defaultWindow, isOfDownload: true)
        stream.notify { [weak self] in self?.wake() }
        let (isCanceled, priority) = condition.lock.withLock {
            streams.append(stream)
            hasNews = true
            return (self.isCanceled, self.priority)
        }
        if isCanceled { stream.cancel() }
        if let priority { stream.setPriority(priority) }
        client.engine.wakeNow()
        return stream
    }

    private func wake() {
        condition.lock.withLock {
            hasNews = true
            condition.signal()
        }
    }

    func close(_ stream: ResponseStream) {
        stream.notify(nil)
        condition.lock.withLock { streams.removeAll { $0 === stream } }
        stream.abandon()
    }

    /// Waits until one of its responses has something to look at, or a time has come, unless it is canceled.
    func wait(until time: MonotonicTime) throws(NetcoreError) {
        condition.lock.lock()
        while !isCanceled, !hasNews, time > .now {
            if time == .never { condition.wait() } else { _ = condition.wait(until: time) }
        }
        hasNews = false
        condition.lock.unlock()
        try checkCanceled()
    }
}

/// The downloads of a client that have a thread.
final class RunningDownloads: Sendable {
    private let condition = Condition()
    private nonisolated(unsafe) var count = 0  // under its lock

    func enter() { condition.lock.withLock { count += 1 } }

    func leave() {
        condition.lock.withLock {
            count -= 1
            condition.broadcast()
        }
    }

    /// Waits until there are none. They were canceled before.
    func drain() {
        condition.lock.lock()
        while count > 0 { condition.wait() }
        condition.lock.unlock()
    }
}
