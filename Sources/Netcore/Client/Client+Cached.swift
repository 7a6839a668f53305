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
        guard !request.options.cache.mode.storesNothing else { return .notFound(.passed) }
        let found = cache.stored(engine.parts.identities.query(request, cache))
        if case .found(let response) = found {
            response.url = request.url
            return found
        }
        // Without a time to live of its own it asks for what any request keeps: by HTTP, or by a time to live.
        let kept = cache.stored(engine.parts.identities.queryForKept(request, cache))
        guard case .found(let response) = kept else { return found }
        response.url = request.url
        return kept
    }
}

extension Cache {
    /// What is stored for a request, in memory or on disk. Blocks while it reads from disk.
    fileprivate func stored(_ query: CacheQuery) -> Client.CachedResponse {
        guard query.isServable, !query.options.mode.storesNothing else { return .notFound(.passed) }
        let now = now
        var found = lookup(now).stored(query, inMemory(query))
        if case .failure = found, disk != nil {
            let loaded = loadFromDisk(query)
            found = lookup(now).stored(query, stored(query, loaded), wasDamaged: loaded.wasDamaged)
        }
        switch found {
        case .failure(let missing): return .notFound(missing.reason)
        case .success(let serving): return .found(Response(serving, query, now: now))
        }
    }
}
