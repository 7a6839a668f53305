public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_cache_put_value") @implementation
public func netcore_cache_put_value(
    _ cache: netcore_cache, _ key: UnsafePointer<CChar>!, _ data: UnsafeRawPointer!, _ size_bytes: Int,
    _ options: UnsafePointer<netcore_cache_value_options>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let cache = try Lookup.cache(cache)
        let key = try Argument.name(key, "key")
        let body = try Argument.body(data, size_bytes)
        var from = netcore_cache_value_options()
        if let options { from = try netcore_cache_value_options.read(options, "options") }
        let tags = try Argument.array(from.tags, from.tag_count, "tags", "tag_count") {
            (text) throws(NetcoreError) in try Argument.text(text, "tags")
        }
        let lifetime: Cache.ValueLifetime =
            switch from.ttl_ms {
            case 0: .standard
            case UInt64.max: .unlimited
            default: .limited(.milliseconds(Int64(clamping: from.ttl_ms)))
            }
        try cache.put(body, for: key, lifetime: lifetime, tags: tags)
    }
}

@_cdecl("netcore_cache_get_value") @implementation
public func netcore_cache_get_value(
    _ cache: netcore_cache, _ key: UnsafePointer<CChar>!, _ fn: netcore_cache_value_fn!,
    _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let cache = try Lookup.cache(cache)
        let key = try Argument.name(key, "key")
        let fn = try Argument.notNull(fn, "fn")
        let value = cache.storedValue(for: key)
        guard let value else { throw NetcoreError(.notFound, argument: "key", "the cache has no value of it") }
        withExtendedLifetime(value) { fn(netcore_bytes(value.bytes), user_data) }
    }
}

@_cdecl("netcore_cache_remove_value") @implementation
public func netcore_cache_remove_value(_ cache: netcore_cache, _ key: UnsafePointer<CChar>!) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        try Lookup.cache(cache).removeValue(for: Argument.name(key, "key"))
    }
}
