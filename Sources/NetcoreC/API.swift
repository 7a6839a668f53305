public import CNetcore
internal import Netcore
internal import NetcoreAPI
internal import NetcoreHTTP
internal import NetcoreSupport

/// A description behind a handle. Any thread may change it.
final class APIBox: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var description: APIDescription

    init(_ description: APIDescription) { self.description = description }

    var current: APIDescription { lock.withLock { description } }

    func add(_ parameter: APIParameter) throws(NetcoreError) {
        try lock.withLock { () throws(NetcoreError) in try description.add(parameter) }
    }

    /// The request of a call; null for no parameters.
    func request(_ params: UnsafePointer<CChar>?) throws(NetcoreError) -> Request {
        try current.request(json: Argument.optionalText(params, "params") ?? "{}")
    }
}

@_cdecl("netcore_module_create") @implementation
public func netcore_module_create(
    _ defaults: netcore_request, _ out_module: UnsafeMutablePointer<netcore_module>!
) -> netcore_status {
    out_module?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_module, "out_module")
        let request = defaults == 0 ? nil : try Lookup.request(defaults, "defaults").snapshot
        out.pointee = try Lookup.insert(APIModule(request), .module)
    }
}

@_cdecl("netcore_module_destroy") @implementation
public func netcore_module_destroy(_ module: netcore_module) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard let released = HandleTable.shared.release(module, .module) else {
            throw Lookup.missing(module, .module, "module")
        }
        unsafeDowncast(released, to: APIModule.self).close()
    }
}

@_cdecl("netcore_module_cancel") @implementation
public func netcore_module_cancel(_ module: netcore_module) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.module(module).cancel() }
}

@_cdecl("netcore_api_create") @implementation
public func netcore_api_create(
    _ module: netcore_module, _ request: netcore_request, _ out_api: UnsafeMutablePointer<netcore_api>!
) -> netcore_status {
    out_api?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_api, "out_api")
        let module = module == 0 ? nil : try Lookup.module(module)
        let description = try APIDescription(Lookup.request(request).snapshot, module: module)
        out.pointee = try Lookup.insert(APIBox(description), .api)
    }
}

@_cdecl("netcore_api_destroy") @implementation
public func netcore_api_destroy(_ api: netcore_api) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard HandleTable.shared.release(api, .api) != nil else { throw Lookup.missing(api, .api, "api") }
    }
}

@_cdecl("netcore_api_add_param") @implementation
public func netcore_api_add_param(
    _ api: netcore_api, _ param: UnsafePointer<netcore_api_param>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let api = try Lookup.api(api)
        let from = try netcore_api_param.read(try Argument.notNull(param, "param"), "param")
        guard let place = APIParameter.Place(rawValue: from.place) else {
            throw NetcoreError(.invalidArgument, argument: "place", "not a netcore_param_place value")
        }
        let name = try Argument.name(from.name, "name")
        let value = try Argument.optionalText(from.default_value, "default_value")
        if let value, !JSONObject.isValid(value) {
            throw NetcoreError(.invalidArgument, argument: "default_value", "not valid JSON")
        }
        try api.add(
            APIParameter(
                name, type: Argument.optionalText(from.type, "type"), in: place,
                field: Argument.optionalText(from.field, "field"),
                default: value.map { JSONObject.value($0) }))
    }
}

@_cdecl("netcore_api_create_request") @implementation
public func netcore_api_create_request(
    _ api: netcore_api, _ params: UnsafePointer<CChar>!, _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        out.pointee = try Lookup.insert(RequestBox(Lookup.api(api).request(params)), .request)
    }
}

/// A list of texts that is longer than this has no end.
private let mostTexts = 1 << 16

@_cdecl("netcore_api_create_request_from_texts") @implementation
public func netcore_api_create_request_from_texts(
    _ api: netcore_api, _ names_and_values: UnsafePointer<UnsafePointer<CChar>?>!,
    _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        let api = try Lookup.api(api)
        var texts: [(name: String, value: String)] = []
        var next = names_and_values
        while let place = next, let name = place.pointee, texts.count < mostTexts {
            let name = try Argument.text(name, "names_and_values")
            texts.append((name, try Argument.text(place[1], "names_and_values")))
            next = place + 2
        }
        out.pointee = try Lookup.insert(RequestBox(api.current.request(texts: texts)), .request)
    }
}

@_cdecl("netcore_api_perform") @implementation
public func netcore_api_perform(
    _ client: netcore_client, _ api: netcore_api, _ params: UnsafePointer<CChar>!,
    _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        let client = try Lookup.client(client)
        try hand(client.performAndWait(Lookup.api(api).request(params)), out, nil)
    }
}

@_cdecl("netcore_api_dispatch") @implementation
public func netcore_api_dispatch(
    _ client: netcore_client, _ api: netcore_api, _ params: UnsafePointer<CChar>!, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    dispatch(client, done, user_data, out_task) { () throws(NetcoreError) in try Lookup.api(api).request(params) }
}
