public import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// APIs that have something in common: defaults, a base URL, an error table, and tasks that are canceled together.
///
///     var defaults = try Request(relative: "")
///     try defaults.setBaseURL("https://api.example.com/v1")
///     defaults.timeouts.total = .seconds(10)
///     let shop = APIModule(defaults)
///
/// When the last reference goes, also of its ``APIDescription``s, tasks that have not ended are canceled.
public final class APIModule: Sendable {
    /// What each API has that does not set it itself.
    let defaults: Request?
    private let scope = TaskScope()
    private let codes = Codes()

    /// What the codes of the application's mean in this module.
    private final class Codes: @unchecked Sendable {  // under `lock`
        let lock = Lock()
        var rows: [ErrorTable.Row] = []
    }

    /// - Parameter defaults: what each API has that does not set it itself: all options, header fields, parameters, tags (those of both),
    ///   the error table (rows of both), the filter, and for a relative URL the service or base URL. Method, path and body are not used.
    public init(_ defaults: Request? = nil) { self.defaults = defaults }

    /// Tasks of its APIs that have not ended.
    public var taskCount: Int { scope.count }

    /// Cancels the tasks of its APIs that have not ended, whichever client sends them; except those of requests with a task scope of
    /// their own. Returns how many it canceled.
    @discardableResult
    public func cancel() -> Int { scope.cancel() }

    /// The same for good: tasks that its APIs make from now on end as canceled at once.
    public func close() { scope.close() }

    /// The request of an API with what the module has for it.
    func completing(_ request: Request) throws(NetcoreError) -> Request {
        var result =
            try defaults.map { (defaults) throws(NetcoreError) in try request.taking(module: defaults) } ?? request
        try register(result.errorTable)
        if result.taskScope == nil { result.taskScope = scope }
        return result
    }

    /// Refuses that a code has two messages in the module.
    private func register(_ table: ErrorTable?) throws(NetcoreError) {
        guard let table else { return }
        try codes.lock.withLock { () throws(NetcoreError) in
            for row in table.rows {
                for other in codes.rows { try ErrorTable.check(row, other) }
            }
            codes.rows += table.rows.filter { !codes.rows.contains($0) }
        }
    }
}
