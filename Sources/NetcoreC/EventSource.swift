public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension EventSourceOptions {
    fileprivate init(_ pointer: UnsafePointer<netcore_event_source_options>?) throws(NetcoreError) {
        self.init()
        guard let pointer else { return }
        let from = try netcore_event_source_options.read(pointer, "options")
        guard from.reserved == 0 else {
            throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0")
        }
        if from.retry_ms != 0 { retry = .milliseconds(Int64(clamping: from.retry_ms)) }
        if from.longest_retry_ms != 0 { longestRetry = .milliseconds(Int64(clamping: from.longest_retry_ms)) }
        if from.largest_event_bytes != 0 { largestEvent = Int(clamping: from.largest_event_bytes) }
        lastEventID = try Argument.optionalText(from.last_event_id, "last_event_id") ?? ""
    }
}

@_cdecl("netcore_event_source_create") @implementation
public func netcore_event_source_create(
    _ client: netcore_client, _ request: netcore_request, _ options: UnsafePointer<netcore_event_source_options>!,
    _ out_source: UnsafeMutablePointer<netcore_event_source>!
) -> netcore_status {
    out_source?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_source, "out_source")
        let source = try Lookup.client(client).eventSource(
            Lookup.request(request).snapshot, options: EventSourceOptions(options))
        out.pointee = try Lookup.insert(source, .eventSource)
    }
}

@_cdecl("netcore_event_source_read") @implementation
public func netcore_event_source_read(
    _ source: netcore_event_source, _ timeout_ms: UInt64, _ out_event: UnsafeMutablePointer<netcore_server_event>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let out = try OutRoom(out_event, "out_event")
        guard let event = try Lookup.eventSource(source).next(until: deadline(timeout_ms)) else { return }
        out.write(netcore_server_event(lending: event))
    }
}

@_cdecl("netcore_event_source_get_descriptor") @implementation
public func netcore_event_source_get_descriptor(
    _ source: netcore_event_source, _ out_descriptor: UnsafeMutablePointer<Int32>!
) -> netcore_status {
    out_descriptor?.pointee = -1
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_descriptor, "out_descriptor")
        out.pointee = try Lookup.eventSource(source).descriptor()
    }
}

@_cdecl("netcore_event_source_get_info") @implementation
public func netcore_event_source_get_info(
    _ source: netcore_event_source, _ out_info: UnsafeMutablePointer<netcore_event_source_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        let from = try Lookup.eventSource(source).info
        let id = LentText(from.lastEventID)
        LentView.ofEventSources.keep(id)
        var info = netcore_event_source_info()
        info.state = from.state.rawValue
        info.last_event_id = netcore_bytes(text: id.text)
        info.retry_ms = UInt64(clamping: from.retry)
        info.connections = UInt64(clamping: from.connections)
        out.write(info)
    }
}

@_cdecl("netcore_event_source_cancel") @implementation
public func netcore_event_source_cancel(_ source: netcore_event_source) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.eventSource(source).cancel() }
}

@_cdecl("netcore_event_source_destroy") @implementation
public func netcore_event_source_destroy(_ source: netcore_event_source) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard let released = HandleTable.shared.release(source, .eventSource) else {
            throw Lookup.missing(source, .eventSource, "source")
        }
        // Another thread may be in a read.
        unsafeDowncast(released, to: EventSource.self).cancel()
    }
}
