/// The cache directives of an answer (RFC 9111 section 5.2.2, RFC 5861, RFC 8246).
///
/// Where directives repeat or contradict each other, the more restrictive one holds (RFC 9111 section 4.2.1): the smallest
/// of several lifetimes, 0 for one that is not a whole number. One that restricts counts even with an argument that it
/// does not take; one that permits must be well-formed.
package struct ResponseDirectives: Sendable, Equatable {
    package var isNoStore = false
    /// An unqualified no-cache.
    package var isNoCache = false
    /// The fields that a qualified no-cache keeps out of what is stored, in lower case.
    package var noCacheFields: [String] = []
    /// An unqualified private.
    package var isPrivate = false
    /// The fields that a qualified private keeps out of a shared cache, in lower case.
    package var privateFields: [String] = []
    package var isPublic = false
    package var mustRevalidate = false
    package var proxyRevalidate = false
    package var mustUnderstand = false
    package var isImmutable = false
    package var noTransform = false
    /// In seconds, as all of these; nil when absent.
    package var maxAge: Int64?
    package var sharedMaxAge: Int64?
    package var staleWhileRevalidate: Int64?
    package var staleIfError: Int64?

    package init() {}

    package init(_ fields: FieldBlock) {
        let isWhole = CacheControl.forEachDirective(in: fields) { read($0, $1) }
        if !isWhole { distrust() }
    }

    private mutating func read(_ name: UnsafeRawBufferPointer, _ argument: CacheControl.Argument) {
        if Syntax.equalsIgnoringCase(name, "max-age") {
            maxAge = Self.smaller(maxAge, argument)
        } else if Syntax.equalsIgnoringCase(name, "s-maxage") {
            sharedMaxAge = Self.smaller(sharedMaxAge, argument)
        } else if Syntax.equalsIgnoringCase(name, "stale-while-revalidate") {
            staleWhileRevalidate = Self.smaller(staleWhileRevalidate, argument)
        } else if Syntax.equalsIgnoringCase(name, "stale-if-error") {
            staleIfError = Self.smaller(staleIfError, argument)
        } else if Syntax.equalsIgnoringCase(name, "no-cache") {
            if let names = CacheControl.fieldNames(argument) { noCacheFields += names } else { isNoCache = true }
        } else if Syntax.equalsIgnoringCase(name, "private") {
            if let names = CacheControl.fieldNames(argument) { privateFields += names } else { isPrivate = true }
        } else {
            readFlag(name, argument)
        }
    }

    private mutating func readFlag(_ name: UnsafeRawBufferPointer, _ argument: CacheControl.Argument) {
        let isBare = if case .none = argument { true } else { false }
        if Syntax.equalsIgnoringCase(name, "no-store") {
            isNoStore = true
        } else if Syntax.equalsIgnoringCase(name, "must-revalidate") {
            mustRevalidate = true
        } else if Syntax.equalsIgnoringCase(name, "proxy-revalidate") {
            proxyRevalidate = true
        } else if Syntax.equalsIgnoringCase(name, "no-transform") {
            noTransform = true
        } else if Syntax.equalsIgnoringCase(name, "public") {
            isPublic = isPublic || isBare
        } else if Syntax.equalsIgnoringCase(name, "must-understand") {
            mustUnderstand = mustUnderstand || isBare
        } else if Syntax.equalsIgnoringCase(name, "immutable") {
            isImmutable = isImmutable || isBare
        }
    }

    /// Takes back all that permits, after damage.
    private mutating func distrust() {
        isPublic = false
        mustUnderstand = false
        isImmutable = false
        maxAge = 0
        sharedMaxAge = 0
        staleWhileRevalidate = nil
        staleIfError = nil
    }

    private static func smaller(_ known: Int64?, _ argument: CacheControl.Argument) -> Int64 {
        min(known ?? .max, CacheControl.seconds(argument) ?? 0)
    }
}
