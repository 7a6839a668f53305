public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_client_set_params_in_query") @implementation
public func netcore_client_set_params_in_query(_ client: netcore_client, _ in_query: Int32) -> netcore_status {
    boundary { () throws(NetcoreError) in
        try Lookup.client(client).setSendsParametersInQuery(Argument.flag(in_query, "in_query"))
    }
}

@_cdecl("netcore_client_get_params_in_query") @implementation
public func netcore_client_get_params_in_query(
    _ client: netcore_client, _ out_in_query: UnsafeMutablePointer<Int32>!
) -> netcore_status {
    out_in_query?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_in_query, "out_in_query")
        out.pointee = try Lookup.client(client).sendsParametersInQuery ? 1 : 0
    }
}

@_cdecl("netcore_client_set_request_defaults") @implementation
public func netcore_client_set_request_defaults(
    _ client: netcore_client, _ defaults: netcore_request
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        try client.setRequestDefaults(Lookup.request(defaults, "defaults").snapshot.options)
    }
}

@_cdecl("netcore_client_get_request_defaults") @implementation
public func netcore_client_get_request_defaults(
    _ client: netcore_client, _ out_defaults: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_defaults?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_defaults, "out_defaults")
        guard let defaults = try Lookup.client(client).requestDefaults else {
            throw NetcoreError(.notFound, argument: "client", "has no defaults")
        }
        out.pointee = try Lookup.insert(RequestBox(defaults), .request)
    }
}
