public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_dispatch") @implementation
public func netcore_dispatch(
    _ client: netcore_client, _ request: netcore_request, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    dispatch(client, done, user_data, out_task) { () throws(NetcoreError) in try Lookup.request(request).snapshot }
}

/// Makes a task of a request and dispatches it.
func dispatch(
    _ client: netcore_client, _ done: netcore_done_fn?, _ userData: UnsafeMutableRawPointer?,
    _ outTask: UnsafeMutablePointer<netcore_task>?, _ request: () throws(NetcoreError) -> Request
) -> netcore_status {
    make(client, done, userData, outTask, request) { (client, task) throws(NetcoreError) in try client.start(task) }
}

/// Makes a task and begins with it.
private func make(
    _ client: netcore_client, _ done: netcore_done_fn?, _ userData: UnsafeMutableRawPointer?,
    _ outTask: UnsafeMutablePointer<netcore_task>?, _ request: () throws(NetcoreError) -> Request,
    begin: (Client, RequestTask) throws(NetcoreError) -> Void
) -> netcore_status {
    outTask?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let request = try request()
        let task = try client.makeTask(
            request, Completion.sink(done, request, client.engine), userData: Completion.number(userData))
        // Known before any callback can run.
        outTask?.pointee = task.id
        do throws(NetcoreError) {
            try begin(client, task)
        } catch {
            outTask?.pointee = 0
            throw error
        }
    }
}

/// More than the table of handles can hold.
private let mostRequests = 1 << 24

@_cdecl("netcore_dispatch_many") @implementation
public func netcore_dispatch_many(
    _ client: netcore_client, _ requests: UnsafePointer<netcore_request>!, _ count: Int, _ done: netcore_done_fn!,
    _ user_data: UnsafePointer<UnsafeMutableRawPointer?>!, _ out_tasks: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard count >= 0, count <= mostRequests else {
            throw NetcoreError(.invalidArgument, argument: "count", "must be at most \(mostRequests)")
        }
        out_tasks?.update(repeating: 0, count: count)
        let client = try Lookup.client(client)
        if done != nil { try Completion.checkMode(client.engine, "done") }
        guard count > 0 else { return }
        let requests = try Argument.notNull(requests, "requests")
        var tasks: [RequestTask] = []
        tasks.reserveCapacity(count)
        do throws(NetcoreError) {
            for index in 0..<count {
                let request = try Lookup.request(requests[index], "requests").snapshot
                let userData = Completion.number(user_data?[index])
                let sink = try Completion.sink(done, request, client.engine)
                tasks.append(try client.makeTask(request, sink, userData: userData))
                out_tasks?[index] = tasks[index].id
            }
            try client.engine.submitting { () throws(NetcoreError) in try client.engine.intake.dispatch(tasks) }
        } catch {
            for task in tasks { task.releaseID() }
            out_tasks?.update(repeating: 0, count: count)
            throw error
        }
    }
}

@_cdecl("netcore_perform") @implementation
public func netcore_perform(
    _ client: netcore_client, _ request: netcore_request, _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        try hand(Lookup.client(client).performAndWait(Lookup.request(request).snapshot), out, nil)
    }
}

@_cdecl("netcore_perform_for") @implementation
public func netcore_perform_for(
    _ client: netcore_client, _ request: netcore_request, _ timeout_ms: UInt64,
    _ out_task: UnsafeMutablePointer<netcore_task>!, _ out_response: UnsafeMutablePointer<netcore_response>!,
    _ out_info: UnsafeMutablePointer<netcore_response_info>!
) -> netcore_status {
    out_task?.pointee = 0
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let outTask = try Argument.notNull(out_task, "out_task")
        let outResponse = try Argument.notNull(out_response, "out_response")
        let outInfo = try out_info.map { (info) throws(NetcoreError) in try OutRoom(info, "out_info") }
        let (response, task) = try Lookup.client(client).perform(
            Lookup.request(request).snapshot, until: deadline(timeout_ms))
        guard let response else {
            outTask.pointee = task?.id ?? 0
            throw NetcoreError(.inProgress, "the task continues")
        }
        try hand(response, outResponse, outInfo)
    }
}

@_cdecl("netcore_task_wait") @implementation
public func netcore_task_wait(
    _ task: netcore_task, _ timeout_ms: UInt64, _ out_response: UnsafeMutablePointer<netcore_response>!,
    _ out_info: UnsafeMutablePointer<netcore_response_info>!
) -> netcore_status {
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let outResponse = try Argument.notNull(out_response, "out_response")
        let outInfo = try out_info.map { (info) throws(NetcoreError) in try OutRoom(info, "out_info") }
        guard let response = try Lookup.task(task).wait(until: deadline(timeout_ms)) else {
            throw NetcoreError(.inProgress, "the task continues")
        }
        try hand(response, outResponse, outInfo)
    }
}

/// Gives a response to the caller, and how it ended.
func hand(
    _ response: Response, _ outResponse: UnsafeMutablePointer<netcore_response>,
    _ outInfo: OutRoom<netcore_response_info>?
) throws(NetcoreError) {
    outResponse.pointee = try Lookup.insert(response, .response)
    outInfo?.write(netcore_response_info(response))
    if let error = response.error { throw error }
}

/// UINT64_MAX and all that cannot be counted to: without end.
func deadline(_ timeout: UInt64) -> MonotonicTime {
    timeout > UInt64(Int.max / 1000) ? .never : .now.adding(milliseconds: Int(timeout))
}

@_cdecl("netcore_task_create") @implementation
public func netcore_task_create(
    _ client: netcore_client, _ request: netcore_request, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    make(client, done, user_data, out_task) { () throws(NetcoreError) in
        try Lookup.request(request).snapshot
    } begin: { (client, task) throws(NetcoreError) in
        try client.register(task)
    }
}

@_cdecl("netcore_task_dispatch") @implementation
public func netcore_task_dispatch(_ task: netcore_task) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let task = try Lookup.task(task)
        try task.engine.submitting { () throws(NetcoreError) in try task.engine.intake.dispatchCreated(task) }
    }
}

@_cdecl("netcore_task_cancel") @implementation
public func netcore_task_cancel(_ task: netcore_task) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard try Lookup.task(task).cancel() else {
            throw NetcoreError(.invalidHandle, argument: "task", "has ended")
        }
    }
}

@_cdecl("netcore_task_set_priority") @implementation
public func netcore_task_set_priority(_ task: netcore_task, _ priority: netcore_priority) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let task = try Lookup.task(task)
        guard let priority = Priority(rawValue: priority) else {
            throw NetcoreError(.invalidArgument, argument: "priority", "not a netcore_priority value")
        }
        guard task.setPriority(priority) else {
            throw NetcoreError(.invalidHandle, argument: "task", "has ended")
        }
    }
}

@_cdecl("netcore_task_get_info") @implementation
public func netcore_task_get_info(
    _ task: netcore_task, _ out_info: UnsafeMutablePointer<netcore_task_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        let task = try Lookup.task(task)
        out.write(netcore_task_info(task.state, task.progress, task.priority))
    }
}

extension netcore_task_info {
    init(_ state: RequestTask.State, _ progress: RequestTask.Progress, _ priority: Priority) {
        self.init()
        self.priority = priority.rawValue
        self.state = Int32(state.rawValue)
        received_bytes = UInt64(clamping: progress.received)
        expected_bytes = progress.expected.map { UInt64(clamping: $0) } ?? .max
        sent_bytes = UInt64(clamping: progress.sent)
        to_send_bytes = progress.toSend.map { UInt64(clamping: $0) } ?? .max
    }
}

@_cdecl("netcore_task_complete") @implementation
public func netcore_task_complete(_ task: netcore_task, _ status: netcore_status) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let task = try Lookup.task(task)
        let code = NetcoreError.Code(rawValue: status)
        guard code.isKnown else {
            throw NetcoreError(.invalidArgument, argument: "status", "not a netcore_status value")
        }
        try task.complete(code)
    }
}

@_cdecl("netcore_task_send") @implementation
public func netcore_task_send(_ task: netcore_task, _ request: netcore_request) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        try Lookup.task(task).send(Lookup.request(request).snapshot)
    }
}
