internal import NetcoreHTTP
internal import NetcoreSupport

/// Decides about requests that are equal to one in flight, by the policy of the new one. It stands above all that sends again and above
/// the cache, so that a request is in flight from its first hop to its end, and below *filter*, so that what is sent is compared.
///
/// Tasks that join are held here. What they wait for is an exchange of the stage's own, so that none of them ends it by its cancel.
final class DuplicateStage: Stage {
    private unowned(unsafe) let context: StageContext
    /// By what is equal.
    private var flights: [RequestKey: Flight] = [:]

    init(_ context: StageContext) { self.context = context }

    override func down(_ exchange: Exchange) -> Descent {
        guard exchange.request.options.duplicates != .allow, exchange.flight == nil, !exchange.isValidation,
            !exchange.isHedge
        else {
            return .next
        }
        return decide(exchange)
    }

    private func decide(_ exchange: Exchange) -> Descent {
        let policy = exchange.request.duplicates
        guard policy != .allow, let key = context.client.identities.identity(of: exchange.request) else {
            return .next
        }
        switch (policy, flights[key]) {
        case (.join, let flight?):
            guard flight.isShared else { return .next }
            board(exchange, flight)
            return .hold
        case (.join, nil): return lead(exchange, key)
        case (.dropNew, .some):
            return .end(Response(error: NetcoreError(.duplicate, "an equal request is in flight", phase: .queue)))
        case (_, let flight):
            if let flight { replace(flight) }
            let own = Flight(key: key, isShared: false)
            own.exchange = exchange
            exchange.flight = own
            flights[key] = own
            return .next
        }
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        // One that goes on to another service stays in flight.
        guard exchange.move == nil, let flight = exchange.flight, flight.exchange === exchange, !flight.isShared
        else { return .next }
        exchange.flight = nil
        forget(flight)
        return .next
    }

    private func forget(_ flight: Flight) {
        if flights[flight.key] === flight { flights[flight.key] = nil }
    }

    /// Ends what is in flight.
    private func replace(_ flight: Flight) {
        forget(flight)
        let exchanges = flight.isShared ? flight.members : [flight.exchange].compactMap(\.self)
        for exchange in exchanges {
            context.abandon(exchange, .canceled(.queue, .replaced, "an equal request took its place"))
        }
    }

    // MARK: Those that share a transfer

    /// Sends an exchange of the stage's own, for which this one waits, and others may.
    private func lead(_ exchange: Exchange, _ key: RequestKey) -> Descent {
        let flight = Flight(
            key: key, isShared: true, begun: { [unowned self] in begin($0) }, done: { [unowned self] in land($0, $1) })
        let shared = Exchange(
            exchange.hop.again, owner: flight, context: context, queuedSince: context.now,
            unfiltered: exchange.unfiltered)
        shared.times = exchange.times.unbegun
        shared.flight = flight
        flight.exchange = shared
        flights[key] = flight
        board(exchange, flight)
        flight.isStarting = true
        context.start(shared, below: self)
        flight.isStarting = false
        guard let end = flight.end else { return .hold }
        context.release(exchange)
        return .end(end)
    }

    private func board(_ exchange: Exchange, _ flight: Flight) {
        if let first = flight.firstMember {
            exchange.report(.joined, value: Int(first.owner.observedTask?.onLoop.number ?? 0))
        }
        flight.board(exchange)
        if let shared = flight.exchange, exchange.priority.rawValue > shared.priority.rawValue { raise(flight) }
        if flight.hasBegun {
            run(exchange)
        } else {
            _ = context.hold(exchange)
        }
    }

    /// The transfer is as urgent as the most urgent of those that wait for it.
    private func raise(_ flight: Flight) {
        guard flight.isShared, let shared = flight.exchange else { return }
        let highest = flight.members.max { $0.priority.rawValue < $1.priority.rawValue }
        if let highest { context.setPriority(shared, highest.priority) }
    }

    override func setPriority(_ exchange: Exchange, _ set: () -> Void) {
        set()
        if let flight = exchange.flight { raise(flight) }
    }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "the answer to an equal request did not come in time", phase: .wait)
    }

    /// The transfer is under way: total timeouts run.
    private func begin(_ flight: Flight) {
        for exchange in flight.members {
            context.release(exchange)
            run(exchange)
        }
    }

    private func run(_ exchange: Exchange) {
        if exchange.times.started == nil { exchange.begin(context.now) }
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        _ = context.hold(exchange, until: end, else: Self.tooLate)
    }

    /// The transfer has ended: each task ends with its answer. After the total timeout of the first, those with time left send again.
    private func land(_ flight: Flight, _ result: Response) {
        forget(flight)
        guard let shared = flight.exchange else { return }
        let members = flight.members
        shared.flight = nil
        flight.exchange = nil
        shared.complete(result, context.now)
        guard !flight.isCanceled else {
            flight.end = Response(copying: result)
            return
        }
        let isLate = result.error?.code == .timeoutTotal
        for (index, exchange) in members.enumerated() {
            flight.leave(exchange)
            if isLate, hasTimeLeft(exchange) {
                context.goOn(exchange) { decide(exchange) }
                continue
            }
            let copy = Response(copying: result)
            copy.isJoined = index > 0
            if flight.isStarting {
                flight.end = copy
            } else {
                context.end(exchange, copy)
            }
        }
    }

    private func hasTimeLeft(_ exchange: Exchange) -> Bool {
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now) ?? .never
        return end.microseconds(since: context.now) > 1000
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        guard let flight = exchange.flight, flight.isShared else { return nil }
        flight.leave(exchange)
        guard flight.count == 0, let shared = flight.exchange else {
            return Response(error: NetcoreError(.canceled, phase: flight.hasBegun ? .wait : .queue))
        }
        forget(flight)
        flight.isCanceled = true
        context.abandon(shared, NetcoreError(.canceled, phase: .queue))
        return flight.end.take()
    }

    override func close() {
        for flight in flights.values {
            flight.exchange?.flight = nil
            flight.exchange = nil
        }
        flights = [:]
    }
}
