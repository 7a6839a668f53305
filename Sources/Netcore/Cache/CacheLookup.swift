internal import NetcoreHTTP
internal import NetcoreSupport

/// What to do with a request, given what is stored under its key: a pure rule (docs/caching.md has the diagram).
enum CacheDecision {
    /// Hand out a stored answer.
    case serve(Serving)
    /// Ask the origin.
    case fetch(CacheFetch)
    /// 504 by the cache itself.
    case unsatisfiable(CacheResult)
}

/// A stored answer that is handed out.
struct Serving {
    let answer: CachedAnswer
    /// In seconds.
    var age: Int64
    var result: CacheResult
    /// It is validated in the background meanwhile.
    var isRevalidating = false
}

/// A request on its way to the origin, and what the cache knew when it went.
struct CacheFetch {
    /// Why what is stored was not enough.
    var reason: CacheResult
    var forward: CacheStatus.Forward
    /// All that is stored for the key and may be used, its matching ones by preference, and the one to validate.
    var answers: [CachedAnswer] = []
    var matching: [Int] = []
    var selected: CachedAnswer?
    var validation: ValidationFields?
    /// Of which the request asks for the missing bytes only.
    var completed: CachedAnswer?
    /// What is shown before the origin's answer.
    var provisional: Serving?
    /// When what is stored was looked up.
    var mark = RecentChanges.Mark()
    /// When the request went out.
    var requestTime = Timestamp(wall: 0, uptime: 0, boot: 0)
    /// It was sent again without conditions, after a 304 that nothing stored could answer.
    var isRepeated = false

    init(_ reason: CacheResult, _ forward: CacheStatus.Forward) {
        self.reason = reason
        self.forward = forward
    }

    /// The same, to be sent again.
    var withoutConditions: CacheFetch {
        var result = self
        result.validation = nil
        result.completed = nil
        result.selected = nil
        result.isRepeated = true
        return result
    }
}

struct CacheLookup {
    let settings: CacheSettings
    let applicationVersion: String
    let now: Timestamp

    /// - Parameters:
    ///   - wasDamaged: something was stored, and could not be read.
    ///   - isRevalidation: the request is one of the cache's own: what may be served stale is not enough.
    func decide(
        _ query: CacheQuery, _ stored: [CachedAnswer], wasDamaged: Bool = false, isRevalidation: Bool = false
    ) -> CacheDecision {
        let (usable, mismatch) = usable(stored, query)
        let variants = usable.map(\.variant)
        let matching = VariantSelection.matches(variants, query.request.fields)
        guard query.options.mode != .reload else { return .fetch(reload(usable, matching)) }
        guard let first = matching.first(where: { !variants[$0].isPartial }) ?? matching.first else {
            let reason = wasDamaged ? .damaged : mismatch ?? (usable.isEmpty ? .notCached : .variantMismatch)
            return miss(query, reason, usable)
        }
        let answer = usable[first]
        var fetch = CacheFetch(.expired, .stale)
        fetch.answers = usable
        fetch.matching = matching
        guard isAvailable(answer, query) else {
            fetch.reason = .passed
            fetch.forward = .partial
            if isCompletable(answer, query) { fetch.completed = answer }
            return query.request.directives.isOnlyIfCached ? .unsatisfiable(.unsatisfiable) : .fetch(fetch)
        }
        fetch.selected = answer
        return judge(query, answer, fetch, isRevalidation)
    }

    /// Whether the caller wants the whole, and the origin can be asked for what is missing on the condition that nothing
    /// changed (RFC 9111 section 3.3).
    private func isCompletable(_ answer: CachedAnswer, _ query: CacheQuery) -> Bool {
        let mode = query.options.mode
        return query.isWholeWanted && (mode == .standard || mode == .cacheElseNetwork)
            && answer.parts?.rangeForRest != nil && answer.variant.validators.strongTag != nil
    }

    /// Without a condition; what is stored is known, so that the answer can take its place.
    private func reload(_ usable: [CachedAnswer], _ matching: [Int]) -> CacheFetch {
        var fetch = CacheFetch(.requested, .request)
        fetch.answers = usable
        fetch.matching = matching
        fetch.selected = matching.first.map { usable[$0] }
        return fetch
    }

    struct Missing: Error {
        let reason: CacheResult
    }

    /// What is stored, fresh or stale, for a caller that wants to know only that.
    func stored(
        _ query: CacheQuery, _ stored: [CachedAnswer], wasDamaged: Bool = false
    ) -> Result<Serving, Missing> {
        let (usable, mismatch) = usable(stored, query)
        let matching = VariantSelection.matches(usable.map(\.variant), query.request.fields)
        guard let first = matching.first(where: { isAvailable(usable[$0], query) }) else {
            let reason = wasDamaged ? .damaged : mismatch ?? (usable.isEmpty ? .notCached : .variantMismatch)
            return .failure(Missing(reason: reason))
        }
        return .success(serving(usable[first], query))
    }

    /// Those that scope and versions allow, and why others are not.
    private func usable(_ stored: [CachedAnswer], _ query: CacheQuery) -> ([CachedAnswer], CacheResult?) {
        var mismatch: CacheResult?
        let usable = stored.filter { answer in
            let application = answer.application
            if application.scope != query.scope {
                mismatch = mismatch ?? .scopeMismatch
            } else if application.applicationVersion != applicationVersion {
                mismatch = .applicationVersionMismatch
            } else if application.version != query.options.version {
                mismatch = .versionMismatch
            } else {
                return !application.isOnlyByTimeToLive || query.isApplications
            }
            return false
        }
        return (usable, usable.isEmpty ? mismatch : nil)
    }

    private func miss(_ query: CacheQuery, _ reason: CacheResult, _ usable: [CachedAnswer]) -> CacheDecision {
        if query.options.mode == .cacheOnly || query.request.directives.isOnlyIfCached { return .unsatisfiable(reason) }
        var fetch = CacheFetch(reason, reason == .variantMismatch ? .varyMiss : usable.isEmpty ? .uriMiss : .miss)
        fetch.answers = usable
        if !query.options.mode.readsNothing, !query.isForKept {
            fetch.validation = ValidationFields(usable.map(\.variant), selected: nil, request: query.request)
        }
        return .fetch(fetch)
    }

    /// Whether the stored bytes can answer the request at all.
    private func isAvailable(_ answer: CachedAnswer, _ query: CacheQuery) -> Bool {
        if let parts = answer.parts {
            return RangeRule.satisfy(query.request, answer.variant, parts: parts) != .forward
        }
        let outcome = RangeRule.satisfy(
            query.request, answer.variant, length: Int64(answer.body.count),
            isBodyDecoded: answer.isBodyDecoded(for: query))
        return outcome != .forward
    }

    private func judge(
        _ query: CacheQuery, _ answer: CachedAnswer, _ template: CacheFetch, _ isRevalidation: Bool
    ) -> CacheDecision {
        let policy = answer.variant.policy
        let reuse = ReuseRule.decide(
            policy, query.request.directives, now: now, settings: settings, timeToLive: query.timeToLive(of: answer))
        let mode = query.options.mode
        var fetch = template
        if mode == .networkElseCache || mode == .cacheThenNetwork {
            fetch.reason = .requested
            fetch.forward = .request
            if mode == .cacheThenNetwork, let serving = anything(answer, query) { fetch.provisional = serving }
        } else {
            switch reuse {
            case .serve(let age): return .serve(Serving(answer: answer, age: age, result: result(answer, query)))
            case .serveWhileRevalidating(let age) where !isRevalidation:
                return .serve(Serving(answer: answer, age: age, result: .staleHit, isRevalidating: true))
            case .serveWhileRevalidating: break
            case .gatewayTimeout: return .unsatisfiable(.unsatisfiable)
            case .validate(let reason, _):
                if mode == .cacheOnly || mode == .cacheElseNetwork, let serving = anything(answer, query) {
                    return .serve(serving)
                }
                if mode == .cacheOnly { return .unsatisfiable(.unsatisfiable) }
                fetch.reason = reason == .stale ? .expired : .requested
                fetch.forward = reason == .stale ? .stale : .request
            }
        }
        // What a time to live keeps is not updated by a request that has none.
        guard !query.isForKept else { return .fetch(fetch) }
        fetch.validation = ValidationFields(
            template.answers.map(\.variant), selected: template.matching.first, request: query.request)
        return .fetch(fetch)
    }

    /// A stored answer for a caller that takes stale ones, unless it forbids that itself (RFC 9111 section 4.2.4).
    private func anything(_ answer: CachedAnswer, _ query: CacheQuery) -> Serving? {
        let result = result(answer, query)
        guard result == .hit && !answer.variant.policy.isNoCache || !answer.variant.policy.forbidsStale else {
            return nil
        }
        return Serving(answer: answer, age: answer.variant.policy.age(at: now) / 1000, result: result)
    }

    private func result(_ answer: CachedAnswer, _ query: CacheQuery) -> CacheResult {
        answer.isFresh(for: query, at: now) ? .hit : .staleHit
    }

    /// What is served instead of an error of the origin, if anything may be (RFC 9111 section 4.2.4, RFC 5861 section 4).
    func fallback(_ query: CacheQuery, _ answer: CachedAnswer) -> ErrorFallback {
        let rule = ReuseRule.fallback(
            answer.variant.policy, query.request.directives, now: now, settings: settings,
            timeToLive: query.timeToLive(of: answer))
        guard query.options.mode == .networkElseCache, rule == .passOn || rule == .serveStale(onErrorStatus: false)
        else {
            return rule
        }
        return .serveStale(onErrorStatus: true)
    }

    func serving(_ answer: CachedAnswer, _ query: CacheQuery) -> Serving {
        Serving(answer: answer, age: answer.variant.policy.age(at: now) / 1000, result: result(answer, query))
    }
}

extension CacheMode {
    var readsNothing: Bool { self == .ignore || self == .reload || self == .never }
    var storesNothing: Bool { self == .ignore || self == .never }

    /// Whether a request without a time to live uses what another one keeps, in a cache that does not follow HTTP.
    var usesKept: Bool {
        switch self {
        case .cacheOnly, .cacheElseNetwork, .networkElseCache, .cacheThenNetwork, .never: true
        case .standard, .ignore, .reload: false
        }
    }
}

extension CachedAnswer {
    func isFresh(for query: CacheQuery, at now: Timestamp) -> Bool {
        guard let timeToLive = query.timeToLive(of: self) else { return variant.policy.isFresh(at: now) }
        return variant.policy.elapsed(at: now) < timeToLive
    }

    /// Whether a content coding was undone before the body was stored.
    func isBodyDecoded(for query: CacheQuery) -> Bool {
        query.decodesContent && variant.head.fields.contains("content-encoding")
    }
}
