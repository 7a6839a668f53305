public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_request_set_accepted_statuses") @implementation
public func netcore_request_set_accepted_statuses(
    _ request: netcore_request, _ statuses: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let text = try Argument.optionalText(statuses, "statuses")
        request.acceptedStatuses = if let text { try AcceptedStatuses(text) } else { nil }
    }
}

@_cdecl("netcore_request_set_accepted_content_types") @implementation
public func netcore_request_set_accepted_content_types(
    _ request: netcore_request, _ types: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let text = try Argument.optionalText(types, "types")
        request.acceptedContentTypes = if let text { try MediaRange.list(text, "types") } else { [] }
    }
}

@_cdecl("netcore_request_set_body_sha256") @implementation
public func netcore_request_set_body_sha256(
    _ request: netcore_request, _ sha256: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let text = try Argument.optionalText(sha256, "sha256")
        request.bodySHA256 = if let text { try DigestCheck(text: text) } else { nil }
    }
}

@_cdecl("netcore_request_set_json_shape") @implementation
public func netcore_request_set_json_shape(
    _ request: netcore_request, _ shape: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let text = try Argument.optionalText(shape, "shape")
        request.jsonShape = if let text { try JSONShape(text) } else { nil }
    }
}

@_cdecl("netcore_request_set_drop_nulls") @implementation
public func netcore_request_set_drop_nulls(_ request: netcore_request, _ drop_nulls: Int32) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.dropsNulls = try Argument.flag(drop_nulls, "drop_nulls")
    }
}

private struct ValidateFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_validate_fn
    let registration: Registration

    /// Lends the answer under a handle.
    func check(_ response: Response) throws(NetcoreError) {
        let handle = try Lookup.insert(response, .response)
        defer { HandleTable.shared.release(handle, .response) }
        let status = call(handle, registration.userData)
        guard status != 0 else { return }
        let code = NetcoreError.Code(rawValue: status)
        throw NetcoreError(
            NetcoreError.Code.ofApplication.contains(status) ? code : .rejected, phase: .done, nativeCode: status)
    }
}

@_cdecl("netcore_request_set_validator") @implementation
public func netcore_request_set_validator(
    _ request: netcore_request, _ fn: netcore_validate_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let fn else { return request.setValidator(nil as ResponseRules.Validator?) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let function = ValidateFunction(call: fn, registration: registration)
            request.setValidator(
                ResponseRules.Validator { (response) throws(NetcoreError) in try function.check(response) })
        }
    }
}
