internal import CNetcore
internal import Netcore
internal import NetcoreHTTP

enum CacheOptions {
    /// Reads the caller's struct, member by member.
    static func read(
        _ from: netcore_cache_options, _ registration: Registration
    ) throws(NetcoreError) -> Cache.Options {
        var options = Cache.Options()
        options.isShared = try Argument.flag(from.is_shared, "is_shared")
        options.followsHTTP = try !Argument.flag(from.ttl_only, "ttl_only")
        options.writesSynchronously = try Argument.flag(from.writes_synchronously, "writes_synchronously")
        options.servesStaleWhenDisconnected = try Argument.flag(
            from.serves_stale_when_disconnected, "serves_stale_when_disconnected")
        options.folder = try Argument.optionalText(from.folder, "folder")
        try options.checkFolder()
        options.memoryBytes = limit(from.memory_bytes, options.memoryBytes)
        options.memoryCount = limit(from.memory_count, options.memoryCount)
        options.diskBytes = limit(from.disk_bytes, options.diskBytes)
        options.diskCount = limit(from.disk_count, options.diskCount)
        options.streamedBytes = limit(from.streamed_bytes, options.streamedBytes)
        options.applicationVersion = try Argument.optionalText(from.application_version, "application_version") ?? ""
        options.rules = try netcore_cache_rule.readArray(
            from.rules, (from.rule_count, "rule_count"), (from.rule_size, "rule_size"), "rules"
        ) {
            (rule) throws(NetcoreError) in
            Cache.Rule(
                try Argument.text(rule.url_pattern, "url_pattern"),
                timeToLive: .milliseconds(Int64(clamping: rule.ttl_ms)))
        }
        options.keyForRequest = from.key.map { function($0, registration) }
        options.folderForRequest = from.folder_for_request.map { function($0, registration) }
        if let onEvent = from.on_event { options.onEvent = { CacheEvents.tell(onEvent, registration, $0) } }
        if from.value_ttl_ms != 0 { options.valueTimeToLive = .milliseconds(Int64(clamping: from.value_ttl_ms)) }
        if from.clock != 0 { options.clock = try Lookup.clock(from.clock) }
        return options
    }

    private static func limit(_ value: UInt64, _ standard: Int) -> Int { value == 0 ? standard : Int(clamping: value) }

    private static func function(_ function: netcore_cache_text_fn, _ registration: Registration)
        -> Cache.RequestFunction
    {
        let function = TextFunction(call: function, registration: registration)
        return { request in
            request.method.withCString { method in
                request.url.withCString { url in
                    request.withBody { body in
                        var from = netcore_cache_request()
                        from.size = UInt32(MemoryLayout<netcore_cache_request>.size)
                        from.runs_on_loop = request.runsOnLoop ? 1 : 0
                        from.method = method
                        from.url = url
                        from.body = netcore_bytes(body)
                        return request.headers.withContents { headers in
                            from.headers = netcore_bytes(headers)
                            return function.text(&from)
                        }
                    }
                }
            }
        }
    }
}

/// A function of the application's that writes a text.
private struct TextFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_cache_text_fn
    let registration: Registration

    /// A cache fails no request: a function that refuses has no text.
    func text(_ request: inout netcore_cache_request) -> String? {
        try? ApplicationText.read("a function of the cache") { room, capacity in
            call(&request, room, capacity, registration.userData)
        }
    }
}

enum CacheEvents {
    static func tell(_ onEvent: netcore_cache_event_fn, _ registration: Registration, _ event: Cache.Event) {
        let (kind, path, reason): (Int, String, String) =
            switch event {
            case .setAside(let path, let reason): (NETCORE_CACHE_EVENT_KIND_SET_ASIDE, path, reason)
            case .storingStopped(let reason): (NETCORE_CACHE_EVENT_KIND_STORING_STOPPED, "", reason)
            case .storingResumed: (NETCORE_CACHE_EVENT_KIND_STORING_RESUMED, "", "")
            case .damagedEntry(let url): (NETCORE_CACHE_EVENT_KIND_DAMAGED_ENTRY, url, "")
            }
        path.withCString { path in
            reason.withCString { reason in
                var event = netcore_cache_event()
                event.size = UInt32(MemoryLayout<netcore_cache_event>.size)
                event.kind = Int32(kind)
                event.path = path
                event.reason = reason
                onEvent(&event, registration.userData)
            }
        }
    }
}
