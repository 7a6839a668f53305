public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_request_set_priority") @implementation
public func netcore_request_set_priority(
    _ request: netcore_request, _ priority: netcore_priority
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let priority = Priority(rawValue: priority) else {
            throw NetcoreError(.invalidArgument, argument: "priority", "not a netcore_priority value")
        }
        request.priority = priority
    }
}

@_cdecl("netcore_request_set_expect_continue") @implementation
public func netcore_request_set_expect_continue(
    _ request: netcore_request, _ timeout_ms: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard timeout_ms <= UInt64(TimeoutSet.maximum) else {
            throw NetcoreError(
                .invalidArgument, argument: "timeout_ms", "must be at most \(TimeoutSet.maximum)")
        }
        request.expectContinue = timeout_ms == 0 ? nil : .milliseconds(Int64(timeout_ms))
    }
}

@_cdecl("netcore_request_set_sent_once") @implementation
public func netcore_request_set_sent_once(_ request: netcore_request, _ sent_once: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.isSentOnce = try Argument.flag(sent_once, "sent_once")
    }
}

@_cdecl("netcore_request_set_allow_unclean_end") @implementation
public func netcore_request_set_allow_unclean_end(
    _ request: netcore_request, _ allow_unclean_end: Int32
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.allowsUncleanEnd = try Argument.flag(allow_unclean_end, "allow_unclean_end")
    }
}

private func rate(_ value: UInt64) throws(NetcoreError) -> Int {
    guard let rate = Int(exactly: value) else {
        throw NetcoreError(.invalidArgument, argument: "bytes_per_second", "must be at most 2^63 - 1")
    }
    return rate
}

@_cdecl("netcore_request_set_max_receive_rate") @implementation
public func netcore_request_set_max_receive_rate(
    _ request: netcore_request, _ bytes_per_second: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.maximumReceiveRate = try rate(bytes_per_second) }
}

@_cdecl("netcore_request_set_max_send_rate") @implementation
public func netcore_request_set_max_send_rate(
    _ request: netcore_request, _ bytes_per_second: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.maximumSendRate = try rate(bytes_per_second) }
}

@_cdecl("netcore_request_set_min_receive_rate") @implementation
public func netcore_request_set_min_receive_rate(
    _ request: netcore_request, _ bytes_per_second: UInt64, _ window_ms: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setMinimumRate(
            bytesPerSecond: Int(clamping: bytes_per_second),
            window: window_ms == 0 ? MinimumRate.defaultWindow : Int(clamping: window_ms))
    }
}

@_cdecl("netcore_request_set_progress_interval_ms") @implementation
public func netcore_request_set_progress_interval_ms(
    _ request: netcore_request, _ interval_ms: UInt64
) -> netcore_status {
    change(request) { request in
        // Longer than any process lives.
        request.setProgressInterval(milliseconds: interval_ms == .max ? nil : Int(min(interval_ms, 1 << 50)))
    }
}

@_cdecl("netcore_request_set_event_function") @implementation
public func netcore_request_set_event_function(
    _ request: netcore_request, _ fn: netcore_event_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let fn else { return request.options.onEvent = nil }
        try registering(user_data, release) { registration in
            let function = EventFunction(call: fn, registration: registration)
            request.options.onEvent = { task, response in function.tell(task, response) }
        }
    }
}

private struct EventFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_event_fn
    let registration: Registration

    func tell(_ task: RequestTask, _ response: Response) {
        Completion.lend(task, response) { call($0, registration.userData) }
    }
}

@_cdecl("netcore_request_set_user_info") @implementation
public func netcore_request_set_user_info(
    _ request: netcore_request, _ user_info: UnsafeMutableRawPointer!
) -> netcore_status {
    change(request) { request in request.userInfo = user_info.map { UserData(pointer: $0) } }
}

@_cdecl("netcore_request_set_allowed_interface") @implementation
public func netcore_request_set_allowed_interface(
    _ request: netcore_request, _ interface: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setAllowedInterface(Argument.optionalText(interface, "interface"))
    }
}

@_cdecl("netcore_request_set_allow_metered") @implementation
public func netcore_request_set_allow_metered(_ request: netcore_request, _ allow_metered: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.allowsMetered = try Argument.flag(allow_metered, "allow_metered")
    }
}

@_cdecl("netcore_client_set_network") @implementation
public func netcore_client_set_network(
    _ client: netcore_client, _ network: UnsafePointer<netcore_network>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let network else { return try client.setNetworkState(nil) }
        let from = try netcore_network.read(network, "network")
        try client.setNetworkState(
            Client.NetworkState(
                interface: from.interface == nil ? nil : Argument.name(from.interface, "interface"),
                isMetered: Argument.flag(from.is_metered, "is_metered")))
    }
}
