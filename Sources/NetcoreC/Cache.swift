public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_cache_create") @implementation
public func netcore_cache_create(
    _ options: UnsafePointer<netcore_cache_options>!, _ out_cache: UnsafeMutablePointer<netcore_cache>!
) -> netcore_status {
    out_cache?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_cache, "out_cache")
        guard let options else { return out.pointee = try Lookup.insert(Cache(), .cache) }
        let from = try netcore_cache_options.read(options, "options")
        try registering(from.user_data, from.release) { (registration) throws(NetcoreError) in
            out.pointee = try Lookup.insert(Cache(try CacheOptions.read(from, registration)), .cache)
        }
    }
}

@_cdecl("netcore_cache_destroy") @implementation
public func netcore_cache_destroy(_ cache: netcore_cache) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard HandleTable.shared.release(cache, .cache) != nil else { throw Lookup.missing(cache, .cache, "cache") }
        Releases.drain()
    }
}

@_cdecl("netcore_client_get_cached") @implementation
public func netcore_client_get_cached(
    _ client: netcore_client, _ request: netcore_request, _ out_response: UnsafeMutablePointer<netcore_response>!,
    _ out_result: UnsafeMutablePointer<netcore_cache_result>!
) -> netcore_status {
    out_response?.pointee = 0
    out_result?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        let client = try Lookup.client(client)
        guard client.engine.cache != nil else {
            throw NetcoreError(.invalidState, argument: "client", "has no cache")
        }
        switch try client.cachedResponse(Lookup.request(request).snapshot) {
        case .found(let response):
            out_result?.pointee = response.cacheResult.rawValue
            out.pointee = try Lookup.insert(response, .response)
        case .notFound(let reason):
            out_result?.pointee = reason.rawValue
            throw NetcoreError(.notFound, "nothing that may be used is stored for the request")
        }
    }
}

@_cdecl("netcore_cache_clear") @implementation
public func netcore_cache_clear(
    _ cache: netcore_cache, _ filter: netcore_cache_filter, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.cache(cache).clear(clearFilter(filter, value)) }
}

private func clearFilter(
    _ filter: netcore_cache_filter, _ value: UnsafePointer<CChar>?
) throws(NetcoreError) -> Cache.Filter {
    switch Int(filter) {
    case Int(NETCORE_CACHE_FILTER_ALL): return .all
    case Int(NETCORE_CACHE_FILTER_URL): return .url(try HTTPURL(Argument.text(value, "value")).withoutFragment)
    case Int(NETCORE_CACHE_FILTER_PREFIX): return .prefix(try Argument.text(value, "value"))
    case Int(NETCORE_CACHE_FILTER_TAG): return .tag(try Argument.text(value, "value"))
    case Int(NETCORE_CACHE_FILTER_SCOPE): return .scope(try Argument.text(value, "value"))
    default: throw NetcoreError(.invalidArgument, argument: "filter", "not a netcore_cache_filter value")
    }
}

@_cdecl("netcore_cache_set_limit") @implementation
public func netcore_cache_set_limit(
    _ cache: netcore_cache, _ limit: netcore_cache_limit, _ value: UInt64
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let cache = try Lookup.cache(cache)
        let value = Int(clamping: value)
        switch Int(limit) {
        case Int(NETCORE_CACHE_LIMIT_MEMORY_BYTES): cache.setLimits(memoryBytes: value)
        case Int(NETCORE_CACHE_LIMIT_MEMORY_COUNT): cache.setLimits(memoryCount: value)
        case Int(NETCORE_CACHE_LIMIT_DISK_BYTES): cache.setLimits(diskBytes: value)
        case Int(NETCORE_CACHE_LIMIT_DISK_COUNT): cache.setLimits(diskCount: value)
        default: throw NetcoreError(.invalidArgument, argument: "limit", "not a netcore_cache_limit value")
        }
    }
}

@_cdecl("netcore_cache_get_statistics") @implementation
public func netcore_cache_get_statistics(
    _ cache: netcore_cache, _ out_statistics: UnsafeMutablePointer<netcore_cache_statistics>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_statistics, "out_statistics")
        out.write(netcore_cache_statistics(try Lookup.cache(cache).statistics))
    }
}

extension netcore_cache_statistics {
    fileprivate init(_ from: Cache.Statistics) {
        self.init()
        hits = UInt64(clamping: from.hits)
        stale_hits = UInt64(clamping: from.staleHits)
        revalidations = UInt64(clamping: from.revalidations)
        misses = UInt64(clamping: from.misses)
        stored = UInt64(clamping: from.stored)
        saved_bytes = UInt64(clamping: from.bytesSaved)
        memory_hits = UInt64(clamping: from.memoryHits)
        memory_misses = UInt64(clamping: from.memoryMisses)
        memory_evictions = UInt64(clamping: from.memoryEvictions)
        memory_bytes = UInt64(clamping: from.memoryBytes)
        memory_count = UInt64(clamping: from.memoryCount)
        disk_hits = UInt64(clamping: from.diskHits)
        disk_misses = UInt64(clamping: from.diskMisses)
        disk_evictions = UInt64(clamping: from.diskEvictions)
        disk_damaged = UInt64(clamping: from.diskDamaged)
        disk_bytes = UInt64(clamping: from.diskBytes)
        disk_count = UInt64(clamping: from.diskCount)
    }
}

@_cdecl("netcore_cache_list") @implementation
public func netcore_cache_list(
    _ cache: netcore_cache, _ fn: netcore_cache_entry_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let cache = try Lookup.cache(cache)
        let tell = try Argument.notNull(fn, "fn")
        cache.forEachEntry { hand($0, tell, user_data) }
    }
}

/// Whether the list is to go on.
private func hand(
    _ from: Cache.Entry, _ tell: netcore_cache_entry_fn, _ userData: UnsafeMutableRawPointer?
) -> Bool {
    from.url.withCString { url in
        from.tag.withCString { tag in
            from.scope.withCString { scope in
                var entry = netcore_cache_entry()
                entry.size = UInt32(MemoryLayout<netcore_cache_entry>.size)
                entry.url = url
                entry.tag = tag
                entry.scope = scope
                entry.size_bytes = UInt64(clamping: from.size)
                entry.body_bytes = UInt64(clamping: from.bodySize)
                entry.stored_at_ms = from.storedAt
                entry.fresh_until_ms = from.freshUntil
                entry.hits = UInt64(clamping: from.hits)
                let tags = from.tags.flatMap { Array("\($0)\0".utf8) }
                return tags.withUnsafeBytes { tags in
                    entry.tags = netcore_bytes(tags)
                    return tell(&entry, userData) != 0
                }
            }
        }
    }
}

@_cdecl("netcore_cache_flush") @implementation
public func netcore_cache_flush(_ cache: netcore_cache) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.cache(cache).flush() }
}

// MARK: Decoded values

/// An object of the application's with the function that frees it.
private final class ApplicationValue: @unchecked Sendable {  // a pointer that is only handed back
    let pointer: UnsafeMutableRawPointer?
    private let release: netcore_release_fn?
    private let sideThread: SideThread

    init(_ pointer: UnsafeMutableRawPointer?, _ release: netcore_release_fn?, _ sideThread: SideThread) {
        self.pointer = pointer
        self.release = release
        self.sideThread = sideThread
    }

    deinit {
        guard let release else { return }
        guard !Thread.mayWait else { return release(pointer) }
        let value = UserData(pointer: pointer)
        sideThread.run { release(value.pointer) }
    }
}

@_cdecl("netcore_response_set_cached_value") @implementation
public func netcore_response_set_cached_value(
    _ response: netcore_response, _ value: UnsafeMutableRawPointer!, _ size_bytes: Int,
    _ release: netcore_release_fn!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let response = try Lookup.response(response)
        guard let sideThread = response.sideThread else {
            throw NetcoreError(.notFound, argument: "response", "was neither stored nor served by a cache")
        }
        // Beyond what a limit can be, and far from where sums overflow; a size_t from 2^63 on arrives as negative.
        let size = (0...1 << 50).contains(size_bytes) ? size_bytes : 1 << 50
        response.setCachedValue(ApplicationValue(value, release, sideThread), size: size)
    }
}

@_cdecl("netcore_response_get_cached_value") @implementation
public func netcore_response_get_cached_value(
    _ response: netcore_response, _ out_value: UnsafeMutablePointer<UnsafeMutableRawPointer?>!
) -> netcore_status {
    out_value?.pointee = nil
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        guard let value = try Lookup.response(response).cachedValue(ApplicationValue.self) else {
            throw NetcoreError(.notFound, argument: "response", "no value is attached")
        }
        out.pointee = value.pointer
    }
}
