internal import NetcoreHTTP

extension OriginAnswer {
    /// What an answer or an error of the origin comes to: what is stored changes, and the result becomes what the caller
    /// gets.
    mutating func settle(_ result: Response) -> Outcome {
        if let error = result.error {
            if error.code != .canceled, error.isOriginOutOfReach { useFallback(result, fetch.mark) }
            return .done
        }
        let fields = result.fieldBlock ?? FieldBlock()
        let mark = fetch.mark
        // First: what an error asks to forget does not stand in for it.
        invalidate(result.status, fields)
        if ErrorFallback.isError(result.status), useFallback(result, mark) { return .done }
        return conclude(result, fields)
    }

    /// Serves what is stored instead of an error, where that is allowed. Returns whether it did.
    ///
    /// - Parameter mark: when it was looked up. What was removed since, or replaced, is not served.
    @discardableResult
    private func useFallback(_ result: Response, _ mark: RecentChanges.Mark) -> Bool {
        guard let answer = fetch.selected, query.options.mode != .reload, !cache.isOutdated(answer, since: mark) else {
            return false
        }
        let isStatus = result.error == nil
        let lookup = cache.lookup(now)
        switch lookup.fallback(query, answer) {
        case .passOn: return false
        case .serveStale(let onErrorStatus):
            guard !isStatus || onErrorStatus else { return false }
            var status = CacheStatus.forwarded(fetch.forward)
            if isStatus { status.forwardStatus = result.status }
            var serving = lookup.serving(answer, query)
            if serving.result == .hit, answer.variant.policy.isNoCache { serving.result = .staleHit }
            result.fill(serving, query, now: now, status: status)
        case .gatewayTimeout:
            guard !isStatus else { return false }
            result.fillGatewayTimeout(query, .unsatisfiable, now: now)
        }
        return true
    }
}

extension NetcoreError {
    /// Whether the origin could not be asked, or gave no whole answer.
    var isOriginOutOfReach: Bool {
        switch code.rawValue / 100 {
        case 4, 5, 6: true
        default: code == .truncated
        }
    }
}
