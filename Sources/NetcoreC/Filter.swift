public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

private struct ValueFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_value_fn
    let userData: UserData

    func text() -> String? { HostText.read { room, capacity in call(room, capacity, userData.pointer) } }
}

@_cdecl("netcore_client_set_header_function") @implementation
public func netcore_client_set_header_function(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ fn: netcore_value_fn!,
    _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.text(name, "name")
        guard let fn else { return try client.removeCommonHeader(name) }
        let value = ValueFunction(call: fn, userData: UserData(pointer: user_data))
        try client.setCommonHeader(name) { value.text() }
    }
}

@_cdecl("netcore_client_set_param_function") @implementation
public func netcore_client_set_param_function(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ fn: netcore_value_fn!,
    _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.name(name, "name")
        guard let fn else { return try client.removeCommonParameter(name) }
        let value = ValueFunction(call: fn, userData: UserData(pointer: user_data))
        try client.setCommonParameter(name) { value.text() }
    }
}

private struct FilterFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_filter_fn
    let userData: UserData

    /// Lends the request under a handle.
    func filter(_ request: inout Request) throws(NetcoreError) {
        request = try RequestBox.lend(request, to: "a filter") { handle in call(handle, userData.pointer) }
    }
}

@_cdecl("netcore_client_add_filter") @implementation
public func netcore_client_add_filter(
    _ client: netcore_client, _ fn: netcore_filter_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let filter = FilterFunction(call: try Argument.notNull(fn, "fn"), userData: UserData(pointer: user_data))
        try client.addFilter { request in try filter.filter(&request) }
    }
}

@_cdecl("netcore_client_remove_filters") @implementation
public func netcore_client_remove_filters(_ client: netcore_client) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).removeFilters() }
}
