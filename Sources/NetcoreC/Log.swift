public import CNetcore
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
            Log.set { message in target.tell(message) }
        }
    }
}

private struct LogTarget: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_log_fn
    let registration: Registration

    func tell(_ message: String) {
        message.withCString { call(Int32(NETCORE_LOG_LEVEL_WARNING), $0, registration.userData) }
    }
}
