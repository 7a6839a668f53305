public import NetcoreHTTP
internal import NetcoreSupport

extension Client {
    /// What is stored for a request.
    public enum CachedResponse: Sendable {
        /// Fresh or stale, as its ``Response/cacheResult`` says.
        case found(Response)
        /// Nothing that may be used, and why.
        case notFound(CacheResult)
    }

    /// Gets what is stored for a request, fresh or stale, without sending anything. Blocks while it reads from disk, and
    /// while filters run. A client without a cache has nothing.
    public func cachedResponse(_ request: Request) throws(NetcoreError) -> CachedResponse {
        try engine.checkUsable()
        guard engine.intake.isOpen else { throw Intake.shutDownError }
        guard let cache = engine.cache else { return .notFound(.none) }
        let request = try engine.resolveNow(request)
        guard !engine.parts.identities.awaitToken(request) else { return .notFound(.notCached) }
        let query = engine.parts.identities.query(request, cache)
        guard query.isServable, !query.options.mode.storesNothing else { return .notFound(.passed) }
        let now = cache.now
        var found = cache.lookup(now).stored(query, cache.inMemory(query))
        if case .failure = found, cache.disk != nil {
            let loaded = cache.loadFromDisk(query)
            found = cache.lookup(now).stored(query, cache.stored(query, loaded), wasDamaged: loaded.wasDamaged)
        }
        switch found {
        case .failure(let missing): return .notFound(missing.reason)
        case .success(let serving):
            let response = Response(serving, query, now: now)
            response.url = request.url
            return .found(response)
        }
    }
}
