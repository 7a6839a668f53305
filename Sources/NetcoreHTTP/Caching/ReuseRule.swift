package import NetcoreSupport

/// What to do with a stored answer that matches a request (RFC 9111 sections 4 and 4.2.4).
package enum Reuse: Sendable, Equatable {
    /// Serves it; the age goes into the field Age, in seconds.
    case serve(age: Int64)
    /// Serves it, stale, and validates it meanwhile (RFC 5861 section 3).
    case serveWhileRevalidating(age: Int64)
    /// Asks the origin first.
    case validate(ValidationReason, onError: ErrorFallback)
    /// Answers 504 by itself: only-if-cached, and nothing that may be served (RFC 9111 section 5.2.1.7).
    case gatewayTimeout
}

/// Why a stored answer is not served as it is.
package enum ValidationReason: Sendable {
    /// It is stale, or its no-cache asks for validation.
    case stale
    /// A directive of the request asks for it.
    case request
}

/// What becomes of a request whose validation fails.
package enum ErrorFallback: Sendable, Equatable {
    /// The error, or the answer 5xx, goes to the caller.
    case passOn
    /// The stored answer is served when the origin is out of reach, or also when it answers 500, 502, 503 or 504
    /// (RFC 5861 section 4).
    case serveStale(onErrorStatus: Bool)
    /// The cache answers 504 by itself when the origin is out of reach (RFC 9111 section 5.2.2.2).
    case gatewayTimeout

    /// Status codes that count as errors for stale-if-error.
    package static func isError(_ status: Int) -> Bool { status == 500 || (502...504).contains(status) }
}

/// Decides about the reuse of a stored answer, from numbers only.
package enum ReuseRule {
    /// - Parameter timeToLive: the application's own lifetime in milliseconds from when the answer came. It stands for all
    ///   that the answer says of freshness.
    package static func decide(
        _ policy: StoredPolicy, _ request: RequestDirectives, now: Timestamp, settings: CacheSettings,
        timeToLive: Int64? = nil
    ) -> Reuse {
        let (age, lifetime) = span(policy, now, timeToLive)
        let seconds = min(age / 1000, CacheControl.longest)
        let isFresh = age < lifetime
        let needsValidation = policy.isNoCache && !(timeToLive != nil && isFresh)
        if !needsValidation, !request.isNoCache {
            if isFresh {
                let isLasting = policy.isImmutable && timeToLive == nil
                if satisfies(request, age, lifetime, ignoresMaxAge: isLasting) { return .serve(age: seconds) }
            } else if !policy.forbidsStale, satisfies(request, age, lifetime, ignoresMaxAge: false) {
                if allowsStale(request, staleness: age - lifetime) { return .serve(age: seconds) }
                if age - lifetime < policy.staleWhileRevalidate * 1000 {
                    // A caller that wants no network has no use for a validation either.
                    return request.isOnlyIfCached ? .serve(age: seconds) : .serveWhileRevalidating(age: seconds)
                }
            }
        }
        if request.isOnlyIfCached { return .gatewayTimeout }
        let reason: ValidationReason = isFresh && !needsValidation ? .request : .stale
        return .validate(
            reason, onError: fallback(policy, request, now: now, settings: settings, timeToLive: timeToLive))
    }

    /// What to do when validation fails, by the time at which it failed: what may be served stale may be too old by then.
    package static func fallback(
        _ policy: StoredPolicy, _ request: RequestDirectives, now: Timestamp, settings: CacheSettings,
        timeToLive: Int64? = nil
    ) -> ErrorFallback {
        let (age, lifetime) = span(policy, now, timeToLive)
        let isFresh = age < lifetime
        if policy.forbidsStale, !isFresh || (policy.isNoCache && timeToLive == nil) { return .gatewayTimeout }
        let staleness = isFresh ? 0 : age - lifetime
        if let limit = request.staleIfError, limit > 0, staleness <= limit * 1000 {
            return .serveStale(onErrorStatus: true)
        }
        guard !request.isNoCache else { return .passOn }
        if policy.staleIfError > 0, request.staleIfError == nil, staleness <= policy.staleIfError * 1000 {
            return .serveStale(onErrorStatus: true)
        }
        return settings.servesStaleWhenDisconnected ? .serveStale(onErrorStatus: false) : .passOn
    }

    /// How old an answer is and how long it is fresh, in milliseconds; with a time to live both count from when it came.
    private static func span(
        _ policy: StoredPolicy, _ now: Timestamp, _ timeToLive: Int64?
    ) -> (age: Int64, lifetime: Int64) {
        if let timeToLive { return (policy.elapsed(at: now), timeToLive) }
        return (policy.age(at: now), policy.lifetime * 1000)
    }

    /// The request's max-age and min-fresh (RFC 9111 sections 5.2.1.1 and 5.2.1.3). A max-age of 0 asks for validation,
    /// however new the answer. An answer that does not change until it is stale needs none (RFC 8246 section 2).
    private static func satisfies(
        _ request: RequestDirectives, _ age: Int64, _ lifetime: Int64, ignoresMaxAge: Bool
    ) -> Bool {
        if let maxAge = request.maxAge, !ignoresMaxAge {
            guard maxAge > 0, age / 1000 <= maxAge else { return false }
        }
        guard let minFresh = request.minFresh else { return true }
        return lifetime - age >= minFresh * 1000
    }

    /// The request's max-stale (RFC 9111 section 5.2.1.2).
    private static func allowsStale(_ request: RequestDirectives, staleness: Int64) -> Bool {
        guard let maxStale = request.maxStale else { return false }
        return maxStale == .max || staleness <= maxStale * 1000
    }
}
