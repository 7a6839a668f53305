internal import NetcoreHTTP
internal import NetcoreSupport

/// Runs filters of answers for a stage. Confined to the loop.
final class ResponseFilterRun {
    private unowned(unsafe) let context: StageContext
    private let calls: FunctionCalls
    private let kind: ResponseFilterKind

    init(_ context: StageContext, _ kind: ResponseFilterKind) {
        self.context = context
        self.kind = kind
        calls = FunctionCalls(context, context.client.filterWorker, .done)
    }

    /// What filters made of an answer, on its way from their thread to the loop.
    private final class Outcome: @unchecked Sendable {  // written before it is handed over
        var answer: FilterResponse

        init(_ answer: FilterResponse) { self.answer = answer }

        /// Returns why one of them refused it; nil if none did.
        func pass(_ filters: [ResponseFilter]) -> NetcoreError? {
            do {
                for filter in filters { try filter.call(&answer) }
                return nil
            } catch let error as NetcoreError {
                return NetcoreError(error.code, error.message, phase: .done, nativeCode: error.nativeCode)
            } catch {
                return NetcoreError(.refused, "a filter refused the answer: \(error)", phase: .done)
            }
        }
    }

    /// Holds an exchange until filters have seen its answer.
    ///
    /// - Parameter refuse: called with the error of a filter that refused it, before the exchange goes on.
    func pass(
        _ exchange: Exchange, _ result: Response, _ filters: [ResponseFilter],
        refuse: @escaping (Response, NetcoreError) -> Void
    ) -> Ascent {
        let mayHaveBody = exchange.hop.target.method != "HEAD" && ![204, 205, 304].contains(result.status)
        let outcome = Outcome(FilterResponse(result, at: exchange.hop.url, kind, mayHaveBody: mayHaveBody))
        let isHeld = calls.hold(exchange, timeout: exchange.request.options.timeouts.total) {
            outcome.pass(filters)
        } take: { [unowned self] error, since in
            exchange.times.noteFunction(since: since, context.now)
            if let error {
                refuse(result, error)
            } else {
                outcome.answer.apply(to: result)
                if !outcome.answer.tags.isEmpty { result.filterTrace = FilterTrace(tags: outcome.answer.tags) }
            }
            context.end(exchange, result)
        }
        guard isHeld else {
            refuse(result, .noThread)
            return .next
        }
        return .hold
    }

    /// A held exchange ends before its time.
    func abandon(_ exchange: Exchange) { calls.abandon(exchange) }
}
