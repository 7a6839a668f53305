@testable import Netcore
import NetcoreHTTP
import NetcoreSupport

/// What RFC 9111 says of one answer, from what the origin meant and not from what the cache read.
struct ModelRules {
    let answer: ModelAnswer
    let isShared: Bool

    /// Whether it may be stored at all (section 3).
    var isStorable: Bool {
        let ask = answer.ask
        if ask.timeToLive != nil, answer.status >= 400 { return false }
        if ask.timeToLive != nil, (200..<400).contains(answer.status), answer.status != 206 {
            let isOneUsers = isShared && ask.scope.isEmpty && (answer.isPrivate || ask.authorization != nil)
            if !isOneUsers { return true }
        }
        guard !ask.isNoStore, !answer.isNoStore, !answer.version.isVaryAny else { return false }
        guard ![416, 412].contains(answer.status) else { return false }
        if isShared {
            guard !answer.isPrivate else { return false }
            guard ask.authorization == nil || answer.isPublic || answer.mustRevalidate else { return false }
        }
        if answer.status == 206 { return true }
        guard ["GET", "HEAD"].contains(ask.method) || answer.ownLocation != nil else { return false }
        if answer.version.lifetime != .heuristic { return true }
        return [200, 203, 204, 300, 301, 304, 308, 404, 405, 410, 414, 501].contains(answer.status)
    }

    var forbidsStale: Bool {
        answer.version.lifetime == .maxAge && (answer.mustRevalidate || answer.isNoCache)
    }

    var isNoCache: Bool { answer.version.lifetime == .maxAge && answer.isNoCache }

    /// In milliseconds (section 4.2.1).
    var lifetime: Int64 {
        let origin = answer.date ?? answer.responseTime.wall / 1000
        switch answer.version.lifetime {
        case .maxAge: return answer.maxAge * 1000
        case .expires: return max(answer.expires - origin, 0) * 1000
        case .heuristic:
            guard answer.representation.occasion == 0, answer.version.status == 200,
                let modified = answer.version.lastModified, modified < origin
            else { return 0 }
            return min((origin - modified) / 10, 7 * 86_400) * 1000
        }
    }

    /// In milliseconds (section 4.2.3); nil when no clock can tell.
    func age(at now: Timestamp) -> Int64? {
        guard let elapsed = Self.elapsed(from: answer.responseTime, to: now) else { return nil }
        let received = answer.responseTime.wall / 1000
        let apparent = max(received - (answer.date ?? received), 0) * 1000
        let delay = Self.elapsed(from: answer.requestTime, to: answer.responseTime) ?? 0
        return max(apparent, answer.age * 1000 + delay) + elapsed
    }

    /// Within one boot the boot clock tells how much time passed, however the wall clock was set meanwhile.
    static func elapsed(from earlier: Timestamp, to now: Timestamp) -> Int64? {
        if earlier.boot == now.boot { return now.uptime - earlier.uptime }
        return now.wall < earlier.wall ? nil : now.wall - earlier.wall
    }
}

/// Whether a stored answer may be served to a request, by age and directives (sections 4.2.4 and 5.2.1, RFC 5861).
struct ModelReuse {
    let rules: ModelRules
    let ask: ModelAsk
    let now: Timestamp
    let isProvisional: Bool
    /// The origin was asked, and did not answer, or with an error.
    let hasFailed: Bool

    /// In milliseconds; nil for one that is not known, and counts as longer than any other.
    var age: Int64? {
        ask.timeToLive == nil
            ? rules.age(at: now) : ModelRules.elapsed(from: rules.answer.responseTime, to: now)
    }

    private var lifetime: Int64 { ask.timeToLive.map { $0 * 1000 } ?? rules.lifetime }
    var isFresh: Bool { age.map { $0 < lifetime } ?? false }
    private var staleness: Int64? { age.map { max($0 - lifetime, 0) } }

    /// Why it may not be served; nil when it may.
    func objection(_ result: CacheResult) -> String? {
        if isFresh != (result == .hit), !(result == .staleHit && hasFailed && rules.isNoCache) {
            return "called \(result), age \(age ?? -1) of \(lifetime)"
        }
        let needsValidation = rules.isNoCache && !(ask.timeToLive != nil && isFresh)
        if needsValidation { return "it has no-cache" }
        if !isFresh, rules.forbidsStale { return "stale, and must be revalidated" }
        if hasFailed { return isFresh && !ask.isNoCache ? nil : objectionAfterFailure }
        if isProvisional || ask.mode == .cacheOnly || ask.mode == .cacheElseNetwork { return nil }
        if ask.mode == .networkElseCache || ask.mode == .cacheThenNetwork { return "mode \(ask.mode)" }
        return objectionByDirectives
    }

    private var objectionAfterFailure: String? {
        if ask.mode == .networkElseCache || ask.mode == .cacheElseNetwork { return nil }
        if let limit = ask.staleIfError, limit > 0, let staleness, staleness <= limit * 1000 { return nil }
        guard !ask.isNoCache, ask.staleIfError == nil, rules.answer.version.lifetime == .maxAge,
            rules.answer.staleIfError > 0, let staleness, staleness <= rules.answer.staleIfError * 1000
        else { return "nothing allows it after a failure" }
        return nil
    }

    private var objectionByDirectives: String? {
        if ask.isNoCache { return "the request has no-cache" }
        guard let age, let staleness else { return ask.maxStale == -1 ? nil : "its age is not known" }
        if let maxAge = ask.maxAge, age / 1000 > maxAge || maxAge == 0 { return "older than the request's max-age" }
        if let minFresh = ask.minFresh, lifetime - age < minFresh * 1000 { return "not as fresh as min-fresh" }
        if isFresh { return nil }
        if let maxStale = ask.maxStale, maxStale < 0 || staleness <= maxStale * 1000 { return nil }
        let mayWait = rules.answer.version.lifetime == .maxAge && !ask.isRevalidation
        return mayWait && staleness < rules.answer.staleWhileRevalidate * 1000 ? nil : "stale"
    }
}
