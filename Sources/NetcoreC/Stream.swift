public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_perform_streamed") @implementation
public func netcore_perform_streamed(
    _ client: netcore_client, _ request: netcore_request, _ window_bytes: UInt64,
    _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        let (response, _) = try Lookup.client(client).performStreamed(
            Lookup.request(request).snapshot, window: window(window_bytes), until: .never)
        guard let response else { throw NetcoreError(.internal) }
        try hand(response, out, nil)
    }
}

@_cdecl("netcore_perform_streamed_for") @implementation
public func netcore_perform_streamed_for(
    _ client: netcore_client, _ request: netcore_request, _ window_bytes: UInt64, _ timeout_ms: UInt64,
    _ out_task: UnsafeMutablePointer<netcore_task>!, _ out_response: UnsafeMutablePointer<netcore_response>!,
    _ out_info: UnsafeMutablePointer<netcore_response_info>!
) -> netcore_status {
    out_task?.pointee = 0
    out_response?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let outTask = try Argument.notNull(out_task, "out_task")
        let outResponse = try Argument.notNull(out_response, "out_response")
        let outInfo = try out_info.map { (info) throws(NetcoreError) in try OutRoom(info, "out_info") }
        let (response, task) = try Lookup.client(client).performStreamed(
            Lookup.request(request).snapshot, window: window(window_bytes), until: deadline(timeout_ms))
        guard let response else {
            outTask.pointee = task?.id ?? 0
            throw NetcoreError(.inProgress, "the task continues")
        }
        try hand(response, outResponse, outInfo)
    }
}

@_cdecl("netcore_dispatch_streamed") @implementation
public func netcore_dispatch_streamed(
    _ client: netcore_client, _ request: netcore_request, _ window_bytes: UInt64, _ done: netcore_done_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ out_task: UnsafeMutablePointer<netcore_task>!
) -> netcore_status {
    out_task?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        let request = try Lookup.request(request).snapshot
        let sink = try Completion.sink(done, request, client.engine)
        let task = try client.makeStreamedTask(
            request, window: window(window_bytes), sink: sink, userData: Completion.number(user_data))
        // Known before any callback can run.
        out_task?.pointee = task.id
        do throws(NetcoreError) {
            try client.start(streamed: task)
        } catch {
            out_task?.pointee = 0
            throw error
        }
    }
}

private func window(_ bytes: UInt64) -> Int { bytes == 0 ? ResponseStream.defaultWindow : Int(clamping: bytes) }

@_cdecl("netcore_response_read") @implementation
public func netcore_response_read(
    _ response: netcore_response, _ buffer: UnsafeMutableRawPointer!, _ capacity: Int, _ timeout_ms: UInt64,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_size, "out_size")
        let stream = try stream(of: response)
        let buffer = try Argument.notNull(buffer, "buffer")
        guard capacity != 0 else { throw NetcoreError(.invalidArgument, argument: "capacity", "must not be 0") }
        // A size_t from 2^63 on arrives as negative.
        let room = UnsafeMutableRawBufferPointer(start: buffer, count: capacity < 0 ? .max : capacity)
        guard let size = try stream.read(into: room, until: deadline(timeout_ms)) else {
            throw NetcoreError(.inProgress, "the body continues")
        }
        out.pointee = size
    }
}

@_cdecl("netcore_response_wait") @implementation
public func netcore_response_wait(
    _ response: netcore_response, _ timeout_ms: UInt64, _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_size, "out_size")
        guard let size = try stream(of: response).waitForBytes(until: deadline(timeout_ms)) else {
            throw NetcoreError(.inProgress, "the body continues")
        }
        out.pointee = size
    }
}

/// A line with a NUL byte after it.
private final class LentLine {
    let bytes: ContiguousArray<CChar>

    init(_ line: [UInt8]) {
        var bytes = ContiguousArray<CChar>()
        bytes.reserveCapacity(line.count + 1)
        bytes.append(contentsOf: line.lazy.map { CChar(bitPattern: $0) })
        bytes.append(0)
        self.bytes = bytes
    }
}

@_cdecl("netcore_response_read_line") @implementation
public func netcore_response_read_line(
    _ response: netcore_response, _ largest_bytes: UInt64, _ timeout_ms: UInt64,
    _ out_line: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_line?.pointee = netcore_bytes()
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_line, "out_line")
        let limit = largest_bytes == 0 ? LineParser.defaultLimit : Int(clamping: largest_bytes)
        guard let line = try stream(of: response).nextLine(until: deadline(timeout_ms), limit: limit) else { return }
        let lent = LentLine(line)
        LentView.ofLines.keep(lent)
        out.pointee = netcore_bytes(text: lent.bytes)
    }
}

@_cdecl("netcore_response_get_ending") @implementation
public func netcore_response_get_ending(
    _ response: netcore_response, _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        guard let ending = try stream(of: response).ending else {
            throw NetcoreError(.inProgress, "the body was not read to its end")
        }
        out.pointee = try Lookup.insert(ending, .response)
    }
}

@_cdecl("netcore_response_get_progress") @implementation
public func netcore_response_get_progress(
    _ response: netcore_response, _ out_info: UnsafeMutablePointer<netcore_task_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        let (state, progress, priority) = try stream(of: response).progress
        out.write(netcore_task_info(state, progress, priority))
    }
}

@_cdecl("netcore_response_cancel") @implementation
public func netcore_response_cancel(_ response: netcore_response) -> netcore_status {
    boundary { () throws(NetcoreError) in try stream(of: response).cancel() }
}

private func stream(of response: netcore_response) throws(NetcoreError) -> ResponseStream {
    guard let stream = try Lookup.response(response).stream else {
        throw NetcoreError(.invalidState, argument: "response", "is not a streamed one")
    }
    return stream
}
