internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// What owns an exchange: a task.
protocol ExchangeOwner: AnyObject {
    var isCanceled: Bool { get }

    /// The exchange leaves the queue.
    func exchangeDidBegin()

    /// A hop with a body of so many bytes begins; nil if that is not known.
    func exchangeWillSend(_ length: Int?)

    /// Bytes of the body: received and expected (-1 when not known) as transferred, and sent.
    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime)

    /// Shows a response that comes before the end. Returns whether anything receives it.
    @discardableResult
    func deliverEarly(_ response: Response) -> Bool

    /// The head of the answer that it ends with. Returns where the body goes; nil if it does not go anywhere by itself.
    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)?

    /// Sends the hop of an exchange besides, to validate in the background what was served stale.
    func validateBesides(_ exchange: Exchange)

    /// The task that its events are reported of; nil for none.
    var observedTask: RequestTask? { get }

    /// The exchange is over; nothing follows.
    func exchangeDidEnd(_ result: Response)
}

/// A task's journey through the pipeline. It has attempts, an attempt has hops; each is made anew when the one before is over.
///
/// Confined to the client's loop.
final class Exchange: @unchecked Sendable {  // see above
    let owner: any ExchangeOwner
    /// What functions of the application's see before each attempt at the first hop; nil if there are none.
    var unfiltered: UnfilteredRequest?
    /// Sent by the cache itself, to validate what it served stale.
    let isValidation: Bool
    /// Sent beside the first try of another exchange, by stage *hedge*.
    let isHedge: Bool
    unowned(unsafe) let context: StageContext  // it outlives the pipeline
    private(set) var attempt = Attempt()
    var hop: Hop
    var times: ExchangeTimes
    private(set) var costs = ExchangeCosts()
    private(set) var redirects = 0
    /// The answers that redirected, without bodies.
    private(set) var history: [Response] = []
    /// How often it went out again after a 401.
    private(set) var answeredChallenges = 0
    /// What was found out about credentials, by origin.
    var challenges: [String: OriginChallenges] = [:]
    /// Its hops to the network; kept by the stages *transport*, *attempt* and *retry*.
    var tries = TryList()
    /// Nil without a policy of retries; kept by stage *retry*.
    var retrying: Retrying?
    /// Leave of the origin's breaker, kept by stage *breaker* while the hop is below it.
    var breakerPermit: Breaker.Permit?
    /// Milliseconds after which its hop gets a hedge, and the timer for that; kept by the stages *hedge* and *hedge clock*.
    var hedgeDelay: Int64?
    var hedgeTimer = 0
    /// The hedge that it has or had, or that it is.
    var hedge: Hedge?
    /// Its hedge has won: what its own try brings is not used.
    var isGivenUp = false
    /// Its answer is that of another service, by a hedge: nothing of it is stored.
    var isAnsweredElsewhere = false
    /// With which equal requests it goes; kept by stage *duplicates*.
    var flight: Flight?
    /// The next attempt goes to another service: stage *service* sees to that when the answer has come up to it.
    var move: Move?
    /// How often it went to another service since a breaker refused it.
    var refusedMoves = 0
    /// It was counted by stage *interval*.
    var hasPassedInterval = false
    /// When it is due there, in microseconds.
    var intervalTurn: Int?
    /// The rates that it counts to, the one that it waits for, and whether it was counted; kept by stage *rate*.
    var limiters: [Limiter] = []
    var waitsFor: Limiter?
    var hasTakenRates = false
    /// What it waits for, as reported to observers, and since when, in nanoseconds.
    var waiting: (ClientEvent.Wait, since: Int)?
    /// Kept by the line that it waits in.
    var ticket = LineTicket()
    /// Among those that wait; the request's, until the application changes it.
    var priority: Priority
    /// A stored answer was shown before the network's.
    var hasShownProvisional = false
    /// The head of the network's answer was shown: nothing is sent again.
    var hasShownHead = false
    /// The host whose slot it has, kept by stage *admit*.
    var slot: Host?
    /// Where it stands in the pipeline; kept by that.
    var place = Place()
    var isEnded = false

    struct Place {
        /// The stage that holds it.
        var index = 0
        /// Held on the way up.
        var isAscending = false
        /// The number of the hold; 0 for none that ends by itself.
        var hold = 0
    }

    var request: BuiltRequest { hop.request }

    init(
        _ hop: Hop, owner: any ExchangeOwner, context: StageContext, queuedSince: MonotonicTime,
        unfiltered: UnfilteredRequest? = nil, isValidation: Bool = false, isHedge: Bool = false
    ) {
        self.hop = hop
        self.owner = owner
        priority = hop.request.options.priority
        self.context = context
        self.unfiltered = unfiltered
        self.isValidation = isValidation
        self.isHedge = isHedge
        times = ExchangeTimes(queuedSince: queuedSince)
    }

    // MARK: Hops and attempts

    /// Goes where a redirect leads, within the attempt.
    func follow(_ step: RedirectPolicy.Step, from answer: Response) {
        answer.url = hop.url
        answer.redirects = redirects
        answer.bodyBuffer = nil
        history.append(answer)
        redirects += 1
        tries.goesOn(.redirect)
        report(.redirect, answer, value: redirects)
        hop = hop.following(step)
    }

    /// Begins another attempt, with this hop.
    func tryAgain(_ next: Hop) {
        attempt = Attempt()
        hop = next
    }

    /// The same after a 401.
    func answerChallenge(_ next: Hop) {
        answeredChallenges += 1
        tries.goesOn(.challenge)
        report(.auth, value: answeredChallenges)
        tryAgain(next)
    }

    /// Lists the hop that was under way, if one was.
    func noteTry(_ result: Response, _ reason: RetryReason? = nil) {
        guard tries.began != nil else { return }
        tries.note(
            result, at: hop.url, attempt: costs.attempts, reason ?? (isCanceled ? .canceled : .outcome),
            now: context.now)
    }

    /// The hop goes to the network. For stage *attempt* only, which counts.
    func countHop() {
        if attempt.hops == 0 {
            costs.attempts += 1
            context.client.counters.attempts.add()
        }
        attempt.hops += 1
    }

    /// The hop has come back from the network.
    func count(_ result: Response) {
        // What the transport sent again by itself.
        let counters = context.client.counters
        if result.attempts > 1 {
            costs.attempts += result.attempts - 1
            counters.attempts.add(result.attempts - 1)
        }
        counters.bytesSent.add(result.bytesSent)
        counters.bytesReceived.add(result.bytesReceived)
        costs.bytesSent += result.bytesSent
        costs.bytesReceived += result.bytesReceived
    }

    // MARK: Hedges

    /// An exchange that sends the same hop once more, within the same attempt.
    ///
    /// - Parameter other: the hop at another service, if it goes there: from the top of the pipeline.
    func beside(_ hedge: Hedge, _ other: (hop: Hop, unfiltered: UnfilteredRequest?)?) -> Exchange {
        let result = Exchange(
            other?.hop ?? hop.beside, owner: hedge, context: context, queuedSince: times.dispatched,
            unfiltered: other?.unfiltered, isHedge: true)
        result.hedge = hedge
        result.times = times
        result.attempt = attempt
        result.costs.attempts = costs.attempts
        result.redirects = redirects
        result.retrying = retrying.map { Retrying(beside: $0) }
        result.hasPassedInterval = true
        result.priority = priority
        return result
    }

    /// Lists a hedge that has ended, and adds what it cost.
    func list(_ hedge: Exchange) {
        tries.list(hedge.tries)
        costs.add(hedge.costs)
        attempt.hops = max(attempt.hops, hedge.attempt.hops)
    }

    /// Takes the place of a hedge that has ended: its answer is this one's.
    func takeOver(_ hedge: Exchange) {
        tries.takeOver(hedge.tries)
        costs.add(hedge.costs)
        attempt.hops = max(attempt.hops, hedge.attempt.hops)
        let caching = hop.caching
        hop = hedge.hop
        guard hedge.hop.caching == nil, let caching else { return unfiltered = hedge.unfiltered ?? unfiltered }
        hop.caching = caching
        isAnsweredElsewhere = true
        unfiltered = hedge.unfiltered ?? unfiltered
    }

    /// Leaves the queue for the first time: its first transfer starts, or it waits for another one's.
    func begin(_ now: MonotonicTime) {
        times.begin(now)
        owner.exchangeDidBegin()
    }

    // MARK: Responses

    /// Shows a response that comes before the end. Returns whether anything receives it.
    @discardableResult
    func deliverEarly(_ response: Response, _ kind: Response.Early) -> Bool {
        response.early = kind
        response.url = hop.url
        response.redirects = redirects
        response.userInfoBox = request.options.userInfo
        return owner.deliverEarly(response)
    }

    /// Completes the response that it ends with.
    func complete(_ result: Response, _ now: @autoclosure () -> MonotonicTime) {
        result.userInfoBox = request.options.userInfo
        result.timings.queue = times.queued
        result.timings.total = times.started.map { now().microseconds(since: $0) }
        guard !result.isCopy else {
            result.error?.attempts = result.attempts
            return
        }
        result.url = hop.url
        result.redirects = redirects
        if !tries.all.isEmpty {
            result.tries = tries.all
            result.error?.tries = tries.all
        }
        if !history.isEmpty { result.history = history }
        // An answer that took no transfer has no costs.
        guard result.cachedObject == nil || costs.attempts > 0 || result.error != nil else { return }
        result.error?.attempts = costs.attempts
        if let error = result.error, costs.bytesSent > 0 || error.phase == .wait || error.phase == .receive {
            result.error?.wasSent = true
        }
        result.attempts = costs.attempts
        result.bytesSent = costs.bytesSent
        result.bytesReceived = costs.bytesReceived
        // What was rejected can be read.
        if let error = result.error, !error.isRejection { result.bodyBuffer = nil }
    }
}

/// What an exchange has cost so far.
struct ExchangeCosts {
    var attempts = 0
    var bytesSent = 0
    var bytesReceived = 0

    /// Those of another try within the attempt.
    fileprivate mutating func add(_ other: ExchangeCosts) {
        attempts = max(attempts, other.attempts)
        bytesSent += other.bytesSent
        bytesReceived += other.bytesReceived
    }
}
