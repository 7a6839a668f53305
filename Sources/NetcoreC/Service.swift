public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_client_add_service") @implementation
public func netcore_client_add_service(
    _ client: netcore_client, _ service: UnsafePointer<CChar>!, _ environment: UnsafePointer<CChar>!,
    _ base_url: UnsafePointer<CChar>!, _ cdn_url: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try Lookup.client(client).addService(
            Argument.name(service, "service"), environment: Argument.name(environment, "environment"),
            baseURL: Argument.text(base_url, "base_url"), cdnURL: Argument.optionalText(cdn_url, "cdn_url"))
    }
}

@_cdecl("netcore_client_set_service_weight") @implementation
public func netcore_client_set_service_weight(
    _ client: netcore_client, _ service: UnsafePointer<CChar>!, _ weight: UInt32
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try Lookup.client(client).setServiceWeight(Int(weight), of: Argument.name(service, "service"))
    }
}

@_cdecl("netcore_client_select_service") @implementation
public func netcore_client_select_service(
    _ client: netcore_client, _ service: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).selectService(Argument.name(service, "service")) }
}

@_cdecl("netcore_client_select_environment") @implementation
public func netcore_client_select_environment(
    _ client: netcore_client, _ environment: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try Lookup.client(client).selectEnvironment(Argument.name(environment, "environment"))
    }
}

@_cdecl("netcore_client_select_next_service") @implementation
public func netcore_client_select_next_service(_ client: netcore_client) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).selectNextService() }
}

@_cdecl("netcore_client_select_next_environment") @implementation
public func netcore_client_select_next_environment(_ client: netcore_client) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).selectNextEnvironment() }
}

@_cdecl("netcore_client_set_selection_listener") @implementation
public func netcore_client_set_selection_listener(
    _ client: netcore_client, _ fn: netcore_selection_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let fn else { return client.onSelectionChange(nil) }
        try registering(user_data, release) { registration in
            let listener = SelectionListener(call: fn, registration: registration)
            client.onSelectionChange { listener.tell($0) }
        }
    }
}

private struct SelectionListener: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_selection_fn
    let registration: Registration

    func tell(_ selection: Client.Selection) {
        selection.service.withCString { service in
            selection.environment.withCString { call(service, $0, registration.userData) }
        }
    }
}

@_cdecl("netcore_client_set_header") @implementation
public func netcore_client_set_header(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.text(name, "name")
        guard value != nil else { return try client.removeCommonHeader(name) }
        try client.setCommonHeader(name, bytes: Argument.bytes(value, "value"))
    }
}

@_cdecl("netcore_client_set_param") @implementation
public func netcore_client_set_param(
    _ client: netcore_client, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let name = try Argument.name(name, "name")
        guard let value = try Argument.optionalText(value, "value") else {
            return try client.removeCommonParameter(name)
        }
        try client.setCommonParameter(name, .string(value))
    }
}

@_cdecl("netcore_client_resolve_request") @implementation
public func netcore_client_resolve_request(
    _ client: netcore_client, _ request: netcore_request, _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        let resolved = try Lookup.client(client).resolved(Lookup.request(request).snapshot)
        out.pointee = try Lookup.insert(RequestBox(resolved), .request)
    }
}
