internal import NetcoreHTTP
internal import NetcoreSupport

/// Holds requests that wait for the network while there is none. It stands below *retry*, whose attempts wait as well, and above *admit*,
/// so that what waits has no slot.
final class NetworkStage: Stage {
    private unowned(unsafe) let context: StageContext
    /// Those that wait, by the numbers of their holds.
    private var waiting: [Int: Exchange] = [:]

    init(_ context: StageContext) { self.context = context }

    override func down(_ exchange: Exchange) -> Descent {
        guard let limit = exchange.request.options.networkWait, !context.client.reachability.isReachable else {
            return .next
        }
        let end = exchange.times.started.flatMap { _ in
            exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        }
        let due = context.now.adding(milliseconds: limit)
        let isTotal = end.map { $0 < due } ?? false
        let error =
            isTotal
            ? NetcoreError(.timeoutTotal, "the network was unreachable", phase: .queue)
            : NetcoreError(
                .networkUnreachable, "the network was unreachable for the \(limit) ms that the request waits",
                phase: .queue)
        let number = context.hold(exchange, until: isTotal ? end : due, else: error)
        waiting[number] = exchange
        exchange.reportWait(.network)
        return .hold
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        waiting[exchange.place.hold] = nil
        return nil
    }

    /// The network may be back.
    override func limitsDidChange() {
        guard !waiting.isEmpty, context.client.reachability.isReachable else { return }
        let some = waiting.sorted { $0.key < $1.key }
        waiting = [:]
        for (number, exchange) in some where context.isHeld(exchange, number) { context.goOn(exchange) }
    }

    override func close() { waiting = [:] }
}
