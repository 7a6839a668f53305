internal import NetcoreHTTP
internal import NetcoreSupport

/// Lets hops through as the rates of the client allow: its own, and those of hosts, tags and keys. What waits is in the line of one rate
/// that is not ready for it. It stands below *retry*, so that each attempt counts, and above *admit*: what waits here has no slot.
final class RateStage: Stage {
    private unowned(unsafe) let context: StageContext
    private let wallClock: () -> Int64
    private var rates: [RateScope: Rate] = [:]
    private var generation: UInt64?
    private var limiters: [RateScope: Limiter] = [:]
    /// Those with a line.
    private var busy: [RateScope: Limiter] = [:]
    private var sweepAt = few
    private static let few = 256
    private var plannedWake = MonotonicTime.never

    /// - Parameter wallClock: gives seconds since 1970; nil for the client's clock.
    init(_ context: StageContext, wallClock: (() -> Int64)? = nil) {
        self.context = context
        self.wallClock = wallClock ?? { [unowned(unsafe) context] in context.wallSeconds }
    }

    /// How many rates are at work.
    var limiterCount: Int { limiters.count }

    private var now: Int { context.now.microseconds * 1000 }

    // MARK: Down

    override func down(_ exchange: Exchange) -> Descent {
        guard context.client.settings.hasRates else { return .next }
        let now = now
        let limiters = limiters(for: exchange, now)
        guard !limiters.isEmpty else { return .next }
        exchange.limiters = limiters
        guard let blocking = limiters.first(where: { $0.line.count > 0 || !$0.isReady(now) }) else {
            for limiter in limiters { limiter.take(now) }
            exchange.hasTakenRates = true
            return .next
        }
        return wait(exchange, blocking, now)
    }

    private func wait(_ exchange: Exchange, _ limiter: Limiter, _ now: Int) -> Descent {
        let time = exchange.limiters.map { $0.time(now, ahead: $0.line.count) }.max() ?? 0
        let bound = bound(exchange)
        if let bound, time > bound || bound == 0 {
            exchange.limiters = []
            return .end(Response(error: Self.refusal(time)))
        }
        if exchange.times.started != nil { exchange.times.enterQueue(context.now) }
        enter(exchange, limiter)
        let end = bound.map { context.now.adding(microseconds: $0 / 1000) }
        _ = context.hold(exchange, until: end, else: Self.refusal(0))
        planWake(now)
        exchange.reportWait(.rate)
        return .hold
    }

    /// How long it may wait; nil for as long as it takes.
    private func bound(_ exchange: Exchange) -> Int? {
        let total = exchange.request.options.timeouts.total
        let own = exchange.limiters.compactMap { $0.rate.maximumWait.map { Int($0.milliseconds) } }.min()
        let least = min(own ?? .max, total > 0 ? total : .max)
        return least == .max ? nil : least * 1_000_000
    }

    private static func refusal(_ nanoseconds: Int) -> NetcoreError {
        var error = NetcoreError(.rateLimited, "more requests than the client's rate allows", phase: .queue)
        error.retryAfter = .milliseconds(max((nanoseconds + 999_999) / 1_000_000, 1))
        return error
    }

    private func enter(_ exchange: Exchange, _ limiter: Limiter) {
        exchange.waitsFor = limiter
        limiter.line.add(exchange, since: exchange.times.dispatched.microseconds)
        busy[limiter.scope] = limiter
    }

    // MARK: Up

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard !exchange.limiters.isEmpty else { return .next }
        let limiters = exchange.limiters
        exchange.limiters = []
        guard exchange.hasTakenRates else { return .next }
        exchange.hasTakenRates = false
        let now = now
        for limiter in limiters { limiter.end(now) { hint(result) } }
        for limiter in limiters where limiter.line.count > 0 { release(limiter, now) }
        planWake(now)
        return .next
    }

    private func hint(_ result: Response) -> RateHint? {
        guard let fields = result.fieldBlock else { return nil }
        return RateHint.parse(status: result.status, { Headers(fields)[$0] }, now: wallClock())
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        guard let limiter = exchange.waitsFor.take() else { return nil }
        limiter.line.remove(exchange)
        exchange.limiters = []
        return Response(error: Self.refusal(limiter.time(now, ahead: limiter.line.count)))
    }

    // MARK: Those that wait

    override func setPriority(_ exchange: Exchange, _ set: () -> Void) {
        guard let limiter = exchange.waitsFor else { return set() }
        limiter.line.remove(exchange)
        set()
        enter(exchange, limiter)
    }

    override func limitsDidChange() { wake() }

    override func wake() {
        plannedWake = .never
        let now = now
        takeSettings(now)
        for limiter in Array(busy.values) { release(limiter, now) }
        planWake(now)
    }

    /// Lets those go that a rate, and all others of theirs, are ready for.
    private func release(_ limiter: Limiter, _ now: Int) {
        while limiter.isReady(now), let exchange = limiter.line.popFirst(now: now / 1000) {
            exchange.waitsFor = nil
            if let other = exchange.limiters.first(where: { !$0.isReady(now) }) {
                enter(exchange, other)
                continue
            }
            for limiter in exchange.limiters { limiter.take(now) }
            exchange.hasTakenRates = true
            exchange.times.leaveQueue(context.now)
            context.goOn(exchange)
        }
        if limiter.line.count == 0 { busy[limiter.scope] = nil }
    }

    private func planWake(_ now: Int) {
        guard let next = busy.values.compactMap({ $0.nextTurn(now) }).min() else { return }
        let time = MonotonicTime(microseconds: (max(next, now + 1000) + 999) / 1000)
        guard time < plannedWake else { return }
        plannedWake = time
        context.plan(self, at: time)
    }

    // MARK: Rates

    private func takeSettings(_ now: Int) {
        let settings = context.client.settings
        guard generation != settings.generation else { return }
        generation = settings.generation
        rates = settings.current.rates
        for limiter in limiters.values {
            if let rate = rate(for: limiter.scope) { limiter.change(to: rate, now) } else { limiter.lift() }
        }
    }

    private func rate(for scope: RateScope) -> Rate? {
        if let own = rates[scope] { return own }
        return switch scope {
        case .client, .tag: nil
        case .host: rates[.host(nil)]
        case .key: rates[.key(nil)]
        }
    }

    private func limiters(for exchange: Exchange, _ now: Int) -> [Limiter] {
        takeSettings(now)
        let options = exchange.request.options
        var scopes: [RateScope] = [.client, .host(exchange.hop.url.origin)]
        scopes += options.tags.map { .tag($0) }
        if let key = options.rateKey { scopes.append(.key(key)) }
        return scopes.compactMap { scope in
            guard let rate = rate(for: scope) else { return nil }
            if let limiter = limiters[scope] { return limiter }
            sweep(now)
            let limiter = Limiter(scope, rate)
            limiters[scope] = limiter
            return limiter
        }
    }

    /// Forgets those that say no more than new ones would, when there are many.
    private func sweep(_ now: Int) {
        guard limiters.count >= sweepAt else { return }
        limiters = limiters.filter { !$0.value.isIdle(now) }
        sweepAt = max(Self.few, limiters.count * 2)
    }
}
