internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Runs a function on a client's loop soon, unless the client ends before. For any thread.
package typealias Post = @Sendable (@escaping @Sendable () -> Void) -> Void

/// What a stage sees of the client around it: the clock, settings, and how it goes on with an exchange that it holds.
///
/// Confined to the client's loop, except ``post``.
final class StageContext {
    let client: ClientParts
    let post: Post
    private let clock: () -> MonotonicTime
    /// The client's; see ``limits(for:)``.
    var limits: ClientLimits
    unowned(unsafe) var pipeline: Pipeline?  // whose stages have this

    init(
        _ client: ClientParts, limits: ClientLimits, clock: @escaping () -> MonotonicTime,
        post: @escaping Post
    ) {
        self.client = client
        self.limits = limits
        self.clock = clock
        self.post = post
    }

    /// The time of this turn of the loop.
    var now: MonotonicTime { clock() }

    /// Seconds since 1970-01-01 UTC.
    var wallSeconds: Int64 { client.wallSeconds }

    /// What a time of the client's clock is on the machine's.
    func machineTime(_ time: MonotonicTime) -> MonotonicTime {
        guard client.clock != nil else { return time }
        return MonotonicTime.now.adding(microseconds: time.microseconds(since: now))
    }

    func limits(for request: BuiltRequest) -> Limits {
        request.options.limits?.applied(to: limits.task) ?? limits.task
    }

    /// What becomes of an answer whose head has come.
    func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        pipeline?.foresee(exchange, status, fields) ?? .passes
    }

    /// Where a streamed body goes.
    func sink(for exchange: Exchange, _ head: Response, _ consumer: any BodySink) -> any BodySink {
        pipeline?.sink(for: exchange, head, consumer) ?? consumer
    }

    // MARK: Exchanges that a stage holds

    /// Holds an exchange until this stage goes on with it, or until a time: then it ends with an error. Returns the number of the hold.
    func hold(_ exchange: Exchange, until deadline: MonotonicTime?, else error: NetcoreError) -> Int {
        pipeline?.hold(exchange, until: deadline, error) ?? 0
    }

    /// The same without an end of its own.
    func hold(_ exchange: Exchange) -> Int { pipeline?.hold(exchange) ?? 0 }

    /// Whether an exchange is still in a hold.
    func isHeld(_ exchange: Exchange, _ number: Int) -> Bool { exchange.place.hold == number && !exchange.isEnded }

    /// Takes a hold back.
    func release(_ exchange: Exchange) { pipeline?.release(exchange) }

    /// Lets a held exchange go on from here, as `decide` says.
    func goOn(_ exchange: Exchange, _ decide: () -> Descent = { .next }) { pipeline?.goOn(exchange, decide) }

    /// Holds an exchange, and sends it on to the stage below at a time.
    func goOn(_ exchange: Exchange, at time: MonotonicTime) { pipeline?.goOn(exchange, at: time) }

    /// Calls a stage's ``Stage/wake()`` at a time, or later if nothing is under way then.
    func wake(_ stage: Stage, at time: MonotonicTime) { pipeline?.wake(stage, at: time) }

    /// Calls a stage's ``Stage/wake()`` at a time, for which a thread drives the loop if none does.
    func plan(_ stage: Stage, at time: MonotonicTime) { pipeline?.plan(stage, at: time) }

    /// Sends a held exchange through the pipeline from the top.
    func goOnAnew(_ exchange: Exchange) { pipeline?.start(exchange) }

    /// Sends an exchange of a stage's own down the stages below it.
    func start(_ exchange: Exchange, below stage: Stage) { pipeline?.start(exchange, below: stage) }

    /// Gives an exchange another priority.
    func setPriority(_ exchange: Exchange, _ priority: Priority) { pipeline?.setPriority(exchange, priority) }

    /// Ends an exchange that some stage holds, before its time.
    func abandon(_ exchange: Exchange, _ error: NetcoreError) { pipeline?.abandon(exchange, error) }

    /// Ends what a held exchange waited for: this is the answer.
    func end(_ exchange: Exchange, _ result: Response) { pipeline?.end(exchange, result) }
}

/// What a client has that its stages use. For any thread.
final class ClientParts: Sendable {
    let settings: ClientSettings
    let identities: Identities
    let cache: Cache?
    /// Nil if no host is asked whether it wants https.
    let hsts: HSTSStore?
    /// Nil if connections go to no other place than their origins.
    let alternatives: AlternativeStore?
    let verifiesPeer: Bool
    let additions: ClientAdditions
    /// Calls filters and values of the time of sending.
    let filterWorker = ApplicationWorker(name: "netcore-filter")
    /// Calls what gives credentials.
    let credentialWorker = ApplicationWorker(name: "netcore-token")
    /// Calls what decides about retries.
    let retryWorker = ApplicationWorker(name: "netcore-retry")
    /// Calls what judges answers.
    let validationWorker = ApplicationWorker(name: "netcore-check")
    /// Calls a transport of the application's.
    let transportWorker = ApplicationWorker(name: "netcore-hop")
    /// Notifies the application of what the client noticed by itself.
    let noticeWorker = ApplicationWorker(name: "netcore-notify")
    let diskReads = DiskReads()
    let breakers = BreakerStates()
    let budgets = BudgetStates()
    let counters = ClientCounters()
    let reachability = ReachabilityState()
    let observers: Observers
    let requestLog = RequestLog()
    /// Nil for the machine's.
    let clock: ManualClock?

    var now: MonotonicTime { clock?.now ?? .now }

    /// Seconds since 1970-01-01 UTC.
    var wallSeconds: Int64 { (clock?.timestamp ?? .now).wall / 1000 }

    /// The threads that requests wait for.
    private var awaitedWorkers: [ApplicationWorker] {
        [filterWorker, credentialWorker, retryWorker, validationWorker, transportWorker]
    }

    /// Whether a function of the application's, or a look at the disk, is under way that a request waits for.
    var runsFunctions: Bool { awaitedWorkers.contains { $0.isBusy } || diskReads.isBusy }

    /// Calls a function after each of them.
    func onFunctionEnd(_ function: @escaping @Sendable () -> Void) {
        for worker in awaitedWorkers { worker.onJobEnd(function) }
        diskReads.onEnd(function)
    }

    /// Ends the threads for functions of the application's.
    ///
    /// - Parameter waits: for those that run.
    func closeWorkers(waits: Bool) {
        for worker in [
            filterWorker, credentialWorker, retryWorker, validationWorker, transportWorker, noticeWorker,
            observers.worker,
        ] {
            worker.close(waits: waits)
        }
    }

    init(_ options: Client.Options) throws(NetcoreError) {
        settings = ClientSettings()
        clock = options.clock
        observers = Observers(options.clock)
        options.cache?.listeners.add(observers)
        cache = options.cache
        identities = Identities(settings, try options.makeCookies(), options.cache)
        hsts = try options.hstsFile.map { path throws(NetcoreError) in
            try HSTSStore(file: path, clock: options.wallSeconds)
        }
        alternatives = try options.makeAlternatives()
        verifiesPeer = options.verifiesPeer
        additions = ClientAdditions(options)
    }
}
