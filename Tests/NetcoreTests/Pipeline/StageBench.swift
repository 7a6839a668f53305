@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import NetcoreTransport

/// One stage above a neighbour that the test speaks for, on a clock that the test sets. There are no threads but those of the
/// stage's own workers; what these say back waits for ``settle()``.
final class StageBench {
    final class Clock {
        var now = MonotonicTime(microseconds: 1_000_000_000)

        func advance(milliseconds: Int) { now = now.adding(milliseconds: milliseconds) }
    }

    let clock = Clock()
    let client: ClientParts
    let context: StageContext
    let below = Neighbour()
    let above = Neighbour(holds: false)
    let stage: Stage
    private let posted = Posted()
    private let pipeline: Pipeline

    /// - Parameter below: more stages, between this one and its neighbour.
    init(
        _ options: Client.Options = Client.Options(), below: (StageContext) -> [Stage] = { _ in [] },
        _ make: (StageContext) throws -> Stage
    ) throws {
        client = try ClientParts(options)
        context = StageContext(
            client, limits: options.limits, clock: { [clock] in clock.now }, post: { [posted] in posted.add($0) })
        stage = try make(context)
        pipeline = Pipeline([above, stage] + below(context) + [self.below], context)
    }

    deinit {
        pipeline.close()
        client.closeWorkers(waits: true)
    }

    /// Sends a request down. What comes of it is told to the owner.
    func send(
        _ url: String = "http://one.test/a", method: String = "GET", unfiltered: Bool = false,
        _ change: (inout Request) throws -> Void = { _ in }
    ) throws -> (exchange: Exchange, owner: Owner) {
        var request = try Request(method, url)
        try change(&request)
        let built = try BuiltRequest(settled: request, client.additions, client.settings.current.delivery)
        let owner = Owner()
        let exchange = Exchange(
            Hop(built), owner: owner, context: context, queuedSince: clock.now,
            unfiltered: unfiltered
                ? UnfilteredRequest(given: request, built: built, settings: client.settings.snapshot) : nil)
        pipeline.start(exchange)
        return (exchange, owner)
    }

    /// Answers a hop for the neighbour below.
    func answer(_ exchange: Exchange, _ status: Int = 200, _ fields: [(String, String)] = [], attempts: Int = 1) {
        context.end(exchange, Self.response(status, fields, attempts: attempts))
    }

    func cancel(_ exchange: Exchange) { pipeline.abandon(exchange, NetcoreError(.canceled, phase: .queue)) }

    /// Ends what was held for too long.
    func expire() { pipeline.expire(clock.now) }

    var nextDeadline: MonotonicTime { pipeline.nextDeadline }

    /// Waits for a thread of a worker's to say what came of its function, and hands that to the stage.
    func settle() { posted.runNext() }

    static func response(_ status: Int, _ fields: [(String, String)] = [], attempts: Int = 1) -> Response {
        let block = FieldBlock()
        for (name, value) in fields { block.append(name, value) }
        return Response(
            status: status, version: .http1_1, fields: block, trailers: nil, attempts: attempts, bytesSent: 10,
            bytesReceived: 20, isConnectionReused: false, timings: Timings())
    }
}

/// A stage that notes what passes it, and holds all or nothing.
final class Neighbour: Stage {
    private let holds: Bool
    private(set) var down: [Exchange] = []
    private(set) var up: [Response] = []
    private(set) var abandoned = 0
    /// Those that are here now.
    private(set) var held: [Exchange] = []
    /// Of the hops that came down.
    private(set) var urls: [String] = []
    /// The slot that it gives.
    var gives: Host?

    init(holds: Bool = true) { self.holds = holds }

    override func down(_ exchange: Exchange) -> Descent {
        down.append(exchange)
        urls.append(exchange.hop.url.string)
        if let gives { exchange.slot = gives }
        if holds { held.append(exchange) }
        return holds ? .hold : .next
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        held.removeAll { $0 === exchange }
        up.append(result)
        return .next
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        abandoned += 1
        return nil
    }

    /// Keeps nothing of what passed.
    func forget() {
        down = []
        up = []
        held = []
    }
}

/// An owner that keeps what it is told.
final class Owner: ExchangeOwner {
    var isCanceled = false
    private(set) var hasBegun = false
    private(set) var end: Response?
    private(set) var ends = 0
    private(set) var early: [Response] = []
    private(set) var validations = 0

    var error: NetcoreError.Code? { end?.error?.code }
    var observedTask: RequestTask? { nil }

    func exchangeDidBegin() { hasBegun = true }
    func exchangeWillSend(_ length: Int?) {}
    func exchangeDidProgress(received: Int, expected: Int, sent: Int, now: MonotonicTime) {}
    func exchangeDidReceiveHead(_ response: Response) -> (any BodySink)? { nil }
    func validateBesides(_ exchange: Exchange) { validations += 1 }
    func exchangeDidEnd(_ result: Response) {
        end = result
        ends += 1
    }

    func deliverEarly(_ response: Response) -> Bool {
        early.append(response)
        return true
    }
}

/// What other threads post to a loop that the test stands for.
private final class Posted: @unchecked Sendable {  // under the condition's lock
    private let condition = Condition()
    private var bodies: [@Sendable () -> Void] = []

    func add(_ body: @escaping @Sendable () -> Void) {
        condition.lock.withLock { bodies.append(body) }
        condition.broadcast()
    }

    /// Runs the next one; waits 30 seconds at most.
    func runNext() {
        let deadline = MonotonicTime.now.adding(milliseconds: 30_000)
        condition.lock.lock()
        while bodies.isEmpty, condition.wait(until: deadline) {}
        let body = bodies.isEmpty ? nil : bodies.removeFirst()
        condition.lock.unlock()
        body?()
    }
}
