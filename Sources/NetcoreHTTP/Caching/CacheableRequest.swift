package import NetcoreSupport

/// What the caching rules need to know of a request, computed once when it is prepared.
package struct CacheableRequest: Sendable {
    package let method: String
    package let url: HTTPURL
    /// The fields as they go on the wire, those included that the client adds, such as Accept-Encoding.
    package let fields: FieldBlock
    package let directives: RequestDirectives
    package let hasAuthorization: Bool
    package let ifNoneMatch: EntityTagCondition?
    /// In seconds since 1970; nil when absent, not a date, or overruled by If-None-Match (RFC 9110 section 13.1.3).
    package let ifModifiedSince: Int64?
    /// Whether If-Match or If-Unmodified-Since is there: conditions that only the origin can judge (RFC 9111 section
    /// 4.3.2).
    package let hasOriginCondition: Bool
    /// Of a GET only: other methods have no ranges (RFC 9110 section 14.2).
    package let range: RangeRequest?
    package let ifRange: RangeCondition?
    package let isGet: Bool
    package let isHead: Bool

    /// - Parameters:
    ///   - hasCredentials: an Authorization field is added when it is sent.
    ///   - now: for the century of dates with a two-digit year.
    package init(method: String, url: HTTPURL, fields: FieldBlock, hasCredentials: Bool = false, now: Timestamp) {
        let seconds = now.wall / 1000
        self.method = method
        self.url = url
        self.fields = fields
        isGet = method == "GET"
        isHead = method == "HEAD"
        directives = RequestDirectives(fields)
        hasAuthorization = hasCredentials || fields.contains("authorization")
        ifNoneMatch = EntityTagCondition(fields, "if-none-match")
        ifModifiedSince =
            ifNoneMatch == nil ? fields.date("if-modified-since", now: seconds).seconds : nil
        hasOriginCondition = fields.contains("if-match") || fields.contains("if-unmodified-since")
        range = isGet ? RangeRequest(fields) : nil
        ifRange = range != nil ? RangeCondition(fields, now: seconds) : nil
    }

    /// Whether a stored answer may serve it at all (RFC 9111 section 4): GET and HEAD, without a condition that is the
    /// origin's to judge.
    package var isServable: Bool { (isGet || isHead) && !hasOriginCondition }

    /// Whether the caller sent conditions of its own that a cache can judge.
    package var isConditional: Bool { ifNoneMatch != nil || ifModifiedSince != nil }
}
