import Netcore

/// The main features, one after the other.
struct Tour {
    let client: Client
    let base: String

    func run() async throws {
        try await showOne()
        try await showHundred()
        try await showCancel()
        try await showGroup()
    }

    /// One request.
    func showOne() async throws {
        let response = try await client.perform(Request("GET", "\(base)/small.txt"))
        let version = response.version.map(String.init(describing:)) ?? "-"
        let size = response.withBody { $0.count }
        let type = response.headers["content-type"] ?? "-"
        let took = milliseconds(response.timings.total ?? 0)
        print("one request     \(response.status), \(version), \(size) bytes of \(type) in \(took) ms")
    }

    /// A hundred requests at once.
    func showHundred() async throws {
        let request = try Request("GET", "\(base)/small.txt")
        let start = ContinuousClock.now
        let succeeded = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 {
                group.addTask { try await client.perform(request).status }
            }
            return try await group.reduce(0) { $1 == 200 ? $0 + 1 : $0 }
        }
        print("100 at once     \(succeeded) answered 200, in \(milliseconds(ContinuousClock.now - start)) ms together")
    }

    /// A download that would take minutes, canceled by its id.
    func showCancel() async throws {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Response, NetcoreError>.self)
        let task = try client.dispatch(Request("GET", "\(base)/slow")) { outcome.yield($0) }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        client.cancel(id: task.id)
        guard case .failure(let error) = await outcomes.first(where: { _ in true }) else { return }
        let took = milliseconds(ContinuousClock.now - start)
        print("a cancel        task \(task.id) ended with \(error.code.name), \(took) ms after the call")
    }

    /// Five requests, with one notification when all have ended.
    func showGroup() async throws {
        let (notifications, notification) = AsyncStream.makeStream(of: RequestGroup.Counts.self)
        let group = try client.makeGroup()
        for _ in 0..<5 {
            try group.add(Request("GET", "\(base)/small.txt"))
        }
        try group.dispatch { notification.yield($0.progress) }
        guard let progress = await notifications.first(where: { _ in true }) else { return }
        let counts = "all \(progress.total) members had ended, \(progress.succeeded) of them well"
        print("a group         notified once \(counts)")
    }
}
