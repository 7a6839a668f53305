public import CNetcore
internal import Netcore
internal import NetcoreAPI
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_group_create") @implementation
public func netcore_group_create(
    _ client: netcore_client, _ out_group: UnsafeMutablePointer<netcore_group>!
) -> netcore_status {
    out_group?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_group, "out_group")
        out.pointee = try Lookup.client(client).makeGroup().id
    }
}

@_cdecl("netcore_group_set_options") @implementation
public func netcore_group_set_options(
    _ group: netcore_group, _ options: UnsafePointer<netcore_group_options>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let group = try Lookup.group(group)
        let given =
            try options.map { (options) throws(NetcoreError) in try netcore_group_options.read(options, "options") }
        try group.setOptions(RequestGroup.Options(given ?? netcore_group_options()))
    }
}

extension RequestGroup.Options {
    fileprivate init(_ options: netcore_group_options) throws(NetcoreError) {
        guard let rule = RequestGroup.Rule(rawValue: options.rule) else {
            throw NetcoreError(.invalidArgument, argument: "options.rule", "not a netcore_group_rule value")
        }
        self.init(
            rule, limit: options.limit > 0 ? Int(options.limit) : nil,
            timeLimit: options.timeout_ms > 0 ? .milliseconds(Int64(clamping: options.timeout_ms)) : nil,
            dropsResponses: try Argument.flag(options.drops_responses, "options.drops_responses"))
    }
}

@_cdecl("netcore_group_add") @implementation
public func netcore_group_add(
    _ group: netcore_group, _ request: netcore_request, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let group = try Lookup.group(group)
        let request = try Lookup.request(request).snapshot
        try add(group, group.work(request), request, done, user_data, out_task)
    }
}

private func add(
    _ group: RequestGroup, _ work: RequestTask.Work, _ request: Request?, _ done: netcore_done_fn?,
    _ userData: UnsafeMutableRawPointer?,
    _ outTask: UnsafeMutablePointer<netcore_task>?
) throws(NetcoreError) {
    do throws(NetcoreError) {
        _ = try group.add(
            work, sink: Completion.sink(done, request, group.engine), userData: Completion.number(userData)
        ) { outTask?.pointee = $0.id }
    } catch {
        outTask?.pointee = 0
        throw error
    }
}

private func action(_ function: netcore_task_fn?) -> RequestTask.ApplicationAction? {
    guard let function else { return nil }
    return { function($0.id, UnsafeMutableRawPointer(bitPattern: $0.userData)) }
}

@_cdecl("netcore_group_add_application_task") @implementation
public func netcore_group_add_application_task(
    _ group: netcore_group, _ resume: netcore_task_fn!, _ cancel: netcore_task_fn!, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let group = try Lookup.group(group)
        if resume != nil { try Completion.checkMode(group.engine, "resume") }
        if cancel != nil { try Completion.checkMode(group.engine, "cancel") }
        try add(group, .application(resume: action(resume), cancel: action(cancel)), nil, done, user_data, out_task)
    }
}

@_cdecl("netcore_group_add_task") @implementation
public func netcore_group_add_task(_ group: netcore_group, _ task: netcore_task) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.group(group).add(Lookup.task(task)) }
}

@_cdecl("netcore_group_add_group") @implementation
public func netcore_group_add_group(
    _ group: netcore_group, _ member: netcore_group, _ notify: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let group = try Lookup.group(group)
        let member = try Lookup.group(member, "member")
        do throws(NetcoreError) {
            _ = try group.add(
                member, sink: Completion.sink(notify, member), userData: Completion.number(user_data)
            ) { out_task?.pointee = $0.id }
        } catch {
            out_task?.pointee = 0
            throw error
        }
    }
}

@_cdecl("netcore_group_add_dependency") @implementation
public func netcore_group_add_dependency(
    _ group: netcore_group, _ task: netcore_task, _ after: netcore_task
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        try Lookup.group(group).add(Lookup.task(task), after: Lookup.task(after, "after"))
    }
}

@_cdecl("netcore_group_dispatch") @implementation
public func netcore_group_dispatch(
    _ group: netcore_group, _ notify: netcore_done_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let group = try Lookup.group(group)
        try group.dispatch(Completion.sink(notify, group), userData: Completion.number(user_data))
    }
}

@_cdecl("netcore_group_cancel") @implementation
public func netcore_group_cancel(_ group: netcore_group) -> netcore_status {
    uncancelable { () throws(NetcoreError) in try Lookup.group(group).cancel() }
}

@_cdecl("netcore_group_get_info") @implementation
public func netcore_group_get_info(
    _ group: netcore_group, _ out_info: UnsafeMutablePointer<netcore_group_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        var info = netcore_group_info()
        let group = try Lookup.group(group)
        let progress = group.progress
        let bytes = group.bytes
        info.total = UInt32(clamping: progress.total)
        info.succeeded = UInt32(clamping: progress.succeeded)
        info.failed = UInt32(clamping: progress.failed)
        info.canceled = UInt32(clamping: progress.canceled)
        info.is_dispatched = progress.isDispatched ? 1 : 0
        info.skipped = UInt32(clamping: progress.skipped)
        info.received_bytes = UInt64(clamping: bytes.received)
        info.sent_bytes = UInt64(clamping: bytes.sent)
        out.write(info)
    }
}

@_cdecl("netcore_group_get_result") @implementation
public func netcore_group_get_result(
    _ group: netcore_group, _ index: UInt32, _ out_completion: UnsafeMutablePointer<netcore_completion>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let out = try OutRoom(out_completion, "out_completion")
        let group = try Lookup.group(group)
        out.write(try Completion.member(group.result(at: Int(index)), of: group))
    }
}
