@testable import Netcore
import NetcoreHTTP
import NetcoreSupport

/// One random sequence of what a cache goes through, each answer of which the reference judges.
struct ModelRun {
    /// A request on its way to the origin.
    private struct Flight {
        let ask: ModelAsk
        let query: CacheQuery
        var fetch: CacheFetch
        var outcome: ModelOrigin.Outcome
        var begin: Int
        /// When its answer comes, in further steps.
        var steps: Int
    }

    /// What seldom comes together has sequences of its own: the parts of one resource; slow answers to the same request;
    /// one resource that changes often, and what it depends on with it.
    private enum Theme {
        case any, parts, slowness, change
    }

    private final class Log {
        var lines: [String] = []
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var random: ModelRandom
    private let clock = ModelClock()
    private var origin: ModelOrigin
    private(set) var reference: ModelReference
    private var options = Cache.Options()
    private var cache: Cache
    private var flights: [Flight] = []
    private let log: Log?
    private let jumps: Bool
    private let theme: Theme

    init(seed: UInt64, folder: String?, isLogging: Bool = false) {
        log = isLogging ? Log() : nil

        random = ModelRandom(seed: seed)
        origin = ModelOrigin(clock: clock, &random)
        options.isShared = random.chance(12)
        options.folder = folder
        options.clock = { [clock] in clock.now }
        if random.chance(20) { options.memoryCount = 1 + random.below(2) }
        if random.chance(10) { options.memoryBytes = random.pick([0, 900, 1600]) }
        if random.chance(30) { options.diskCount = 1 + random.below(3) }
        jumps = random.chance(10)
        theme = random.pick([.any, .any, .any, .any, .any, .any, .any, .parts, .slowness, .change])
        cache = Cache(options)
        reference = ModelReference(isShared: options.isShared)
    }

    /// Runs it; throws what the reference forbids, with what led to it.
    mutating func run() throws {
        do {
            for _ in 0..<(6 + random.below(20)) { try step() }
            while !flights.isEmpty { try land(0) }
        } catch let failure as Failure {
            throw Failure(description: ((log?.lines ?? []) + [failure.description]).joined(separator: "\n"))
        }
    }

    private func note(_ text: @autoclosure () -> String) { log?.lines.append(text()) }

    private mutating func step() throws {
        clock.advance(random.pick([0, 1, 300, 1000, 4000, 10_000, 61_000]))
        if random.chance(3) { clock.advance(2_000_000) }
        if jumps, random.chance(10) { jump() }
        for index in flights.indices { flights[index].steps -= 1 }
        while let due = flights.firstIndex(where: { $0.steps <= 0 }) { try land(due) }
        let changes = switch theme {
        case .any: 8
        case .parts, .slowness: 5
        case .change: 25
        }
        switch random.below(100) {
        case 0..<changes:
            let resource = theme == .any ? random.below(3) : 0
            origin.change(resource, &random)
            note("change \(resource)")
        case ..<(changes + 4): clear()
        case ..<(changes + 10): if options.folder != nil { restart() }
        case ..<(changes + (theme == .slowness ? 20 : 13)): evict()
        default: try begin(ask())
        }
    }

    // MARK: What happens to a cache

    private mutating func jump() {
        let day: Int64 = 86_400_000
        let span = random.pick([-day, day, -3650 * day, 3650 * day, -5000])
        note("the wall clock jumps by \(span)")
        clock.jump(span)
    }

    private mutating func clear() {
        let ask = ask()
        let isShared = options.isShared
        switch random.below(5) {
        case 0:
            cache.clear()
            reference.forget { _ in true }
        case 1:
            cache.clear(.url(ask.url))
            reference.forget { $0.ask.url == ask.url }
        case 2:
            cache.clear(.prefix("https://one.test/"))
            reference.forget { $0.ask.url.hasPrefix("https://one.test/") }
        case 3:
            cache.clear(.tag("tag\(ask.resource)"))
            reference.forget { $0.ask.resource == ask.resource }
        default:
            guard !ask.scope.isEmpty else { return }
            cache.clear(.scope(ask.scope))
            reference.forget { $0.ask.scope(isShared: isShared) == ask.scope }
        }
        note("clear, like \(ask.resource) \(ask.scope)")
    }

    /// Memory is lost; what is under way then comes to nothing.
    private mutating func restart() {
        let isReboot = random.chance(30)
        if isReboot { clock.reboot() }
        note(isReboot ? "reboot" : "restart")
        flights = []
        cache = Cache()
        cache = Cache(options)
    }

    private mutating func evict() {
        cache.setLimits(memoryCount: 1)
        cache.setLimits(memoryCount: options.memoryCount)
        note("evict")
    }

    // MARK: Requests

    private mutating func ask() -> ModelAsk {
        var ask = ModelAsk()
        if theme == .parts, random.chance(80) { return partsAsk() }
        if theme == .slowness, random.chance(80) { return plainAsk() }
        if theme == .change, random.chance(90) { return changeAsk() }
        ask.resource = random.below(3)
        ask.fields["Accept-Language"] = random.maybe(60, ["en", "de", "EN"])
        ask.fields["X-Kind"] = random.maybe(40, ["a", "b"])
        if random.chance(10) { ask.method = random.pick(["POST", "DELETE", "HEAD", "HEAD"]) }
        if random.chance(15) { ask.authorization = random.pick(["Basic one", "Basic two"]) }
        if random.chance(25) { ask.scope = random.pick(["user 1", "user 2"]) }
        if random.chance(4) { ask.version = 1 }
        if random.chance(22) { ask.mode = random.pick(CacheMode.allCases) }
        if random.chance(6) {
            // What the caller does not count to its key does not matter to it.
            ask.timeToLive = random.pick([1, 30, 500])
            ask.fields["Accept-Language"] = nil
        }
        guard ask.method != "POST", ask.method != "DELETE" else { return ask }
        if random.chance(10) {
            let first = random.pick([0, 10, 20, 40, 500])
            ask.range = (first, first + random.pick([0, 9, 30, 1000]))
            if random.chance(30) { ask.ifRange = random.pick(knownTags) }
        } else if random.chance(6) {
            ask.ifNoneMatch = random.pick(knownTags)
        }
        if random.chance(25) { direct(&ask) }
        return ask
    }

    private mutating func partsAsk() -> ModelAsk {
        var ask = ModelAsk()
        guard random.chance(85) else { return ask }
        let first = random.pick([0, 5, 10, 15, 20, 25, 30])
        ask.range = (first, first + random.pick([0, 4, 9, 30]))
        return ask
    }

    private mutating func plainAsk() -> ModelAsk {
        var ask = ModelAsk()
        if random.chance(50) { ask.mode = .reload }
        return ask
    }

    private mutating func changeAsk() -> ModelAsk {
        var ask = ModelAsk()
        ask.fields["Accept-Language"] = random.maybe(50, ["en"])
        ask.method = random.chance(15) ? "HEAD" : "GET"
        if random.chance(40) { ask.isNoCache = true }
        if random.chance(10) { ask.mode = .cacheOnly }
        return ask
    }

    private var knownTags: [String] {
        let tags = reference.answers.values.sorted { $0.serial < $1.serial }.map(\.representation.tag)
        return tags.isEmpty ? ["\"none\""] : tags
    }

    private mutating func direct(_ ask: inout ModelAsk) {
        switch random.below(8) {
        case 0: ask.isNoStore = true
        case 1: ask.isNoCache = true
        case 2: ask.isOnlyIfCached = true
        case 3: ask.maxAge = random.pick([0, 5, 100])
        case 4: ask.minFresh = random.pick([5, 30])
        case 5: ask.maxStale = random.pick([-1, 5, 100])
        case 6: ask.staleIfError = random.pick([0, 10, 1000])
        default:
            ask.isOnlyIfCached = true
            ask.maxStale = -1
        }
    }

    /// The way down, as ``CacheStage`` goes it.
    private mutating func begin(_ ask: ModelAsk) throws {
        let query = try ask.query(cache)
        note("\(reference.number): \(ask)")
        if ask.mode == .never {
            cache.remove(query)
            let isTimed = ask.timeToLive != nil
            reference.forget { $0.ask.url == ask.url && ($0.ask.timeToLive != nil) == isTimed && !isTimed }
        }
        guard !query.options.mode.storesNothing, query.isServable else {
            var fetch = CacheFetch(.passed, .method)
            fetch.mark = cache.mark
            return try send(ask, query, fetch)
        }
        if random.chance(50), let response = cache.freshResponse(query) {
            return try check(response, ask, .none)
        }
        let mark = cache.mark
        var decision = decide(ask, query)
        if cache.disk != nil, !isServed(decision) {
            let loaded = cache.loadFromDisk(query)
            if loaded.wasDamaged { throw Failure(description: "damaged") }
            decision = decide(ask, query, loaded)
        }
        switch decision {
        case .unsatisfiable(let result):
            let response = Response()
            response.fillGatewayTimeout(query, result, now: cache.now)
            try check(response, ask, .none)
        case .serve(let serving):
            try check(Response(serving, query, now: cache.now), ask, .none)
            guard serving.isRevalidating else { return }
            var background = ask
            background.isRevalidation = true
            try begin(background)
        case .fetch(var fetch):
            fetch.mark = mark
            if let provisional = fetch.provisional {
                try check(Response(provisional, query, now: cache.now), ask, .none, isProvisional: true)
            }
            try send(ask, query, fetch)
        }
    }

    private func decide(_ ask: ModelAsk, _ query: CacheQuery, _ loaded: Cache.Loaded? = nil) -> CacheDecision {
        cache.lookup(cache.now).decide(query, cache.stored(query, loaded), isRevalidation: ask.isRevalidation)
    }

    private func isServed(_ decision: CacheDecision) -> Bool {
        if case .serve = decision { true } else { false }
    }

    private mutating func send(_ ask: ModelAsk, _ query: CacheQuery, _ fetch: CacheFetch) throws {
        var fetch = fetch
        fetch.requestTime = cache.now
        let fields = fetch.validation?.applied(to: query.request.fields) ?? query.request.fields
        let outcome = origin.receive(
            ask, ifNoneMatch: fields.joined("if-none-match"), ifModifiedSince: fields.joined("if-modified-since"),
            isShared: options.isShared, &random)
        let flight = Flight(
            ask: ask, query: query, fetch: fetch, outcome: outcome, begin: reference.next(),
            steps: random.chance(theme == .slowness ? 60 : 20) ? 1 + random.below(4) : 0)
        flights.append(flight)
        if flight.steps == 0 { try land(flights.count - 1) }
    }

    /// The answer comes.
    private mutating func land(_ index: Int) throws {
        let flight = flights.remove(at: index)
        if random.chance(20) { clock.advance(Int64(random.below(3000))) }
        let now = cache.now
        var exchange = CacheExchange(cache: cache, query: flight.query, fetch: flight.fetch, now: now)
        switch flight.outcome {
        case .failure(let code):
            let response = Response(error: NetcoreError(code))
            _ = exchange.settle(response)
            try check(response, flight.ask, .failure(code))
        case .answer(var answer):
            answer.requestTime = flight.fetch.requestTime
            answer.responseTime = now
            answer.begin = flight.begin
            note("answer \(answer.serial) to \(flight.begin): \(answer.status)" + answer.fields.map { "\n    \($0.name): \($0.value)" }.joined())
            let response = answer.response
            let result = exchange.settle(response)
            answer.isStored = response.headers["cache-status"]?.contains("; stored") ?? false
            reference.note(answer)
            reference.invalidate(by: answer)
            if case .repeatWithoutConditions = result {
                return try send(flight.ask, flight.query, flight.fetch.withoutConditions)
            }
            try check(response, flight.ask, .answer(answer))
        }
    }

    private mutating func check(
        _ response: Response, _ ask: ModelAsk, _ contact: ModelReference.Contact, isProvisional: Bool = false
    ) throws {
        let objection = reference.objection(response, ask, contact, isProvisional: isProvisional, now: cache.now)
        note("  \(response.cacheResult) \(response.status) \(response.headers["x-serial"] ?? "") \(response.headers["cache-status"] ?? "")")
        if let objection { throw Failure(description: objection) }
    }
}
