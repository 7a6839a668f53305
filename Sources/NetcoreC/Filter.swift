public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

private struct ValueFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_value_fn
    let registration: Registration

    func text() throws(NetcoreError) -> String? {
        try ApplicationText.read("a function that gives a value") { room, capacity in
            call(room, capacity, registration.userData)
        }
    }
}

private struct HopFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_hop_value_fn
    let registration: Registration

    func text(_ hop: Client.HopDescription) throws(NetcoreError) -> String? {
        var info = netcore_hop_info()
        info.size = UInt32(MemoryLayout<netcore_hop_info>.size)
        info.attempt = UInt32(clamping: hop.attempt)
        info.hop = UInt32(clamping: hop.hop)
        info.number = hop.number
        let texts = (hop.method.utf8CString, hop.url.utf8CString, hop.value?.utf8CString, hop.urlTemplate?.utf8CString)
        let result = withExtendedLifetime(texts) {
            info.method = texts.0.withUnsafeBufferPointer { $0.baseAddress }
            info.url = texts.1.withUnsafeBufferPointer { $0.baseAddress }
            info.value = texts.2?.withUnsafeBufferPointer { $0.baseAddress }
            info.url_template = texts.3?.withUnsafeBufferPointer { $0.baseAddress }
            return Result { () throws(NetcoreError) in
                try ApplicationText.read("a function that gives a value") { room, capacity in
                    call(&info, room, capacity, registration.userData)
                }
            }
        }
        return try result.get()
    }
}

@_cdecl("netcore_client_set_hop_function") @implementation
public func netcore_client_set_hop_function(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ fn: netcore_hop_value_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.text(name, "name")
        guard let fn else { return try client.setHopValue(name, nil) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let function = HopFunction(call: fn, registration: registration)
            try client.setHopValue(name) { try function.text($0) }
        }
    }
}

@_cdecl("netcore_client_set_header_function") @implementation
public func netcore_client_set_header_function(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ fn: netcore_value_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.text(name, "name")
        guard let fn else { return try client.removeCommonHeader(name) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let value = ValueFunction(call: fn, registration: registration)
            try client.setCommonHeader(name) { try value.text() }
        }
    }
}

@_cdecl("netcore_client_set_param_function") @implementation
public func netcore_client_set_param_function(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ fn: netcore_value_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.name(name, "name")
        guard let fn else { return try client.removeCommonParameter(name) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let value = ValueFunction(call: fn, registration: registration)
            try client.setCommonParameter(name) { try value.text() }
        }
    }
}

private struct FilterFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_filter_fn
    let registration: Registration

    /// Lends the request under a handle.
    func filter(_ request: inout Request) throws(NetcoreError) {
        request = try RequestBox.lend(request, to: "a filter") { handle in call(handle, registration.userData) }
    }
}

@_cdecl("netcore_client_add_filter") @implementation
public func netcore_client_add_filter(
    _ client: netcore_client, _ fn: netcore_filter_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let fn = try Argument.notNull(fn, "fn")
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let filter = FilterFunction(call: fn, registration: registration)
            try client.addFilter { request in try filter.filter(&request) }
        }
    }
}

@_cdecl("netcore_request_set_filter") @implementation
public func netcore_request_set_filter(
    _ request: netcore_request, _ fn: netcore_filter_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let fn else { return request.setFilter(nil) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let filter = FilterFunction(call: fn, registration: registration)
            request.setFilter { request in try filter.filter(&request) }
        }
    }
}

@_cdecl("netcore_client_remove_filters") @implementation
public func netcore_client_remove_filters(_ client: netcore_client) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).removeFilters() }
}
