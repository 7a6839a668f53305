internal import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

/// Writes a log message for the beginning and the end of each task, if the application asks for it. For any thread.
final class RequestLog: Sendable {
    private let isOn = Atomic<Bool>(false)

    func set(_ on: Bool) { isOn.store(on, ordering: .relaxed) }

    func noteBegin(_ task: RequestTask) {
        guard isOn.load(ordering: .relaxed), let request = task.work.request else { return }
        write(request, "began", task.engine)
    }

    func noteEnd(_ task: RequestTask, _ result: Response) {
        guard isOn.load(ordering: .relaxed), let request = task.work.request else { return }
        write(request, Self.ending(result), task.engine)
    }

    /// It was answered by what the cache has in memory.
    func noteFresh(_ request: BuiltRequest, _ response: Response, _ engine: Engine) {
        if isOn.load(ordering: .relaxed) { write(request, Self.ending(response), engine) }
    }

    private static func ending(_ result: Response) -> String {
        guard let error = result.error else {
            return "ended with \(result.status)\(result.cacheResult.isFromCache ? " from the cache" : "")"
        }
        return error.code == .canceled ? "was canceled" : "failed with \(error.code.name): \(error.code.summary)"
    }

    private func write(_ request: BuiltRequest, _ what: String, _ engine: Engine) {
        let count = engine.intake.taskCount
        let tasks = count == 1 ? "1 task has" : "\(count) tasks have"
        Log.debug("client \(engine.number): \(request.method) \(request.url.display) \(what); \(tasks) not ended")
    }
}

extension Client {
    /// Writes a log message at the beginning and the end of each task from now on, for debugging: with method and URL without its
    /// query, how it ended, and how many tasks of the client have not ended. Off by default.
    public func setLogsRequests(_ on: Bool) { engine.parts.requestLog.set(on) }
}
