public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_request_create_relative") @implementation
public func netcore_request_create_relative(
    _ method: UnsafePointer<CChar>!, _ service: UnsafePointer<CChar>!, _ reference: UnsafePointer<CChar>!,
    _ out_request: UnsafeMutablePointer<netcore_request>!
) -> netcore_status {
    out_request?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_request, "out_request")
        let request = try Request(
            Argument.text(method, "method"), relative: Argument.text(reference, "reference"),
            service: service == nil ? nil : Argument.name(service, "service"))
        out.pointee = try Lookup.insert(RequestBox(request), .request)
    }
}

@_cdecl("netcore_request_set_base_url") @implementation
public func netcore_request_set_base_url(
    _ request: netcore_request, _ base_url: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let box = try Lookup.request(request)
        guard !box.isLent else { throw Request.hasURL }
        try box.change { (request) throws(NetcoreError) in
            try request.setBaseURL(Argument.optionalText(base_url, "base_url"))
        }
    }
}

private func setFlag(
    _ handle: netcore_request, _ value: Int32, _ name: StaticString, _ path: WritableKeyPath<Request, Bool>
) -> netcore_status {
    change(handle) { (request) throws(NetcoreError) in request[keyPath: path] = try Argument.flag(value, name) }
}

@_cdecl("netcore_request_set_use_cdn") @implementation
public func netcore_request_set_use_cdn(_ request: netcore_request, _ use_cdn: Int32) -> netcore_status {
    setFlag(request, use_cdn, "use_cdn", \.usesCDN)
}

@_cdecl("netcore_request_set_use_https") @implementation
public func netcore_request_set_use_https(_ request: netcore_request, _ use_https: Int32) -> netcore_status {
    setFlag(request, use_https, "use_https", \.usesHTTPS)
}

@_cdecl("netcore_request_set_bare") @implementation
public func netcore_request_set_bare(_ request: netcore_request, _ is_bare: Int32) -> netcore_status {
    setFlag(request, is_bare, "is_bare", \.isBare)
}

@_cdecl("netcore_request_set_path_value") @implementation
public func netcore_request_set_path_value(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try request.setPathValue(Argument.text(name, "name"), Argument.text(value, "value"))
    }
}

// MARK: Parameters

private func addParameter(
    _ handle: netcore_request, _ name: UnsafePointer<CChar>?, _ value: () throws(NetcoreError) -> Parameter.Value
) -> netcore_status {
    change(handle) { (request) throws(NetcoreError) in
        let name = try Argument.name(name, "name")
        let value = try value()
        try value.check("value")
        request.addParameter(name, value)
    }
}

@_cdecl("netcore_request_add_param") @implementation
public func netcore_request_add_param(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(request, name) { () throws(NetcoreError) in .string(try Argument.text(value, "value")) }
}

@_cdecl("netcore_request_add_param_int") @implementation
public func netcore_request_add_param_int(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: Int64
) -> netcore_status {
    addParameter(request, name) { .integer(value) }
}

@_cdecl("netcore_request_add_param_double") @implementation
public func netcore_request_add_param_double(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: Double
) -> netcore_status {
    addParameter(request, name) { .double(value) }
}

@_cdecl("netcore_request_add_param_bool") @implementation
public func netcore_request_add_param_bool(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: Int32
) -> netcore_status {
    addParameter(request, name) { () throws(NetcoreError) in .bool(try Argument.flag(value, "value")) }
}

@_cdecl("netcore_request_add_param_null") @implementation
public func netcore_request_add_param_null(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(request, name) { .null }
}

@_cdecl("netcore_request_add_param_json") @implementation
public func netcore_request_add_param_json(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(request, name) { () throws(NetcoreError) in .json(try Argument.text(value, "value")) }
}

@_cdecl("netcore_request_add_param_list") @implementation
public func netcore_request_add_param_list(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    addParameter(request, name) { () throws(NetcoreError) in
        .list(try JSONObject.elements(Argument.text(value, "value")))
    }
}

@_cdecl("netcore_request_remove_param") @implementation
public func netcore_request_remove_param(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in request.removeParameters(try Argument.name(name, "name")) }
}

@_cdecl("netcore_request_set_serializer") @implementation
public func netcore_request_set_serializer(
    _ request: netcore_request, _ serializer: netcore_serializer
) -> netcore_status {
    changeWriting(request, "serializer") { (request) throws(NetcoreError) in
        guard let serializer = ParameterSerializer(rawValue: serializer) else {
            throw NetcoreError(.invalidArgument, argument: "serializer", "not a netcore_serializer value")
        }
        request.serializer = serializer
    }
}

@_cdecl("netcore_request_set_param_nesting") @implementation
public func netcore_request_set_param_nesting(
    _ request: netcore_request, _ nesting: netcore_param_nesting
) -> netcore_status {
    changeWriting(request, "nesting") { (request) throws(NetcoreError) in
        guard let nesting = ParameterNesting(rawValue: nesting) else {
            throw NetcoreError(.invalidArgument, argument: "nesting", "not a netcore_param_nesting value")
        }
        request.parameterNesting = nesting
    }
}

/// Changes how parameters are written; a filter cannot, once they are.
private func changeWriting(
    _ request: netcore_request, _ argument: String, _ body: (inout Request) throws(NetcoreError) -> Void
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let box = try Lookup.request(request)
        try box.change { (request) throws(NetcoreError) in
            var changed = request
            try body(&changed)
            guard !box.isLent || request.content == nil else { throw Request.hasBody(argument) }
            request = changed
        }
    }
}
