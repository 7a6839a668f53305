package import NetcoreSupport

/// What a stored answer allows, in numbers: computed once from its head, so that a hit parses nothing.
package struct StoredPolicy: Sendable, Equatable {
    package let status: Int
    /// How long the answer is fresh, in seconds (RFC 9111 section 4.2.1).
    package let lifetime: Int64
    /// How old the answer was when it came, in milliseconds (corrected_initial_age of RFC 9111 section 4.2.3).
    package let initialAge: Int64
    package let responseTime: Timestamp
    /// The answer's Date in seconds since 1970, or else when it came: tells which of several is the most recent.
    package let date: Int64
    /// How long a stale answer may be served while a new one is fetched, in seconds (RFC 5861 section 3).
    package let staleWhileRevalidate: Int64
    /// How long a stale answer may be served instead of an error, in seconds (RFC 5861 section 4).
    package let staleIfError: Int64
    /// Whether the lifetime was guessed (RFC 9111 section 4.2.2).
    package let isHeuristic: Bool
    /// Whether the answer is never served without validation (RFC 9111 section 5.2.2.4).
    package let isNoCache: Bool
    /// Whether it is never served stale, not even when the origin is out of reach (RFC 9111 section 4.2.4).
    package let forbidsStale: Bool
    /// Whether it does not change while it is fresh (RFC 8246). A shared cache believes that of https only: section 3 asks
    /// for it, since a body damaged on the way would stay for all its users.
    package let isImmutable: Bool
    package let hasValidator: Bool

    /// An age or a span that is not known, longer than any other, in milliseconds.
    package static let unknown = Int64.max / 4

    package init(
        _ head: StoredHead, _ validators: Validators, isSecure: Bool, settings: CacheSettings
    ) {
        let directives = ResponseDirectives(head.fields)
        let received = head.responseTime.wall / 1000
        let dateField = head.fields.date("date", now: received)
        status = head.status
        responseTime = head.responseTime
        date = dateField.seconds ?? received
        (lifetime, isHeuristic) = Freshness.lifetime(head, directives, dateField, settings)
        initialAge = Freshness.initialAge(head, date: date)
        isNoCache = directives.isNoCache
        let bindsShared = directives.proxyRevalidate || directives.sharedMaxAge != nil
        forbidsStale = isNoCache || directives.mustRevalidate || (settings.isShared && bindsShared)
        staleWhileRevalidate = directives.staleWhileRevalidate ?? 0
        staleIfError = directives.staleIfError ?? 0
        isImmutable = directives.isImmutable && (isSecure || !settings.isShared)
        hasValidator = !validators.isEmpty
    }

    /// Milliseconds since the answer came; ``unknown`` when the clock cannot tell.
    package func elapsed(at now: Timestamp) -> Int64 { now.milliseconds(since: responseTime) ?? Self.unknown }

    /// How old the answer is, in milliseconds (current_age of RFC 9111 section 4.2.3).
    package func age(at now: Timestamp) -> Int64 {
        let (age, overflow) = initialAge.addingReportingOverflow(elapsed(at: now))
        return overflow ? Self.unknown : min(age, Self.unknown)
    }

    package func isFresh(at now: Timestamp) -> Bool { age(at: now) < lifetime * 1000 }

    /// The seconds for which the answer stays fresh, below 0 when it is stale (RFC 9211 section 2.5).
    package func timeToLive(at now: Timestamp) -> Int64 { lifetime - min(age(at: now) / 1000, CacheControl.longest) }

    /// Until when the answer is fresh, in milliseconds of the wall clock: for people and lists; rules ask
    /// ``isFresh(at:)``.
    package var freshUntil: Int64 {
        responseTime.wall.adding(saturating: lifetime * 1000).subtracting(saturating: min(initialAge, 1 << 50))
    }

    /// Whether keeping the answer can ever save anything: it is fresh for a while, or can be validated, or may be served
    /// stale.
    package var isUseful: Bool { lifetime > 0 || hasValidator || staleWhileRevalidate > 0 || staleIfError > 0 }
}

/// How long an answer is fresh and how old it came (RFC 9111 section 4.2).
package enum Freshness {
    /// The lifetime in seconds, by the first of these that is there: s-maxage in a shared cache, max-age, Expires, a guess
    /// from Last-Modified. 0 for dates that are not valid.
    static func lifetime(
        _ head: StoredHead, _ directives: ResponseDirectives, _ date: DateField, _ settings: CacheSettings
    ) -> (seconds: Int64, isHeuristic: Bool) {
        if settings.isShared, let seconds = directives.sharedMaxAge { return (seconds, false) }
        if let seconds = directives.maxAge { return (seconds, false) }
        let received = head.responseTime.wall / 1000
        // Without a Date the answer counts from its arrival; with one that is not valid nothing can be said.
        guard let origin = date == .absent ? received : date.seconds else { return (0, false) }
        if head.fields.contains("expires") {
            guard let expires = earliestExpiry(head.fields, now: received) else { return (0, false) }
            return (min(max(expires.subtracting(saturating: origin), 0), CacheControl.longest), false)
        }
        guard StoreRule.isHeuristicallyCacheable(head.status) || directives.isPublic,
            let modified = head.fields.date("last-modified", now: received).seconds, modified < origin
        else { return (0, false) }
        let share = origin.subtracting(saturating: modified).multiplied(saturating: settings.heuristicPercent) / 100
        return (min(share, settings.heuristicLimit), true)
    }

    /// The earliest of several Expires; nil when one of them is no date.
    private static func earliestExpiry(_ fields: FieldBlock, now: Int64) -> Int64? {
        var result = Int64.max
        var isValid = true
        fields.forEachValue(of: "expires") { value in
            if let seconds = HTTPDate.parse(Syntax.trimmed(value), now: now) {
                result = min(result, seconds)
            } else {
                isValid = false
            }
        }
        return isValid ? result : nil
    }

    /// corrected_initial_age in milliseconds (RFC 9111 section 4.2.3).
    static func initialAge(_ head: StoredHead, date: Int64) -> Int64 {
        let sinceDate = max((head.responseTime.wall / 1000).subtracting(saturating: date), 0)
        let delay = head.responseTime.milliseconds(since: head.requestTime) ?? 0
        let corrected = age(head.fields).multiplied(saturating: 1000).adding(saturating: delay)
        return max(sinceDate.multiplied(saturating: 1000), corrected)
    }

    /// The first member of the Age fields in seconds; 0 when it is not a number (RFC 9111 section 5.1).
    static func age(_ fields: FieldBlock) -> Int64 {
        fields.withFirstValue(of: "age") { value in
            let first = value.firstIndex(of: UInt8(ascii: ",")) ?? value.count
            return CacheControl.seconds(Syntax.trimmed(UnsafeRawBufferPointer(rebasing: value[..<first])))
        } ?? 0
    }
}
