public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_client_set_reachability") @implementation
public func netcore_client_set_reachability(
    _ client: netcore_client, _ reachability: netcore_reachability
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let value = Reachability(rawValue: reachability) else {
            throw NetcoreError(.invalidArgument, argument: "reachability", "not a netcore_reachability value")
        }
        try client.setReachability(value)
    }
}

@_cdecl("netcore_client_get_reachability") @implementation
public func netcore_client_get_reachability(
    _ client: netcore_client, _ out_reachability: UnsafeMutablePointer<netcore_reachability>!
) -> netcore_status {
    out_reachability?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_reachability, "out_reachability")
        out.pointee = try Lookup.client(client).reachability.rawValue
    }
}

@_cdecl("netcore_client_set_watch_network") @implementation
public func netcore_client_set_watch_network(_ client: netcore_client, _ watch_network: Int32) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        try Lookup.client(client).setWatchesNetwork(Argument.flag(watch_network, "watch_network"))
    }
}

@_cdecl("netcore_client_set_reachability_listener") @implementation
public func netcore_client_set_reachability_listener(
    _ client: netcore_client, _ fn: netcore_reachability_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let fn else { return client.onReachabilityChange(nil) }
        try registering(user_data, release) { registration in
            let listener = ReachabilityListener(call: fn, registration: registration)
            client.onReachabilityChange { listener.call($0.rawValue, listener.registration.userData) }
        }
    }
}

private struct ReachabilityListener: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_reachability_fn
    let registration: Registration
}

@_cdecl("netcore_request_set_wait_for_network_ms") @implementation
public func netcore_request_set_wait_for_network_ms(
    _ request: netcore_request, _ wait_ms: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard wait_ms <= 86_400_000 else {
            throw NetcoreError(.invalidArgument, argument: "wait_ms", "must be at most 86400000")
        }
        request.networkWait = wait_ms == 0 ? nil : .milliseconds(Int64(wait_ms))
    }
}
