internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// The way down the list of stages and up again. Confined to the client's loop.
final class Pipeline {
    private let stages: [Stage]
    /// The same, as they are passed.
    private let way: [Unmanaged<Stage>]
    private var holds = Holds()
    /// What stages asked for while something is under way: by the number of the stage.
    private var wakes = DeadlineHeap()
    /// The same for what is to be done in any case.
    private var plans = DeadlineHeap()

    init(_ stages: [Stage], _ context: StageContext) {
        self.stages = stages
        way = stages.map { .passUnretained($0) }
        context.pipeline = self
    }

    /// From the top.
    func start(_ exchange: Exchange) {
        release(exchange)
        descend(exchange, from: 0)
    }

    /// From below a stage.
    func start(_ exchange: Exchange, below stage: Stage) {
        guard let index = stages.firstIndex(where: { $0 === stage }) else { return }
        descend(exchange, from: index + 1)
    }

    /// Lets a held exchange go on, as its stage decides by now.
    func goOn(_ exchange: Exchange, _ decide: () -> Descent) {
        release(exchange)
        exchange.reportWaitEnd()
        switch decide() {
        case .next: descend(exchange, from: exchange.place.index + 1)
        case .hold: exchange.place.isAscending = false
        case .end(let result): ascend(exchange, result, from: exchange.place.index)
        }
    }

    /// Ends what a held exchange waited for: takes this answer up.
    func end(_ exchange: Exchange, _ result: Response) {
        release(exchange)
        exchange.reportWaitEnd()
        ascend(exchange, result, from: exchange.place.index - (exchange.place.isAscending ? 1 : 0))
    }

    /// Ends a held exchange before its time.
    func abandon(_ exchange: Exchange, _ error: NetcoreError) {
        let result = stages[exchange.place.index].abandon(exchange) ?? Response()
        // What the stage says of the same end, it says better.
        if result.error?.code != error.code {
            result.error = error
        } else if let cause = error.cancelCause, cause != .application {
            result.error?.cancelCause = cause
            result.error?.message = error.message
        }
        end(exchange, result)
    }

    /// Gives an exchange another priority, where it stands.
    func setPriority(_ exchange: Exchange, _ priority: Priority) {
        guard !exchange.isEnded, exchange.priority != priority else { return }
        stages[exchange.place.index].setPriority(exchange) { exchange.priority = priority }
    }

    /// What the stages will do with an answer whose head has come: the most that one of them will.
    func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        var result = Foresight.passes
        for stage in stages {
            let one = stage.foresee(exchange, status, fields)
            if one.rawValue > result.rawValue { result = one }
        }
        return result
    }

    /// Where a streamed body goes.
    func sink(for exchange: Exchange, _ head: Response, _ consumer: any BodySink) -> any BodySink {
        stages.reduce(consumer) { $1.sink(for: exchange, head, $0) }
    }

    func limitsDidChange() {
        for stage in stages { stage.limitsDidChange() }
    }

    /// Whether something that a stage holds waits for the application.
    var isBusy: Bool { stages.contains { $0.isBusy } }

    func close() {
        for stage in stages { stage.close() }
    }

    // MARK: Holds

    /// When a thread has to drive if nothing is under way.
    var nextPlan: MonotonicTime { plans.next }

    /// When ``expire(_:)`` has something to do.
    var nextDeadline: MonotonicTime { min(holds.deadline, wakes.next, nextPlan) }

    /// Ends those that were held too long, and goes on with those that waited for the time.
    func expire(_ now: MonotonicTime) {
        while let (exchange, error) = holds.popDue(now) {
            if let error { abandon(exchange, error) } else { goOn(exchange) { .next } }
        }
        while let wake = wakes.popDue(now) { stages[wake.id].wake() }
        while let plan = plans.popDue(now) { stages[plan.id].wake() }
    }

    /// Returns the number of the hold.
    func hold(_ exchange: Exchange, until deadline: MonotonicTime?, _ error: NetcoreError) -> Int {
        guard let deadline else { return hold(exchange) }
        exchange.place.hold = holds.add(exchange, until: deadline, error)
        return exchange.place.hold
    }

    /// Goes on below the stage that holds it at a time.
    func goOn(_ exchange: Exchange, at time: MonotonicTime) {
        exchange.place.hold = holds.add(exchange, until: time, nil)
    }

    func hold(_ exchange: Exchange) -> Int {
        exchange.place.hold = holds.next()
        return exchange.place.hold
    }

    func wake(_ stage: Stage, at time: MonotonicTime) {
        if let entry = entry(of: stage, time) { wakes.insert(entry) }
    }

    func plan(_ stage: Stage, at time: MonotonicTime) {
        if let entry = entry(of: stage, time) { plans.insert(entry) }
    }

    private func entry(of stage: Stage, _ time: MonotonicTime) -> DeadlineHeap.Entry? {
        stages.firstIndex { $0 === stage }.map { DeadlineHeap.Entry(time: time, id: $0) }
    }

    func release(_ exchange: Exchange) {
        guard exchange.place.hold != 0 else { return }
        holds.remove(exchange.place.hold)
        exchange.place.hold = 0
    }

    // MARK: The way

    private func descend(_ exchange: Exchange, from first: Int) {
        for index in first..<stages.count {
            switch way[index]._withUnsafeGuaranteedRef({ $0.down(exchange) }) {
            case .next: continue
            case .hold:
                exchange.place.index = index
                exchange.place.isAscending = false
                return
            case .end(let result): return ascend(exchange, result, from: index)
            }
        }
    }

    private func ascend(_ exchange: Exchange, _ result: Response, from last: Int) {
        var index = last
        while index >= 0 {
            switch way[index]._withUnsafeGuaranteedRef({ $0.up(exchange, result) }) {
            case .next: index -= 1
            case .again: return descend(exchange, from: index + 1)
            case .anew: return descend(exchange, from: 0)
            case .hold:
                exchange.place.index = index
                exchange.place.isAscending = true
                return
            }
        }
        exchange.isEnded = true
        exchange.owner.exchangeDidEnd(result)
    }
}
