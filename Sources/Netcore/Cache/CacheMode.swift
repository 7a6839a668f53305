/// How one request uses its client's cache. Values are those of netcore/caching.h.
public enum CacheMode: Int32, Sendable, CaseIterable {
    /// As RFC 9111 says, or as the request's own time to live says.
    case standard = 0
    /// The cache takes no part: nothing is read or stored, and what is stored stays.
    case ignore = 1
    /// Nothing is read; the answer is stored.
    case reload = 2
    /// Only what is stored, fresh or stale; without it a 504 of the cache's own.
    case cacheOnly = 3
    /// What is stored, fresh or stale; without it the network.
    case cacheElseNetwork = 4
    /// The network; what is stored, fresh or stale, when the origin is out of reach or answers 500, 502, 503 or 504.
    case networkElseCache = 5
    /// First what is stored, marked as provisional, then the answer of the network.
    case cacheThenNetwork = 6
    /// Nothing is read or stored, and what is stored is removed.
    case never = 7
}

/// What the cache did for a response. Values are those of netcore/caching.h.
public enum CacheResult: Int32, Sendable {
    /// No cache took part.
    case none = 0
    /// Served from the cache, fresh.
    case hit = 1
    /// Served from the cache, stale, as its directives or the request allow.
    case staleHit = 2
    /// Served from the cache, after the origin confirmed it with a 304.
    case revalidated = 3
    /// The cache answered 504 by itself: it may not serve what it has, and may not or cannot ask.
    case unsatisfiable = 4
    /// From the origin: nothing was stored.
    case notCached = 10
    /// From the origin: what was stored is expired.
    case expired = 11
    /// From the origin: what was stored has another version number.
    case versionMismatch = 12
    /// From the origin: what was stored belongs to another scope.
    case scopeMismatch = 13
    /// From the origin: another version of the application stored it.
    case applicationVersionMismatch = 14
    /// From the origin: what was stored was damaged.
    case damaged = 15
    /// From the origin: what was stored answers other request fields (Vary).
    case variantMismatch = 16
    /// From the origin: the request asked for that.
    case requested = 17
    /// From the origin: the method, or a condition or range of the request, is the origin's to answer.
    case passed = 18

    /// Whether the response came out of the cache.
    public var isFromCache: Bool { rawValue >= 1 && rawValue <= 4 }
}

extension Request {
    /// What a request asks of its client's cache.
    public struct CacheOptions: Sendable, Hashable {
        public var mode = CacheMode.standard
        /// How long an answer is fresh, counted from when it came, whatever its fields say; nil leaves that to them. Answers
        /// to any method are then stored, under a key over the body as well. A negative one is an error of the dispatch.
        public var timeToLive: Duration?
        /// Whether a time to live keeps errors too (400 and above, except 412 and 416); by default answers below 400 only.
        public var keepsErrors = false
        /// To whom the answer belongs, such as a user's id: what belongs to one scope is never served to another.
        public var scope = ""
        /// A number of the caller's: what was stored with another one is not used.
        public var version: UInt32 = 0
        /// The key in place of method, URL and body; nil for none.
        public var key: String?
        /// With a time to live: names of request fields whose values belong to the key. One that is no token is an error of
        /// the dispatch (``NetcoreError/Code/invalidHeader``).
        public var keyFields: [String] = []

        public init() {}
    }
}
