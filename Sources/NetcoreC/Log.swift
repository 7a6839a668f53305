public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_set_log") @implementation
public func netcore_set_log(
    _ fn: netcore_log_fn!, _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard let fn else { return Log.set(nil) }
        try registering(user_data, release) { registration in
            let target = LogTarget(call: fn, registration: registration)
            Log.set { level, message in target.tell(level, message) }
        }
    }
}

@_cdecl("netcore_client_set_request_log") @implementation
public func netcore_client_set_request_log(_ client: netcore_client, _ on: Int32) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        client.setLogsRequests(try Argument.flag(on, "on"))
    }
}

private struct LogTarget: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_log_fn
    let registration: Registration

    func tell(_ level: Log.Level, _ message: String) {
        message.withCString { call(level.rawValue, $0, registration.userData) }
    }
}
