internal import NetcoreHTTP
internal import NetcoreSupport

/// Keeps equal requests apart by a minimum interval: one that comes too soon is refused, or waits. It stands below the cache, whose
/// answers count nothing, and above *retry*: attempts and redirects of one task are one request.
final class IntervalStage: Stage {
    private unowned(unsafe) let context: StageContext
    private var table = IntervalTable()
    private var isToBeCleaned = false

    init(_ context: StageContext) { self.context = context }

    override func down(_ exchange: Exchange) -> Descent {
        guard let policy = exchange.request.options.minimumInterval, !exchange.hasPassedInterval, !exchange.isValidation
        else { return .next }
        exchange.hasPassedInterval = true
        let key = exchange.request.intervalKey
        let now = context.now.microseconds
        let due = table.due(key, now: now) ?? now
        let wait = due - now
        if let error = policy.refusal(wait, total: exchange.request.options.timeouts.total) {
            return .end(Response(error: error))
        }
        table.note(key, at: due, interval: policy.microseconds, now: now)
        planCleaning()
        guard wait > 0 else { return .next }
        exchange.intervalTurn = due
        context.goOn(exchange, at: MonotonicTime(microseconds: due))
        exchange.reportWait(.interval)
        return .hold
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        guard let due = exchange.intervalTurn, let policy = exchange.request.options.minimumInterval else { return nil }
        table.takeBack(exchange.request.intervalKey, at: due, interval: policy.microseconds)
        return nil
    }

    // MARK: Cleaning

    override func wake() {
        isToBeCleaned = false
        table.clean(now: context.now.microseconds)
        planCleaning()
    }

    private func planCleaning() {
        guard !isToBeCleaned, let time = table.nextCleaning else { return }
        isToBeCleaned = true
        context.plan(self, at: MonotonicTime(microseconds: time))
    }
}
