public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_task_scope_create") @implementation
public func netcore_task_scope_create(
    _ drops_callbacks: Int32, _ dropped: netcore_dropped_fn!, _ out_scope: UnsafeMutablePointer<netcore_task_scope>!
) -> netcore_status {
    out_scope?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_scope, "out_scope")
        let dropsCallbacks = try Argument.flag(drops_callbacks, "drops_callbacks")
        let scope = TaskScope(dropsCallbacks: dropsCallbacks) { userData in
            dropped?(UnsafeMutableRawPointer(bitPattern: userData))
        }
        out.pointee = try Lookup.insert(scope, .taskScope)
        scope.members.number = out.pointee
    }
}

@_cdecl("netcore_task_scope_close") @implementation
public func netcore_task_scope_close(_ scope: netcore_task_scope) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let found = try Lookup.taskScope(scope)
        // Of two threads that close it, one does.
        guard HandleTable.shared.release(scope, .taskScope) != nil else {
            throw Lookup.missing(scope, .taskScope, "scope")
        }
        found.close()
    }
}

@_cdecl("netcore_task_scope_cancel") @implementation
public func netcore_task_scope_cancel(_ scope: netcore_task_scope) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.taskScope(scope).cancel() }
}

@_cdecl("netcore_task_scope_get_count") @implementation
public func netcore_task_scope_get_count(
    _ scope: netcore_task_scope, _ out_count: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_count?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_count, "out_count")
        out.pointee = UInt32(clamping: try Lookup.taskScope(scope).count)
    }
}

@_cdecl("netcore_request_set_task_scope") @implementation
public func netcore_request_set_task_scope(
    _ request: netcore_request, _ scope: netcore_task_scope
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        request.taskScope = try Lookup.taskScope(scope)
    }
}
