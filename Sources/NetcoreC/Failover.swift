public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP

extension FailoverPolicy {
    fileprivate init(_ from: netcore_failover_options) throws(NetcoreError) {
        guard from.reserved == 0 else {
            throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0")
        }
        self.init()
        if from.bucket_count != 0 { buckets = Int(from.bucket_count) }
        if from.window_ms != 0 { window = .milliseconds(Int64(clamping: from.window_ms)) }
        if from.min_tries != 0 { minimumTries = Int(from.min_tries) }
        if from.failure_percent != 0 { failureRatio = Double(from.failure_percent) / 100 }
        if from.cool_down_ms != 0 {
            coolDown = from.cool_down_ms == .max ? nil : .milliseconds(Int64(clamping: from.cool_down_ms))
        }
        guard let path = try Argument.optionalText(from.probe_path, "probe_path") else { return }
        var probe = HealthProbe(path: path)
        if let method = try Argument.optionalText(from.probe_method, "probe_method") { probe.method = method }
        if from.probe_interval_ms != 0 { probe.interval = .milliseconds(Int64(clamping: from.probe_interval_ms)) }
        if from.probe_timeout_ms != 0 { probe.timeout = .milliseconds(Int64(clamping: from.probe_timeout_ms)) }
        if from.probe_successes != 0 { probe.successes = Int(from.probe_successes) }
        self.probe = probe
    }
}

/// A policy as numbers and texts that can be lent to C.
private final class FailoverView {
    private(set) var options = netcore_failover_options()
    private let path: UnsafeMutablePointer<CChar>?
    private let method: UnsafeMutablePointer<CChar>?

    init(_ policy: FailoverPolicy) {
        path = policy.probe.flatMap { strdup($0.path) }
        method = policy.probe.flatMap { strdup($0.method) }
        options = netcore_failover_options(policy)
        options.probe_path = UnsafePointer(path)
        options.probe_method = UnsafePointer(method)
    }

    deinit {
        free(path)
        free(method)
    }
}

extension netcore_failover_options {
    fileprivate init(_ policy: FailoverPolicy) {
        self.init()
        probe_interval_ms = UInt64(clamping: policy.probe?.interval.milliseconds ?? 0)
        probe_timeout_ms = UInt64(clamping: policy.probe?.timeout.milliseconds ?? 0)
        probe_successes = UInt32(clamping: policy.probe?.successes ?? 0)
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
        guard let room else { return }
        let view = FailoverView(policy)
        LentView.ofFailover.keep(view)
        room.write(view.options)
    }
}
