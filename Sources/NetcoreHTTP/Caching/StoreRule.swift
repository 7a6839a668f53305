/// Whether an answer may be stored (RFC 9111 section 3).
package enum StoreRule {
    /// Why an answer was not stored; the text goes into the detail of Cache-Status.
    package enum Refusal: String, Sendable {
        case method
        case requestNoStore = "request-no-store"
        case interim
        /// One that answers the conditions or the range of its own request only.
        case status
        case responseNoStore = "no-store"
        case notUnderstood = "must-understand"
        case isPrivate = "private"
        case authorization
        case varyAny = "vary-any"
        /// Nothing says that it may be stored, and its status does not either.
        case notCacheable = "not-cacheable"
        /// A part without a valid Content-Range, or one that says otherwise than its body.
        case partial
        /// Connection, or a qualified directive, takes out a field that caching depends on.
        case hiddenRules = "hidden-rules"
    }

    package enum Decision: Sendable, Equatable {
        /// Stored for GET and HEAD on the request's URL.
        case store
        /// A part (RFC 9111 section 3.3). It is combined with others of the same strong entity tag only (section 3.4).
        case storePartial(ContentRange)
        case refuse(Refusal)
    }

    /// Status codes whose answers may be stored, and judged by heuristics, though nothing says so (RFC 9110 section 15.1).
    package static func isHeuristicallyCacheable(_ status: Int) -> Bool {
        switch status {
        case 200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501: true
        default: false
        }
    }

    package static func decide(
        request: CacheableRequest, status: Int, fields: FieldBlock, directives: ResponseDirectives,
        settings: CacheSettings
    ) -> Decision {
        guard request.isGet || request.method == "POST" else { return .refuse(.method) }
        if let refusal = refusal(request, status, directives, settings) { return .refuse(refusal) }
        guard !Vary(fields).isAny else { return .refuse(.varyAny) }
        guard !FieldStorage(fields, directives, isShared: settings.isShared).hidesRules else {
            return .refuse(.hiddenRules)
        }
        let hasLifetime =
            directives.maxAge != nil || fields.contains("expires")
            || (settings.isShared && directives.sharedMaxAge != nil)
        guard request.isGet else {
            return hasLifetime && isOwnRepresentation(request, status, fields) ? .store : .refuse(.method)
        }
        let isAllowed = directives.isPublic || (!settings.isShared && directives.isPrivate)
        guard hasLifetime || isAllowed || isHeuristicallyCacheable(status) else { return .refuse(.notCacheable) }
        guard status == 206 else { return .store }
        guard let range = ContentRange(fields) else { return .refuse(.partial) }
        return .storePartial(range)
    }

    /// Whether the fields of a 304, or of an answer to HEAD, may be written into what is stored. If not, they are shown to
    /// the caller, and what is stored goes: the origin no longer wants it kept.
    package static func allowsUpdate(
        by request: CacheableRequest, _ directives: ResponseDirectives, settings: CacheSettings
    ) -> Bool {
        refusal(request, 200, directives, settings) == nil
    }

    private static func refusal(
        _ request: CacheableRequest, _ status: Int, _ directives: ResponseDirectives, _ settings: CacheSettings
    ) -> Refusal? {
        guard !request.directives.isNoStore else { return .requestNoStore }
        guard status >= 200, status <= 599 else { return .interim }
        guard status != 304, status != 412, status != 416 else { return .status }
        let understands = settings.understoodStatuses.contains(status)
        if directives.mustUnderstand || status == 206 {
            guard understands else { return .notUnderstood }
        }
        // must-understand stands for no-store where the status is understood (RFC 9111 section 5.2.2.3).
        guard !directives.isNoStore || directives.mustUnderstand else { return .responseNoStore }
        guard settings.isShared else { return nil }
        guard !directives.isPrivate else { return .isPrivate }
        let isExplicit = directives.isPublic || directives.mustRevalidate || directives.sharedMaxAge != nil
        return request.hasAuthorization && !isExplicit ? .authorization : nil
    }

    /// Whether an answer to POST is what a GET of the same URL would bring (RFC 9110 section 9.3.3).
    private static func isOwnRepresentation(_ request: CacheableRequest, _ status: Int, _ fields: FieldBlock) -> Bool {
        guard request.method == "POST", status == 200 || status == 203 || status == 204 else { return false }
        let location = fields.withFirstValue(of: "content-location") { try? request.url.resolving($0) }
        return location?.withoutFragment == request.url.withoutFragment
    }
}

extension HTTPURL {
    /// The URL as a cache knows it: what comes after "#" is not sent, and not part of the key (RFC 9111 section 2).
    package var withoutFragment: String {
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
