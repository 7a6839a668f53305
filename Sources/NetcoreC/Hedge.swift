public import CNetcore
internal import Netcore
internal import NetcoreHTTP

extension HedgePolicy {
    fileprivate init(_ from: netcore_hedge_options) {
        self.init()
        Self.set(&percentile, from.percentile)
        Self.set(&window, from.window_ms)
        Self.set(&refresh, from.refresh_ms)
        Self.set(&minimumDelay, from.min_delay_ms)
        Self.set(&initialDelay, from.initial_delay_ms)
        Self.set(&minimumSamples, from.min_samples)
        Self.set(&buckets, from.bucket_count)
        Self.set(&budget.tokens, from.budget_tokens)
        if from.budget_success_percent != 0 {
            budget.perSuccess = from.budget_success_percent == .max ? 0 : Double(from.budget_success_percent) / 100
        }
    }

    private static func set(_ time: inout Duration, _ milliseconds: UInt64) {
        if milliseconds != 0 { time = .milliseconds(Int64(clamping: milliseconds)) }
    }

    private static func set(_ count: inout Int, _ number: UInt32) {
        if number != 0 { count = Int(number) }
    }
}

extension netcore_hedge_options {
    fileprivate init(_ policy: HedgePolicy) {
        self.init()
        let percent = Int((policy.budget.perSuccess * 100).rounded())
        percentile = UInt32(clamping: policy.percentile)
        window_ms = UInt64(clamping: policy.window.milliseconds)
        refresh_ms = UInt64(clamping: policy.refresh.milliseconds)
        min_delay_ms = UInt64(clamping: policy.minimumDelay.milliseconds)
        initial_delay_ms = UInt64(clamping: policy.initialDelay.milliseconds)
        min_samples = UInt32(clamping: policy.minimumSamples)
        bucket_count = UInt32(clamping: policy.buckets)
        budget_tokens = UInt32(clamping: policy.budget.tokens)
        budget_success_percent = percent == 0 ? .max : UInt32(clamping: percent)
    }
}

/// Room that may be null.
private func room(
    _ pointer: UnsafeMutablePointer<netcore_hedge_options>?
) throws(NetcoreError) -> OutRoom<netcore_hedge_options>? {
    guard pointer != nil else { return nil }
    return try OutRoom(pointer, "out_options")
}

@_cdecl("netcore_client_set_hedging") @implementation
public func netcore_client_set_hedging(
    _ client: netcore_client, _ options: UnsafePointer<netcore_hedge_options>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let options else { return try client.setHedging(nil) }
        try client.setHedging(HedgePolicy(netcore_hedge_options.read(options, "options")))
    }
}

@_cdecl("netcore_client_get_hedging") @implementation
public func netcore_client_get_hedging(
    _ client: netcore_client, _ out_enabled: UnsafeMutablePointer<Int32>!,
    _ out_options: UnsafeMutablePointer<netcore_hedge_options>!
) -> netcore_status {
    out_enabled?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = try room(out_options)
        guard let policy = try Lookup.client(client).hedging else { return }
        out_enabled?.pointee = 1
        room?.write(netcore_hedge_options(policy))
    }
}

@_cdecl("netcore_request_set_hedging") @implementation
public func netcore_request_set_hedging(
    _ request: netcore_request, _ hedging: netcore_hedging, _ options: UnsafePointer<netcore_hedge_options>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let isOwn = Int(hedging) == Int(NETCORE_HEDGING_OWN)
        guard options == nil || isOwn else {
            throw NetcoreError(.invalidArgument, argument: "options", "must be null without NETCORE_HEDGING_OWN")
        }
        switch Int(hedging) {
        case Int(NETCORE_HEDGING_CLIENT): try request.setHedging(.client)
        case Int(NETCORE_HEDGING_OFF): try request.setHedging(.off)
        case Int(NETCORE_HEDGING_OWN):
            guard let options else { return try request.setHedging(.policy(.standard)) }
            try request.setHedging(.policy(HedgePolicy(netcore_hedge_options.read(options, "options"))))
        default: throw NetcoreError(.invalidArgument, argument: "hedging", "not a netcore_hedging value")
        }
    }
}

@_cdecl("netcore_request_get_hedging") @implementation
public func netcore_request_get_hedging(
    _ request: netcore_request, _ out_hedging: UnsafeMutablePointer<netcore_hedging>!,
    _ out_options: UnsafeMutablePointer<netcore_hedge_options>!
) -> netcore_status {
    out_hedging?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let room = try room(out_options)
        switch try Lookup.request(request).snapshot.hedging {
        case .client: out_hedging?.pointee = netcore_hedging(NETCORE_HEDGING_CLIENT)
        case .off: out_hedging?.pointee = netcore_hedging(NETCORE_HEDGING_OFF)
        case .policy(let policy):
            out_hedging?.pointee = netcore_hedging(NETCORE_HEDGING_OWN)
            room?.write(netcore_hedge_options(policy))
        }
    }
}
