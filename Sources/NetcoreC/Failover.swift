public import CNetcore
internal import Netcore
internal import NetcoreHTTP

extension FailoverPolicy {
    fileprivate init(_ from: netcore_failover_options) {
        self.init()
        if from.bucket_count != 0 { buckets = Int(from.bucket_count) }
        if from.window_ms != 0 { window = .milliseconds(Int64(clamping: from.window_ms)) }
        if from.min_tries != 0 { minimumTries = Int(from.min_tries) }
        if from.failure_percent != 0 { failureRatio = Double(from.failure_percent) / 100 }
        if from.cool_down_ms != 0 {
            coolDown = from.cool_down_ms == .max ? nil : .milliseconds(Int64(clamping: from.cool_down_ms))
        }
    }
}

extension netcore_failover_options {
    fileprivate init(_ policy: FailoverPolicy) {
        self.init()
        bucket_count = UInt32(clamping: policy.buckets)
        window_ms = UInt64(clamping: policy.window.milliseconds)
        min_tries = UInt32(clamping: policy.minimumTries)
        failure_percent = UInt32(clamping: Int((policy.failureRatio * 100).rounded()))
        cool_down_ms = policy.coolDown.map { UInt64(clamping: $0.milliseconds) } ?? .max
    }
}

@_cdecl("netcore_client_set_failover") @implementation
public func netcore_client_set_failover(
    _ client: netcore_client, _ options: UnsafePointer<netcore_failover_options>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let options else { return try client.setFailover(nil) }
        try client.setFailover(FailoverPolicy(netcore_failover_options.read(options, "options")))
    }
}

@_cdecl("netcore_client_get_failover") @implementation
public func netcore_client_get_failover(
    _ client: netcore_client, _ out_enabled: UnsafeMutablePointer<Int32>!,
    _ out_options: UnsafeMutablePointer<netcore_failover_options>!
) -> netcore_status {
    out_enabled?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = out_options == nil ? nil : try OutRoom(out_options, "out_options")
        guard let policy = try Lookup.client(client).failover else { return }
        out_enabled?.pointee = 1
        room?.write(netcore_failover_options(policy))
    }
}
