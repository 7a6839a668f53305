public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_get_application_code") @implementation
public func netcore_get_application_code(
    _ status: netcore_status, _ http_status: Int32, _ out_code: UnsafeMutablePointer<netcore_application_code>!
) -> netcore_status {
    out_code?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_code, "out_code")
        let code = NetcoreError.Code(rawValue: status)
        guard code.isKnown else { throw NetcoreError(.invalidArgument, argument: "status", "not a status") }
        if code != .ok { out.pointee = ApplicationCode(code, httpStatus: Int(http_status)).rawValue }
    }
}

@_cdecl("netcore_set_user_message") @implementation
public func netcore_set_user_message(
    _ code: netcore_application_code, _ message: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard code > 0 else { throw NetcoreError(.invalidArgument, argument: "code", "must be 1 or more") }
        ErrorCatalogue.set(ApplicationCode(rawValue: code), try Argument.optionalText(message, "message"))
    }
}

@_cdecl("netcore_get_user_message") @implementation
public func netcore_get_user_message(
    _ code: netcore_application_code, _ text: UnsafeMutablePointer<CChar>!, _ capacity: Int,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_size, "out_size")
        guard let message = ErrorCatalogue.message(ApplicationCode(rawValue: code)) else {
            throw NetcoreError(.notFound, argument: "code", "\(code) has no message")
        }
        try TextOut.write(message.utf8, text, capacity, out)
    }
}

@_cdecl("netcore_request_set_error_fields") @implementation
public func netcore_request_set_error_fields(
    _ request: netcore_request, _ code: UnsafePointer<CChar>!, _ message: UnsafePointer<CChar>!,
    _ success: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let table = if let table = request.errorTable { table } else { try ErrorTable() }
        let values = try Argument.optionalText(success, "success") ?? ""
        request.errorTable = try table.with(
            codeField: Argument.optionalText(code, "code"), messageField: Argument.optionalText(message, "message"),
            success: values.split(separator: ",").map { String($0) })
    }
}

@_cdecl("netcore_request_add_error") @implementation
public func netcore_request_add_error(
    _ request: netcore_request, _ row: UnsafePointer<netcore_error_row>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let row = try netcore_error_row.read(try Argument.notNull(row, "row"), "row")
        guard row.reserved == 0 else { throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0") }
        var table = if let table = request.errorTable { table } else { try ErrorTable() }
        try table.add(
            ErrorTable.Row(
                row.code, value: Argument.optionalText(row.value, "value"), httpStatus: Int(row.http_status),
                message: Argument.optionalText(row.message, "message")))
        request.errorTable = table
    }
}
