public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_request_set_duplicates") @implementation
public func netcore_request_set_duplicates(
    _ request: netcore_request, _ duplicates: netcore_duplicates
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let policy = DuplicatePolicy(rawValue: duplicates) else {
            throw NetcoreError(.invalidArgument, argument: "duplicates", "not a netcore_duplicates value")
        }
        request.duplicates = policy
    }
}

@_cdecl("netcore_request_set_min_interval") @implementation
public func netcore_request_set_min_interval(
    _ request: netcore_request, _ options: UnsafePointer<netcore_min_interval>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let options else { return request.minimumInterval = nil }
        let from = try netcore_min_interval.read(options, "options")
        var minimum = MinimumInterval()
        if from.interval_ms != 0 { minimum.interval = .milliseconds(Int64(clamping: from.interval_ms)) }
        minimum.action = try Argument.flag(from.wait, "wait") ? .wait : .refuse
        minimum.key = try Argument.optionalText(from.key, "key")
        try minimum.check("interval_ms")
        request.minimumInterval = minimum
    }
}

// MARK: Rates

extension RateScope {
    fileprivate init(_ scope: netcore_rate_scope, _ name: UnsafePointer<CChar>?) throws(NetcoreError) {
        let name = try Argument.optionalText(name, "name")
        switch (Int(scope), name) {
        case (Int(NETCORE_RATE_SCOPE_CLIENT), nil): self = .client
        case (Int(NETCORE_RATE_SCOPE_HOST), _): self = .host(name)
        case (Int(NETCORE_RATE_SCOPE_TAG), let tag?): self = .tag(tag)
        case (Int(NETCORE_RATE_SCOPE_KEY), _): self = .key(name)
        case (Int(NETCORE_RATE_SCOPE_CLIENT), _):
            throw NetcoreError(.invalidArgument, argument: "name", "must be null for a client")
        case (Int(NETCORE_RATE_SCOPE_TAG), nil):
            throw NetcoreError(.invalidArgument, argument: "name", "must not be null for a tag")
        default: throw NetcoreError(.invalidArgument, argument: "scope", "not a netcore_rate_scope value")
        }
    }
}

extension Rate {
    fileprivate init(_ from: netcore_rate) throws(NetcoreError) {
        guard from.reserved == 0 else {
            throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0")
        }
        self.init()
        if from.requests != 0 { requests = Int(from.requests) }
        if from.interval_ms != 0 { interval = .milliseconds(Int64(clamping: from.interval_ms)) }
        if from.burst != 0 { burst = Int(from.burst) }
        if from.transfers != 0 { transfers = Int(from.transfers) }
        switch from.max_wait_ms {
        case 0: break
        case .max: maximumWait = .zero
        case let wait: maximumWait = .milliseconds(Int64(clamping: wait))
        }
        followsServer = try Argument.flag(from.server_hints, "server_hints")
    }
}

extension netcore_rate {
    fileprivate init(_ from: Rate) {
        self.init()
        requests = UInt32(clamping: from.requests ?? 0)
        interval_ms = UInt64(clamping: from.interval.milliseconds)
        burst = UInt32(clamping: from.burst)
        transfers = UInt32(clamping: from.transfers ?? 0)
        max_wait_ms = from.maximumWait.map { $0 == .zero ? .max : UInt64(clamping: $0.milliseconds) } ?? 0
        server_hints = from.followsServer ? 1 : 0
    }
}

@_cdecl("netcore_client_set_rate") @implementation
public func netcore_client_set_rate(
    _ client: netcore_client, _ scope: netcore_rate_scope, _ name: UnsafePointer<CChar>!,
    _ rate: UnsafePointer<netcore_rate>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let scope = try RateScope(scope, name)
        guard let rate else { return try client.setRate(nil, for: scope) }
        try client.setRate(Rate(netcore_rate.read(rate, "rate")), for: scope)
    }
}

@_cdecl("netcore_client_get_rate") @implementation
public func netcore_client_get_rate(
    _ client: netcore_client, _ scope: netcore_rate_scope, _ name: UnsafePointer<CChar>!,
    _ out_rate: UnsafeMutablePointer<netcore_rate>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_rate, "out_rate")
        guard let rate = try Lookup.client(client).rate(for: RateScope(scope, name)) else {
            throw NetcoreError(.notFound, argument: "name", "has no rate")
        }
        out.write(netcore_rate(rate))
    }
}

@_cdecl("netcore_request_set_rate_key") @implementation
public func netcore_request_set_rate_key(
    _ request: netcore_request, _ key: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.rateKey = try Argument.optionalText(key, "key")
    }
}
