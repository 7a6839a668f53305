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
    enum Theme {
        case any, parts, slowness, change
    }

    private final class Log {
        var lines: [String] = []
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var random: ModelRandom
    private let clock = ModelClock()
    private var origin: ModelOrigin
    private(set) var reference: ModelReference
    private var options = Cache.Options()
    private var cache: Cache
    private var flights: [Flight] = []
    private let log: Log?
    private let jumps: Bool
    let theme: Theme

    init(seed: UInt64, folder: String?, isLogging: Bool = false) {
        log = isLogging ? Log() : nil

        random = ModelRandom(seed: seed)
        origin = ModelOrigin(clock: clock, &random)
        options.isShared = random.chance(12)
        options.folder = folder
        options.timestamps = { [clock] in clock.now }
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

    /// Lets go of the cache and its folder.
    mutating func close() {
        flights = []
        cache = Cache()
    }

    private mutating func step() throws {
        clock.advance(random.pick([0, 1, 300, 1000, 4000, 10_000, 61_000]))
        if random.chance(3) { clock.advance(2_000_000) }
        if jumps, random.chance(10) { jump() }
        for index in flights.indices { flights[index].steps -= 1 }
        while let due = flights.firstIndex(where: { $0.steps <= 0 }) { try land(due) }
        let changes =
            switch theme {
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
        var origin = OriginAnswer(
            cache: cache, query: flight.query, fetch: flight.fetch, headLimit: 1 << 18, now: now)
        switch flight.outcome {
        case .failure(let code):
            let response = Response(error: NetcoreError(code))
            _ = origin.settle(response)
            try check(response, flight.ask, .failure(code))
        case .answer(var answer):
            answer.requestTime = flight.fetch.requestTime
            answer.responseTime = now
            answer.begin = flight.begin
            note(
                "answer \(answer.serial) to \(flight.begin): \(answer.status)"
                    + answer.fields.map { "\n    \($0.name): \($0.value)" }.joined())
            let response = answer.response
            let result = origin.settle(response)
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
        note(
            "  \(response.cacheResult) \(response.status) \(response.headers["x-serial"] ?? "") \(response.headers["cache-status"] ?? "")"
        )
        if let objection { throw Failure(description: objection) }
    }
}
