public import CNetcore
internal import NetcoreSupport

@_cdecl("netcore_set_log") @implementation
public func netcore_set_log(_ fn: netcore_log_fn!, _ user_data: UnsafeMutableRawPointer!) -> netcore_status {
    guard let fn else {
        Log.set(nil)
        return netcore_status(NETCORE_OK)
    }
    let target = LogTarget(call: fn, userData: UserData(pointer: user_data))
    Log.set { message in
        message.withCString { target.call(Int32(NETCORE_LOG_WARNING), $0, target.userData.pointer) }
    }
    return netcore_status(NETCORE_OK)
}

private struct LogTarget: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_log_fn
    let userData: UserData
}
