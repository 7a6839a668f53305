public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

struct TransportCall: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_transport_fn
    let registration: Registration

    /// Lends the request under a handle.
    func callAsFunction(_ request: Request, _ hop: TransportHop) {
        do throws(NetcoreError) {
            let id = try hop.makeID()
            _ = try RequestBox.lend(request, to: "a transport") { handle in
                call(id, handle, registration.userData)
                return 0
            }
        } catch {
            // Without handles there is nothing to answer. One that is over needs no answer.
            try? hop.fail(error.code.rawValue >= 400 ? error.code : .internal, error.message)
        }
    }
}

@_cdecl("netcore_client_set_transport") @implementation
public func netcore_client_set_transport(
    _ client: netcore_client, _ fn: netcore_transport_fn!, _ user_data: UnsafeMutableRawPointer!,
    _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        guard let fn else { return try client.setTransport(nil) }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let transport = TransportCall(call: fn, registration: registration)
            try client.setTransport { request, hop in transport(request, hop) }
        }
    }
}

@_cdecl("netcore_hop_answer") @implementation
public func netcore_hop_answer(
    _ hop: netcore_hop, _ http_status: Int32, _ headers: UnsafePointer<CChar>!, _ data: UnsafeRawPointer!,
    _ size_bytes: Int
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let hop = try Lookup.hop(hop)
        let body = try Argument.body(data, size_bytes)
        let lines = UnsafeRawBufferPointer(start: headers, count: headers.map(strlen) ?? 0)
        try hop.answer(Int(http_status), lines: lines, body: body)
    }
}

@_cdecl("netcore_hop_fail") @implementation
public func netcore_hop_fail(
    _ hop: netcore_hop, _ status: netcore_status, _ message: UnsafePointer<CChar>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let hop = try Lookup.hop(hop)
        let message = try Argument.optionalText(message, "message") ?? ""
        guard status >= 0 else { return try hop.refuse(status, message) }
        try hop.fail(NetcoreError.Code(rawValue: status), message)
    }
}
