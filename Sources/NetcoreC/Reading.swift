public import CNetcore
internal import Netcore
internal import NetcoreHTTP

// MARK: Limits

@_cdecl("netcore_client_get_limit") @implementation
public func netcore_client_get_limit(
    _ client: netcore_client, _ limit: netcore_limit, _ out_value: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_value?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        let client = try Lookup.client(client)
        let path = try LimitNames.clientPath(limit)
        try client.engine.checkUsable()
        out.pointee = LimitNames.value(client.limits[keyPath: path])
    }
}

@_cdecl("netcore_request_get_limit") @implementation
public func netcore_request_get_limit(
    _ request: netcore_request, _ limit: netcore_limit, _ out_value: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_value?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        let request = try Lookup.request(request).snapshot
        guard let value = request.limits[keyPath: try LimitNames.requestPath(limit)] else {
            throw NetcoreError(.notFound, argument: "limit", "the request has none of its own")
        }
        out.pointee = LimitNames.value(value)
    }
}

@_cdecl("netcore_cache_get_limit") @implementation
public func netcore_cache_get_limit(
    _ cache: netcore_cache, _ limit: netcore_cache_limit, _ out_value: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_value?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        let limits = try Lookup.cache(cache).limits
        switch Int(limit) {
        case Int(NETCORE_CACHE_LIMIT_MEMORY_BYTES): out.pointee = LimitNames.value(limits.memoryBytes)
        case Int(NETCORE_CACHE_LIMIT_MEMORY_COUNT): out.pointee = LimitNames.value(limits.memoryCount)
        case Int(NETCORE_CACHE_LIMIT_DISK_BYTES): out.pointee = LimitNames.value(limits.diskBytes)
        case Int(NETCORE_CACHE_LIMIT_DISK_COUNT): out.pointee = LimitNames.value(limits.diskCount)
        default: throw NetcoreError(.invalidArgument, argument: "limit", "not a netcore_cache_limit value")
        }
    }
}

// MARK: What a client has selected

private func writeText(
    _ client: netcore_client, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int,
    _ outSize: UnsafeMutablePointer<Int>?, _ get: (Client) throws(NetcoreError) -> String?
) -> netcore_status {
    outSize?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(outSize, "out_size")
        guard let found = try get(Lookup.client(client)) else {
            throw NetcoreError(.notFound, argument: "client", "it has no service")
        }
        try TextOut.write(found.utf8, text, capacity, out)
    }
}

@_cdecl("netcore_client_get_selected_service") @implementation
public func netcore_client_get_selected_service(
    _ client: netcore_client, _ text: UnsafeMutablePointer<CChar>!, _ capacity: Int,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    writeText(client, text, capacity, out_size) { $0.selection?.service }
}

@_cdecl("netcore_client_get_selected_environment") @implementation
public func netcore_client_get_selected_environment(
    _ client: netcore_client, _ text: UnsafeMutablePointer<CChar>!, _ capacity: Int,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    writeText(client, text, capacity, out_size) { $0.selection?.environment }
}

@_cdecl("netcore_client_get_base_url") @implementation
public func netcore_client_get_base_url(
    _ client: netcore_client, _ service: UnsafePointer<CChar>!, _ environment: UnsafePointer<CChar>!,
    _ use_cdn: Int32, _ text: UnsafeMutablePointer<CChar>!, _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    writeText(client, text, capacity, out_size) { (client) throws(NetcoreError) in
        let service = try Argument.optionalText(service, "service")
        guard service != nil || client.selection != nil else { return nil }
        return try client.baseURL(
            service: service, environment: Argument.optionalText(environment, "environment"),
            usesCDN: Argument.flag(use_cdn, "use_cdn"))
    }
}

// MARK: Lists of names and values

/// Calls a function with each pair, as long as it says so; on this thread, with no lock held.
private func list(
    _ pairs: [(name: String, value: [UInt8]?)], _ fn: netcore_field_fn?, _ userData: UnsafeMutableRawPointer?
) throws(NetcoreError) {
    let fn = try Argument.notNull(fn, "fn")
    for (name, value) in pairs {
        let goesOn = name.withCString { name in
            guard let value else { return fn(name, nil, userData) }
            // A NUL byte ends it; neither fields nor parameters have one.
            return (value + [0]).withUnsafeBytes { fn(name, $0.bindMemory(to: CChar.self).baseAddress, userData) }
        }
        guard goesOn != 0 else { return }
    }
}

@_cdecl("netcore_client_list_headers") @implementation
public func netcore_client_list_headers(
    _ client: netcore_client, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in try list(Lookup.client(client).commonFields, fn, user_data) }
}

@_cdecl("netcore_client_list_params") @implementation
public func netcore_client_list_params(
    _ client: netcore_client, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try list(
            Lookup.client(client).commonParameters.map { ($0.name, ($0.value?.text).map { Array($0.utf8) }) }, fn,
            user_data)
    }
}

@_cdecl("netcore_request_list_params") @implementation
public func netcore_request_list_params(
    _ request: netcore_request, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try list(
            Lookup.request(request).snapshot.parameters.map { ($0.name, Array($0.value.text.utf8)) }, fn, user_data)
    }
}

@_cdecl("netcore_request_list_path_values") @implementation
public func netcore_request_list_path_values(
    _ request: netcore_request, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try list(Lookup.request(request).snapshot.pathValues.map { ($0.name, Array($0.value.utf8)) }, fn, user_data)
    }
}

@_cdecl("netcore_request_list_cookies") @implementation
public func netcore_request_list_cookies(
    _ request: netcore_request, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try list(
            Lookup.request(request).snapshot.options.cookies.map { ($0.name, Array($0.value.utf8)) }, fn, user_data)
    }
}

// MARK: Defaults

@_cdecl("netcore_client_add_header") @implementation
public func netcore_client_add_header(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try Lookup.client(client).addCommonHeader(Argument.text(name, "name"), bytes: Argument.bytes(value, "value"))
    }
}

private func addParameter(
    _ client: netcore_client, _ name: UnsafePointer<CChar>?, _ value: () throws(NetcoreError) -> Parameter.Value
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.name(name, "name")
        let value = try value()
        try value.check("value")
        try client.addCommonParameter(name, value)
    }
}

@_cdecl("netcore_client_add_param") @implementation
public func netcore_client_add_param(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(client, name) { () throws(NetcoreError) in .string(try Argument.text(value, "value")) }
}

@_cdecl("netcore_client_add_param_int") @implementation
public func netcore_client_add_param_int(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: Int64
) -> netcore_status {
    addParameter(client, name) { .integer(value) }
}

@_cdecl("netcore_client_add_param_double") @implementation
public func netcore_client_add_param_double(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: Double
) -> netcore_status {
    addParameter(client, name) { .double(value) }
}

@_cdecl("netcore_client_add_param_bool") @implementation
public func netcore_client_add_param_bool(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: Int32
) -> netcore_status {
    addParameter(client, name) { () throws(NetcoreError) in .bool(try Argument.flag(value, "value")) }
}

@_cdecl("netcore_client_add_param_null") @implementation
public func netcore_client_add_param_null(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(client, name) { .null }
}

@_cdecl("netcore_client_add_param_json") @implementation
public func netcore_client_add_param_json(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(client, name) { () throws(NetcoreError) in .json(try Argument.text(value, "value")) }
}

@_cdecl("netcore_client_add_param_list") @implementation
public func netcore_client_add_param_list(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(client, name) { () throws(NetcoreError) in
        .list(try JSONObject.elements(Argument.text(value, "value")))
    }
}

@_cdecl("netcore_request_remove_default_header") @implementation
public func netcore_request_remove_default_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in try request.dropCommonHeader(Argument.text(name, "name")) }
}

@_cdecl("netcore_request_remove_default_param") @implementation
public func netcore_request_remove_default_param(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.dropCommonParameter(try Argument.name(name, "name")) }
}
