internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Sends a second try of a hop while the first is under way, and lets the better of the two be the outcome, as ``HedgeRule`` decides. It
/// stands directly below *retry*, which sees one outcome of each attempt, and above *admit*: a hedge takes a slot as any hop does.
final class HedgeStage: Stage, @unchecked Sendable {  // confined to the loop
    private unowned(unsafe) let context: StageContext
    private let timers: HedgeTimers
    private let random: () -> Double
    private let wallClock: () -> Int64
    private var states = HedgeStates()
    /// Those that are not over.
    private var hedges: [ObjectIdentifier: Hedge] = [:]
    /// Says what is tried again where a request has no policy of retries.
    private static let standard = RetryRule(unchecked: .standard)

    /// - Parameters:
    ///   - random: gives numbers of [0, 1).
    ///   - wallClock: gives seconds since 1970; nil for the client's clock.
    init(
        _ context: StageContext, _ timers: HedgeTimers, random: @escaping () -> Double = { .random(in: 0..<1) },
        wallClock: (() -> Int64)? = nil
    ) {
        self.context = context
        self.timers = timers
        self.random = random
        self.wallClock = wallClock ?? { [unowned(unsafe) context] in context.wallSeconds }
        super.init()
        timers.due = { [unowned self] in due($0) }
    }

    private var milliseconds: Int64 { Int64(context.now.microseconds / 1000) }

    private func with<Result>(
        _ exchange: Exchange, _ terms: HedgeTerms, _ body: (inout HedgeState) -> Result
    ) -> Result {
        states.with(exchange.hop.url.origin, terms.policy, now: milliseconds, body)
    }

    private func retries(of exchange: Exchange) -> RetryRule { exchange.request.retryRule ?? Self.standard }

    // MARK: The first try

    override func down(_ exchange: Exchange) -> Descent {
        guard let terms = exchange.request.hedging, !exchange.isHedge else { return .next }
        exchange.hedgeDelay = mayHedge(exchange) ? with(exchange, terms) { $0.delay(now: milliseconds) } : nil
        return .next
    }

    /// A task has one hedge at most.
    private func mayHedge(_ exchange: Exchange) -> Bool {
        exchange.hedge == nil && !exchange.isValidation && !exchange.request.form.hasStreamedBody
            && exchange.hop.mayRepeat(retries(of: exchange).policy)
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        if exchange.isHedge {
            if let hedge = exchange.hedge { ended(hedge, result) }
            // Its answer is the other exchange's now, or of no use.
            exchange.isEnded = true
            return .hold
        }
        guard let terms = exchange.request.hedging else { return .next }
        if exchange.isGivenUp, let hedge = exchange.hedge, mayGiveUp(hedge, result) {
            noteLatency(exchange, terms)
            exchange.noteTry(result, .hedged)
            exchange.hop.transfer = hedge.exchange?.hop.transfer
            hedge.failure = result
            return .hold
        }
        exchange.isGivenUp = false
        return decide(exchange, terms, result)
    }

    /// Whether the first try ended because its hedge has won, or meanwhile: not by a cancel of the task's.
    private func mayGiveUp(_ hedge: Hedge, _ result: Response) -> Bool {
        hedge.state != .over && (hedge.isGivingUpFirst || result.error?.code != .canceled)
    }

    private func decide(_ exchange: Exchange, _ terms: HedgeTerms, _ result: Response) -> Ascent {
        let isOwn = !exchange.isCanceled && result.error?.code != .canceled && !exchange.hasShownHead
        guard isOwn, result.error?.phase != .queue else {
            if exchange.hasShownHead, result.error == nil { with(exchange, terms) { $0.succeeded() } }
            cancelHedge(of: exchange)
            return .next
        }
        let end = self.end(of: exchange, result)
        switch HedgeRule.first(end, standing(of: exchange), longestWait: longestWait(exchange)) {
        case .wait:
            exchange.tries.stop(context.now)
            exchange.hedge?.failure = result
            return .hold
        case .hedge(let wait) where with(exchange, terms, { $0.draw() }):
            plan(exchange, after: wait, result)
            return .hold
        case .decide, .fail, .hedge:
            if end == .answer { noteAnswer(exchange, terms, result) }
            cancelHedge(of: exchange)
            return .next
        }
    }

    private func standing(of exchange: Exchange) -> HedgeRule.Hedge {
        switch exchange.hedge?.state {
        case nil: exchange.hedgeDelay == nil ? .none : .possible
        case .due, .underWay, .hasWon: .inFlight
        case .over: .failed
        }
    }

    private func longestWait(_ exchange: Exchange) -> Int64 {
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let left = end.map { Int64($0.microseconds(since: context.now) / 1000) } ?? .max
        return min(retries(of: exchange).policy.maximumRetryAfter.milliseconds, left)
    }

    private func end(of exchange: Exchange, _ result: Response) -> HedgeRule.End {
        let outcome = result.error.map { .failure($0.code) } ?? RetryRule.Outcome.answer(status: result.status)
        var attempt = RetryRule.Attempt(number: 1, outcome: outcome)
        if result.error == nil, result.status >= 400, let fields = result.fieldBlock {
            attempt.retryAfter = fields.index(of: "retry-after").flatMap {
                RetryAfter.parse(fields.value(at: $0), now: wallClock())
            }
        }
        return HedgeRule.End(attempt, retries(of: exchange))
    }

    private func noteLatency(_ exchange: Exchange, _ terms: HedgeTerms) {
        guard let began = exchange.tries.began else { return }
        with(exchange, terms) { $0.note(microseconds: context.now.microseconds(since: began), now: milliseconds) }
    }

    private func noteAnswer(_ exchange: Exchange, _ terms: HedgeTerms, _ result: Response) {
        noteLatency(exchange, terms)
        if result.status < 500 { with(exchange, terms) { $0.succeeded() } }
    }

    // MARK: Sending a hedge

    /// After a failure of the first try; what the hedge costs has been drawn.
    private func plan(_ exchange: Exchange, after wait: Int64, _ failure: Response) {
        let hedge = makeHedge(exchange)
        exchange.tries.stop(context.now)
        hedge.failure = failure
        exchange.hedgeTimer = timers.add(exchange, at: context.now.adding(milliseconds: Int(wait)))
        if let time = timers.newWake() { context.wake(self, at: time) }
    }

    private func makeHedge(_ exchange: Exchange) -> Hedge {
        let hedge = Hedge(
            exchange, head: { [unowned self] in headShown($0) }, done: { [unowned self] in ended($0, $1) })
        exchange.hedge = hedge
        hedges[ObjectIdentifier(hedge)] = hedge
        return hedge
    }

    override func wake() {
        timers.act(context.now)
        if let time = timers.newWake() { context.wake(self, at: time) }
    }

    private func due(_ exchange: Exchange) {
        if let hedge = exchange.hedge { return send(hedge) }
        guard let terms = exchange.request.hedging, !exchange.isCanceled, !exchange.hasShownHead,
            with(exchange, terms, { $0.draw() })
        else { return }
        send(makeHedge(exchange))
    }

    private func send(_ hedge: Hedge) {
        guard hedge.state == .due, let first = hedge.first else { return }
        let moved = otherService(than: first)
        let exchange = first.beside(hedge, moved)
        hedge.begin(exchange)
        context.client.counters.hedges.add()
        let waited = first.tries.began.map { context.now.microseconds(since: $0) } ?? 0
        first.report(.hedge, hedge.failure, value: waited * 1000)
        if moved == nil {
            context.start(exchange, below: self)
        } else {
            context.goOnAnew(exchange)
        }
    }

    /// How the hedge comes to another service, which may take the place of the one that was asked: where there is a policy of failover.
    private func otherService(than first: Exchange) -> (hop: Hop, unfiltered: UnfilteredRequest?)? {
        guard let route = first.route, route.counts else { return nil }
        let now = milliseconds
        let breakers = context.client.breakers
        let service = context.client.settings.snapshot.values.service(after: route.place, random: random()) {
            breakers.wait($0.origin, now: now) == 0
        }
        return service.flatMap { try? first.moved(to: route.leading(to: $0)) }
    }

    // MARK: What comes of it

    /// A hedge has ended: up to here, or above, where it went to another service.
    private func ended(_ hedge: Hedge, _ result: Response) {
        hedge.end = result
        guard hedge.state != .over, let first = hedge.first, let exchange = hedge.exchange else { return }
        let decision = HedgeRule.hedge(end(of: exchange, result), isFirstInFlight: hedge.failure == nil)
        if hedge.state == .hasWon || decision == .decide && !first.hasShownHead {
            return win(hedge, first, exchange, result)
        }
        list(exchange, result, in: first)
        let failure = hedge.failure
        finish(hedge)
        if let failure { context.end(first, failure) }
    }

    /// The exchange goes on with the hedge's answer.
    private func win(_ hedge: Hedge, _ first: Exchange, _ exchange: Exchange, _ result: Response) {
        if hedge.failure == nil { giveUp(first, hedge) }
        first.noteTry(hedge.failure ?? result, .hedged)
        hedge.handOverProgress(to: first.owner, context.now)
        finish(hedge)
        first.isGivenUp = false
        first.takeOver(exchange)
        if result.error == nil {
            context.client.counters.hedgeWins.add()
            if result.status < 500, let terms = first.request.hedging { with(first, terms) { $0.succeeded() } }
        }
        context.end(first, result)
    }

    /// Cancels the first try, which is under way; the exchange then stands here.
    private func giveUp(_ first: Exchange, _ hedge: Hedge) {
        first.isGivenUp = true
        hedge.isGivingUpFirst = true
        context.abandon(first, NetcoreError(.canceled, phase: .queue))
        hedge.isGivingUpFirst = false
    }

    /// The head of a hedge's answer was shown. Within a callback of the transport's nothing may be canceled.
    private func headShown(_ hedge: Hedge) {
        context.post { [weak self] in
            guard let self, hedge.state == .hasWon, hedge.failure == nil, let first = hedge.first else { return }
            giveUp(first, hedge)
        }
    }

    /// The head of the first try's answer was shown.
    override func sink(for exchange: Exchange, _ head: Response, _ consumer: any BodySink) -> any BodySink {
        guard !exchange.isHedge, let terms = exchange.request.hedging else { return consumer }
        noteLatency(exchange, terms)
        if exchange.hedge != nil {
            context.post { [weak self, exchange] in self?.cancelHedge(of: exchange) }
        }
        return consumer
    }

    /// A failure for which a hedge is sent, or waited for, is not streamed.
    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        guard exchange.request.options.isStreamed, exchange.request.hedging != nil,
            exchange.isHedge || standing(of: exchange) == .possible || standing(of: exchange) == .inFlight,
            retries(of: exchange).policy.statuses.contains(status)
        else { return .passes }
        return .mayReplace
    }

    /// The exchange ends without it.
    private func cancelHedge(of first: Exchange) {
        guard let hedge = first.hedge, hedge.state != .over else { return }
        timers.remove(first)
        hedge.failure = nil
        guard let exchange = hedge.exchange else { return finish(hedge) }
        hedge.cancel()
        context.abandon(exchange, NetcoreError(.canceled, phase: .queue))
        let end = hedge.end ?? Response(error: NetcoreError(.canceled))
        list(exchange, end, in: first, isCanceled: first.owner.isCanceled)
        finish(hedge)
    }

    private func list(_ exchange: Exchange, _ result: Response, in first: Exchange, isCanceled: Bool = false) {
        exchange.noteTry(result, isCanceled ? .canceled : .hedged)
        first.list(exchange)
    }

    private func finish(_ hedge: Hedge) {
        hedges[ObjectIdentifier(hedge)] = nil
        hedge.finish()
    }

    /// The first try has ended, and its exchange stands here until the hedge has ended, too, or is sent.
    override func abandon(_ exchange: Exchange) -> Response? {
        let hedge = exchange.hedge
        if let failure = hedge?.failure { exchange.noteTry(failure, .hedged) }
        let isStreaming = hedge?.state == .hasWon
        cancelHedge(of: exchange)
        exchange.isGivenUp = false
        return isStreaming ? hedge?.end : nil
    }

    override func close() {
        for hedge in hedges.values { hedge.finish() }
        hedges = [:]
        timers.close()
    }
}
