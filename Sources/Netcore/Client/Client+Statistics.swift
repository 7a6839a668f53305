public import NetcoreHTTP
internal import NetcoreSupport
internal import Synchronization

extension Client {
    /// What a client has done since it was made, and what it is doing. Each number is right by itself; they are not read at one moment.
    public struct Statistics: Sendable, Hashable {
        /// Tasks that have not ended, and those of them that wait for their first transfer.
        public let tasks: Int
        public let queuedTasks: Int
        /// Tasks that ended with a complete response, whatever its status code; with an error; and canceled. One that a fresh answer in
        /// memory ended at once is in none of them.
        public let succeeded: Int
        public let failed: Int
        public let canceled: Int
        /// Attempts on the network, those of ``RetryPolicy`` among them.
        public let attempts: Int
        public let retries: Int
        /// Retries that did not take place since the budget of their origin had no token.
        public let budgetRefusals: Int
        /// Requests that breakers refused.
        public let breakerRefusals: Int
        /// Switches from one service to another by ``FailoverPolicy``.
        public let failovers: Int
        /// Hedges that were sent (``HedgePolicy``), and those of them whose answer was taken. They are no attempts.
        public let hedges: Int
        public let hedgeWins: Int
        /// Bytes of bodies, as transferred.
        public let bytesSent: Int
        public let bytesReceived: Int
    }

    /// How the client does.
    public var statistics: Statistics {
        let counters = engine.parts.counters
        return Statistics(
            tasks: engine.intake.taskCount, queuedTasks: engine.intake.queuedCount,
            succeeded: counters.succeeded.value, failed: counters.failed.value, canceled: counters.canceled.value,
            attempts: counters.attempts.value, retries: counters.retries.value,
            budgetRefusals: counters.budgetRefusals.value, breakerRefusals: counters.breakerRefusals.value,
            failovers: counters.failovers.value, hedges: counters.hedges.value, hedgeWins: counters.hedgeWins.value,
            bytesSent: counters.bytesSent.value,
            bytesReceived: counters.bytesReceived.value)
    }

    /// Milliseconds since 1970-01-01 UTC, by the client's clock.
    package var wallMilliseconds: Int64 { (engine.parts.clock?.timestamp ?? .now).wall }

    /// The budgets of retries that are not full, sorted by origin.
    public var retryBudgets: [RetryBudgetInfo] { engine.parts.budgets.infos(now: engine.parts.now) }
}

/// What a client counts. Its loop is the only one that adds; any thread reads.
final class ClientCounters: Sendable {
    let succeeded = Counter()
    let failed = Counter()
    let canceled = Counter()
    let attempts = Counter()
    let retries = Counter()
    let budgetRefusals = Counter()
    let breakerRefusals = Counter()
    let failovers = Counter()
    let hedges = Counter()
    let hedgeWins = Counter()
    let bytesSent = Counter()
    let bytesReceived = Counter()

    /// A number that one thread at a time adds to: a load and a store, no locked instruction.
    struct Counter: ~Copyable, Sendable {
        private let sum = Atomic<Int>(0)

        func add(_ count: Int = 1) { sum.store(sum.load(ordering: .relaxed) &+ count, ordering: .relaxed) }

        var value: Int { sum.load(ordering: .relaxed) }
    }

    func countEnd(_ error: NetcoreError.Code?) {
        switch error {
        case nil: succeeded.add()
        case .canceled: canceled.add()
        default: failed.add()
        }
    }
}

/// The budgets of retries of a client. For any thread: the loop uses them, and the application reads them.
final class BudgetStates: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var budgets = RetryBudgets()

    func with<Result>(_ body: (inout RetryBudgets) -> Result) -> Result { lock.withLock { body(&budgets) } }

    func infos(now: MonotonicTime) -> [RetryBudgetInfo] { with { $0.infos(now: Int64(now.microseconds / 1000)) } }
}
