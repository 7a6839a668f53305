public import CNetcore
internal import Netcore
internal import NetcoreHTTP

extension BreakerPolicy {
    fileprivate init(_ from: netcore_breaker_options) {
        self.init()
        if from.bucket_count != 0 { buckets = Int(from.bucket_count) }
        Self.set(&window, from.window_ms)
        if from.min_tries != 0 { minimumTries = Int(from.min_tries) }
        if from.failure_percent != 0 { failureRatio = Double(from.failure_percent) / 100 }
        if from.connect_failures != 0 {
            connectFailures = from.connect_failures == .max ? nil : Int(from.connect_failures)
        }
        if from.jitter_percent != 0 { jitter = from.jitter_percent == .max ? 0 : Double(from.jitter_percent) / 100 }
        Self.set(&openTime, from.open_ms)
        Self.set(&maximumOpenTime, from.max_open_ms)
    }

    private static func set(_ time: inout Duration, _ milliseconds: UInt64) {
        if milliseconds != 0 { time = .milliseconds(Int64(clamping: milliseconds)) }
    }
}

extension netcore_breaker_options {
    fileprivate init(_ policy: BreakerPolicy) {
        self.init()
        let jitter = Int((policy.jitter * 100).rounded())
        bucket_count = UInt32(clamping: policy.buckets)
        window_ms = UInt64(clamping: policy.window.milliseconds)
        min_tries = UInt32(clamping: policy.minimumTries)
        failure_percent = UInt32(clamping: Int((policy.failureRatio * 100).rounded()))
        connect_failures = policy.connectFailures.map { UInt32(clamping: $0) } ?? .max
        jitter_percent = jitter == 0 ? .max : UInt32(clamping: jitter)
        open_ms = UInt64(clamping: policy.openTime.milliseconds)
        max_open_ms = UInt64(clamping: policy.maximumOpenTime.milliseconds)
    }
}

@_cdecl("netcore_client_set_breaker") @implementation
public func netcore_client_set_breaker(
    _ client: netcore_client, _ options: UnsafePointer<netcore_breaker_options>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let options else { return try client.setBreaker(nil) }
        try client.setBreaker(BreakerPolicy(netcore_breaker_options.read(options, "options")))
    }
}

@_cdecl("netcore_client_get_breaker") @implementation
public func netcore_client_get_breaker(
    _ client: netcore_client, _ out_enabled: UnsafeMutablePointer<Int32>!,
    _ out_options: UnsafeMutablePointer<netcore_breaker_options>!
) -> netcore_status {
    out_enabled?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = out_options == nil ? nil : try OutRoom(out_options, "out_options")
        guard let policy = try Lookup.client(client).breaker else { return }
        out_enabled?.pointee = 1
        room?.write(netcore_breaker_options(policy))
    }
}

@_cdecl("netcore_client_list_breakers") @implementation
public func netcore_client_list_breakers(
    _ client: netcore_client, _ fn: netcore_breaker_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let fn = try Argument.notNull(fn, "fn")
        for found in try Lookup.client(client).breakers {
            let origin = found.origin.utf8CString
            var info = netcore_breaker_info()
            info.size = UInt32(MemoryLayout<netcore_breaker_info>.size)
            info.state = found.state.rawValue
            info.origin = netcore_bytes(text: origin)
            info.try_count = UInt64(clamping: found.tries)
            info.failure_count = UInt64(clamping: found.failures)
            info.wait_ms = UInt64(clamping: found.wait.milliseconds)
            info.opening_count = UInt64(clamping: found.openings)
            info.refusal_count = UInt64(clamping: found.refusals)
            guard withExtendedLifetime(origin, { fn(&info, user_data) }) != 0 else { return }
        }
    }
}
