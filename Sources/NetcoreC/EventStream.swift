public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// The texts of an event, each with a NUL byte at its end.
private final class LentEvent {
    let type: ContiguousArray<CChar>
    let data: ContiguousArray<CChar>
    let lastEventID: ContiguousArray<CChar>

    init(_ event: ServerSentEvent) {
        type = event.type.utf8CString
        data = event.data.utf8CString
        lastEventID = event.lastEventID.utf8CString
    }
}

extension netcore_server_event {
    /// Its texts stay until this thread is lent another event.
    init(lending event: ServerSentEvent) {
        let lent = LentEvent(event)
        LentView.ofEvents.keep(lent)
        self.init()
        has_event = 1
        // Arrays of the view, which are never changed: their bytes stay where they are.
        type = netcore_bytes(text: lent.type)
        data = netcore_bytes(text: lent.data)
        last_event_id = netcore_bytes(text: lent.lastEventID)
        retry_ms = event.retry.map { UInt64(clamping: $0) } ?? .max
    }
}

@_cdecl("netcore_response_read_event") @implementation
public func netcore_response_read_event(
    _ response: netcore_response, _ largest_bytes: UInt64, _ timeout_ms: UInt64,
    _ out_event: UnsafeMutablePointer<netcore_server_event>!
) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let out = try OutRoom(out_event, "out_event")
        let limit = largest_bytes == 0 ? EventParser.defaultLimit : Int(clamping: largest_bytes)
        guard let event = try Lookup.response(response).nextEvent(until: deadline(timeout_ms), limit: limit) else {
            return
        }
        out.write(netcore_server_event(lending: event))
    }
}

@_cdecl("netcore_response_read_events") @implementation
public func netcore_response_read_events(
    _ response: netcore_response, _ largest_bytes: UInt64, _ timeout_ms: UInt64,
    _ out_text: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_text?.pointee = netcore_bytes()
    return uncancelable { () throws(NetcoreError) in
        let out = try Argument.notNull(out_text, "out_text")
        let limit = largest_bytes == 0 ? EventParser.defaultLimit : Int(clamping: largest_bytes)
        let block = try Lookup.response(response).nextEvents(until: deadline(timeout_ms), limit: limit)
        guard !block.isEmpty else { return }
        let lent = LentText(block.text)
        LentView.ofEventBlocks.keep(lent)
        out.pointee = netcore_bytes(text: lent.text)
    }
}
