public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

private struct Callbacks: @unchecked Sendable {  // function pointers, and a pointer that is handed back
    let given: netcore_callbacks
    let registration: Registration
    let isSilent: Bool

    func call(_ task: RequestTask, _ response: Response?) {
        if isSilent, response?.error?.isCanceledByApplication ?? false { return }
        Completion.lend(task, response) { completion in
            (completion.pointee.status == 0 ? given.success : given.failure)?(completion)
            given.finished?(completion)
        }
    }
}

@_cdecl("netcore_dispatch_callbacks") @implementation
public func netcore_dispatch_callbacks(
    _ client: netcore_client, _ request: netcore_request, _ callbacks: UnsafePointer<netcore_callbacks>!,
    _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let request = try Lookup.request(request).snapshot
        let given = try netcore_callbacks.read(try Argument.notNull(callbacks, "callbacks"), "callbacks")
        let isSilent = try Argument.flag(given.silent_cancel, "silent_cancel")
        try Completion.checkMode(client.engine, "callbacks")
        let onEvent = request.options.onEvent
        try registering(given.user_data, given.release) { (registration) throws(NetcoreError) in
            let callbacks = Callbacks(given: given, registration: registration, isSilent: isSilent)
            let sink = RequestTask.Sink.callback { task, response in
                if let response, response.isEarly { onEvent?(task, response) } else { callbacks.call(task, response) }
            }
            let task = try client.makeTask(request, sink, userData: Completion.number(given.user_data))
            // Known before any callback can run.
            out_task?.pointee = task.id
            do throws(NetcoreError) {
                try client.start(task)
            } catch {
                out_task?.pointee = 0
                throw error
            }
        }
    }
}
