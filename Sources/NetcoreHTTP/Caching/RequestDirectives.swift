/// The cache directives of a request (RFC 9111 section 5.2.1, RFC 5861 section 4).
///
/// Where directives repeat, the more restrictive one holds; a number that is none counts as the most restrictive.
package struct RequestDirectives: Sendable, Equatable {
    package var isNoStore = false
    package var isNoCache = false
    package var isOnlyIfCached = false
    /// In seconds, as all of these; nil when absent.
    package var maxAge: Int64?
    package var minFresh: Int64?
    /// `Int64.max` for max-stale without a value: however stale.
    package var maxStale: Int64?
    package var staleIfError: Int64?

    package init() {}

    /// Reads Cache-Control, and "Pragma: no-cache" where that is absent (RFC 9111 section 5.4).
    package init(_ fields: FieldBlock) {
        guard fields.contains("cache-control") else {
            _ = CacheControl.forEachDirective(in: fields, of: "pragma") { name, _ in
                if Syntax.equalsIgnoringCase(name, "no-cache") { isNoCache = true }
            }
            return
        }
        let isWhole = CacheControl.forEachDirective(in: fields) { read($0, $1) }
        if !isWhole {
            isNoCache = true
            maxStale = nil
            staleIfError = nil
        }
    }

    /// Whether none of them is there.
    package var isPlain: Bool { self == RequestDirectives() }

    private mutating func read(_ name: UnsafeRawBufferPointer, _ argument: CacheControl.Argument) {
        if Syntax.equalsIgnoringCase(name, "no-store") {
            isNoStore = true
        } else if Syntax.equalsIgnoringCase(name, "no-cache") {
            isNoCache = true
        } else if Syntax.equalsIgnoringCase(name, "only-if-cached") {
            isOnlyIfCached = true
        } else if Syntax.equalsIgnoringCase(name, "max-age") {
            maxAge = min(maxAge ?? .max, CacheControl.seconds(argument) ?? 0)
        } else if Syntax.equalsIgnoringCase(name, "min-fresh") {
            minFresh = max(minFresh ?? 0, CacheControl.seconds(argument) ?? CacheControl.longest)
        } else if Syntax.equalsIgnoringCase(name, "max-stale") {
            let any: Int64 = if case .none = argument { .max } else { 0 }
            maxStale = min(maxStale ?? .max, CacheControl.seconds(argument) ?? any)
        } else if Syntax.equalsIgnoringCase(name, "stale-if-error") {
            staleIfError = min(staleIfError ?? .max, CacheControl.seconds(argument) ?? 0)
        }
    }
}
