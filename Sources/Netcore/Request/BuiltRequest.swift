package import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// A request in the form in which one client sends it: with an absolute URL, the client's common parts and a body that is ready to
/// be sent. Immutable; kept with the request it was built from, for the next dispatch.
package final class BuiltRequest: @unchecked Sendable {  // what is made later is under `lock`
    let form: RequestForm
    /// The first hop, as long as nothing of the client's says who sends it.
    let wire: WireRequest
    private let lock = Lock()
    private var madeQuery: CacheQuery?
    private var madeUpgrade: BuiltRequest?
    private var madeIdentity: RequestKey??
    private var madeIntervalKey: RequestKey?

    package var method: String { form.method }
    package var url: HTTPURL { form.url }
    /// When it is sent again because of its answer or error; nil for never.
    var retryRule: RetryRule? { form.retryRule }
    /// What refuses it while its origin fails; nil for nothing.
    var breaker: BreakerRule? { form.breaker }
    /// When a hop gets a hedge; nil for never.
    var hedging: HedgeTerms? { form.hedging }
    package var options: RequestOptions { _read { yield form.options } }

    init(_ form: RequestForm) {
        self.form = form
        wire = form.wire(Hop.Target(form))
    }

    /// - Parameters:
    ///   - request: with an absolute URL, nothing left to be put in place.
    ///   - policies: the client's.
    ///   - route: how it came to its URL, if it may go to another service.
    convenience init(
        settled request: Request, _ additions: ClientAdditions, _ policies: DeliveryPolicies = DeliveryPolicies(),
        route: ServiceRoute? = nil
    ) throws(NetcoreError) {
        guard let url = request.url else { throw NetcoreError(.internal, "a request without a URL") }
        let rule = try request.options.retryRule(of: policies)
        self.init(
            RequestForm(
                method: request.method, url: url, fields: request.fields, content: request.content,
                options: request.options, additions: additions,
                retryRule: rule, breaker: policies.breaker,
                hedging: request.options.hedgeTerms(of: policies), route: route))
    }

    /// The same for another URL, made once.
    func upgraded() throws(NetcoreError) -> BuiltRequest {
        if let made = lock.withLock({ madeUpgrade }) { return made }
        var changed = form
        changed.url = try url.upgraded()
        let made = BuiltRequest(changed)
        lock.withLock { madeUpgrade = made }
        return made
    }

    /// What the first hop asks of the client's cache, as long as nothing of the client's says who sends it; made once.
    func query(for cache: Cache) -> CacheQuery {
        if let query = lock.withLock({ madeQuery }) { return query }
        // Outside the lock: it may call functions of the application's, which wait for locks of the application's.
        let made = form.query(Hop.Target(form), HopIdentity(), cache)
        return lock.withLock {
            let first = madeQuery ?? made
            madeQuery = first
            return first
        }
    }

    /// What is equal for requests whose answers are, as long as nothing of the client's says who sends it; made once. Nil for one that
    /// is equal to no other.
    func identity(hasCache: Bool) -> RequestKey? {
        lock.withLock {
            if let madeIdentity { return madeIdentity }
            let made = form.identity(hasCache: hasCache)
            madeIdentity = made
            return made
        }
    }

    /// What requests have in common that the minimum interval keeps apart; made once.
    var intervalKey: RequestKey {
        lock.withLock {
            let key = madeIntervalKey ?? form.intervalKey
            madeIntervalKey = key
            return key
        }
    }

    func checkBody() throws(NetcoreError) {
        guard method != "HEAD" || wire.body == nil else {
            throw NetcoreError(.invalidArgument, argument: "body", "a HEAD request has none")
        }
    }
}

/// What a client adds to each of its requests, whatever its settings.
final class ClientAdditions: Sendable {
    let defaultFields: DefaultFields
    let netrcFile: String?

    init(_ options: Client.Options) {
        defaultFields = DefaultFields(userAgent: options.userAgent, acceptEncoding: options.acceptEncoding)
        netrcFile = options.netrcFile
    }
}

/// The form of a request that one client sends, kept for its next dispatch by that client.
package final class PreparedCache: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    /// The number of the client's engine; not its address, which may be another's later.
    private var owner: UInt64 = 0
    /// Which of the client's settings it was built with: the number of changes before.
    private var generation: UInt64 = 0
    private var built: BuiltRequest?

    func clear() { lock.withLock { built = nil } }

    func built(
        for engine: Engine, make: () throws(NetcoreError) -> BuiltRequest
    ) throws(NetcoreError) -> BuiltRequest {
        let current = engine.parts.settings.generation
        lock.lock()
        defer { lock.unlock() }
        if owner == engine.number, generation == current, let built { return built }
        let made = try make()
        owner = engine.number
        generation = current
        built = made
        return made
    }
}
