public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension Stub {
    fileprivate init(_ from: netcore_stub) throws(NetcoreError) {
        guard from.reserved == 0 else {
            throw NetcoreError(.invalidArgument, argument: "reserved", "must be 0")
        }
        self.init(
            try Argument.optionalText(from.method, "method"), try Argument.optionalText(from.url, "url"),
            headers: try HeaderLines.read(from.headers), times: from.times == 0 ? nil : Int(from.times))
        switch Int(from.body_kind) {
        case Int(NETCORE_STUB_BODY_ANY): break
        case Int(NETCORE_STUB_BODY_BYTES): body = .bytes(try Self.copy(from.body, from.body_size_bytes))
        case Int(NETCORE_STUB_BODY_JSON):
            body = .json(String(decoding: try Self.copy(from.body, from.body_size_bytes), as: UTF8.self))
        default: throw NetcoreError(.invalidArgument, argument: "body_kind", "not a netcore_stub_body value")
        }
    }

    fileprivate static func copy(_ data: UnsafeRawPointer?, _ size: Int) throws(NetcoreError) -> [UInt8] {
        let copy = try Argument.body(data, size)
        return withExtendedLifetime(copy) { Array(copy.bytes) }
    }
}

/// Header fields as lines.
private enum HeaderLines {
    static func read(_ text: UnsafePointer<CChar>?) throws(NetcoreError) -> [(name: String, value: String)] {
        guard let text = try Argument.optionalText(text, "headers") else { return [] }
        var result: [(name: String, value: String)] = []
        for line in text.utf8.split(separator: 0x0A) {
            let line = line.last == 0x0D ? line.dropLast() : line
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
                throw NetcoreError(.invalidHeader, argument: "headers", "a line has no colon")
            }
            let value = Array(line[line.index(after: colon)...]).withUnsafeBytes { Array(Syntax.trimmed($0)) }
            result.append((String(line[..<colon]) ?? "", String(decoding: value, as: UTF8.self)))
        }
        return result
    }
}

extension StubAnswer {
    fileprivate init(_ pointer: UnsafePointer<netcore_stub_answer>?) throws(NetcoreError) {
        self.init()
        guard let pointer else { return }
        let from = try netcore_stub_answer.read(pointer, "answer")
        if from.http_status != 0 { status = Int(from.http_status) }
        headers = try HeaderLines.read(from.headers)
        body = try Stub.copy(from.body, from.body_size_bytes)
        delay = try StubDelay(from)
        pieceSize = Int(from.piece_size_bytes)
        if from.piece_delay_ms != 0 { pieceDelay = .fixed(.milliseconds(Int64(from.piece_delay_ms))) }
        let count = Int(clamping: from.fault_after_bytes)
        fault =
            switch Int(from.fault) {
            case Int(NETCORE_STUB_FAULT_NONE): nil
            case Int(NETCORE_STUB_FAULT_RESET): .reset
            case Int(NETCORE_STUB_FAULT_EMPTY): .empty
            case Int(NETCORE_STUB_FAULT_SILENCE): .silence
            case Int(NETCORE_STUB_FAULT_CUT): .cut(after: count)
            case Int(NETCORE_STUB_FAULT_STALL): .stall(after: count)
            case Int(NETCORE_STUB_FAULT_MALFORMED_CHUNK): .malformedChunk(after: count)
            case Int(NETCORE_STUB_FAULT_ERROR):
                .error(
                    NetcoreError.Code(rawValue: from.error),
                    try Argument.optionalText(from.error_message, "error_message") ?? "")
            default: throw NetcoreError(.invalidArgument, argument: "fault", "not a netcore_stub_fault value")
            }
    }
}

extension StubDelay {
    fileprivate init(_ from: netcore_stub_answer) throws(NetcoreError) {
        let span = Duration.milliseconds(Int64(from.delay_ms))
        guard from.delay_max_ms == 0 || from.delay_sigma == 0 else {
            throw NetcoreError(.invalidArgument, argument: "delay_sigma", "must be 0 together with delay_max_ms")
        }
        if from.delay_max_ms != 0 {
            self = .uniform(span, .milliseconds(Int64(from.delay_max_ms)))
        } else if from.delay_sigma != 0 {
            self = .logNormal(median: span, sigma: from.delay_sigma)
        } else {
            self = from.delay_ms == 0 ? .none : .fixed(span)
        }
    }
}

@_cdecl("netcore_stubs_create") @implementation
public func netcore_stubs_create(_ out_stubs: UnsafeMutablePointer<netcore_stubs>!) -> netcore_status {
    out_stubs?.pointee = 0
    return boundary { () throws(NetcoreError) in
        try Argument.notNull(out_stubs, "out_stubs").pointee = try Lookup.insert(StubTable(), .stubs)
    }
}

@_cdecl("netcore_stubs_destroy") @implementation
public func netcore_stubs_destroy(_ stubs: netcore_stubs) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        guard HandleTable.shared.release(stubs, .stubs) != nil else { throw Lookup.missing(stubs, .stubs, "stubs") }
        Releases.drain()
    }
}

@_cdecl("netcore_client_set_stubs") @implementation
public func netcore_client_set_stubs(_ client: netcore_client, _ stubs: netcore_stubs) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        try client.setStubs(try Lookup.stubs(stubs))
    }
}

@_cdecl("netcore_stubs_add") @implementation
public func netcore_stubs_add(
    _ stubs: netcore_stubs, _ stub: UnsafePointer<netcore_stub>!, _ fn: netcore_transport_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!, _ out_index: UnsafeMutablePointer<UInt32>!
) -> netcore_status {
    out_index?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let table = try Lookup.stubs(stubs)
        var stub = try Stub(netcore_stub.read(try Argument.notNull(stub, "stub"), "stub"))
        guard let fn else {
            let index = try table.add(stub)
            out_index?.pointee = UInt32(clamping: index)
            return
        }
        try registering(user_data, release) { (registration) throws(NetcoreError) in
            let transport = TransportCall(call: fn, registration: registration)
            stub.function = { request, hop in transport(request, hop) }
            let index = try table.add(stub)
            out_index?.pointee = UInt32(clamping: index)
        }
    }
}

@_cdecl("netcore_stubs_add_answer") @implementation
public func netcore_stubs_add_answer(
    _ stubs: netcore_stubs, _ index: UInt32, _ answer: UnsafePointer<netcore_stub_answer>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let table = try Lookup.stubs(stubs)
        try table.addAnswer(StubAnswer(answer), to: Int(index))
    }
}

@_cdecl("netcore_stubs_get_call_count") @implementation
public func netcore_stubs_get_call_count(
    _ stubs: netcore_stubs, _ index: UInt32, _ out_count: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_count?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_count, "out_count")
        out.pointee = UInt64(clamping: try Lookup.stubs(stubs).callCount(of: Int(index)))
    }
}

@_cdecl("netcore_stubs_list_calls") @implementation
public func netcore_stubs_list_calls(
    _ stubs: netcore_stubs, _ fn: netcore_stub_call_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let table = try Lookup.stubs(stubs)
        let fn = try Argument.notNull(fn, "fn")
        for call in table.calls {
            let index = call.stub.map { UInt32(clamping: $0) } ?? .max
            var goesOn: Int32 = 1
            _ = try RequestBox.lend(call.request, to: "a list of requests") { handle in
                goesOn = fn(handle, index, user_data)
                return 0
            }
            guard goesOn == 1 else { return }
        }
    }
}

@_cdecl("netcore_stubs_check") @implementation
public func netcore_stubs_check(_ stubs: netcore_stubs) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.stubs(stubs).check() }
}

@_cdecl("netcore_stubs_reset") @implementation
public func netcore_stubs_reset(_ stubs: netcore_stubs) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.stubs(stubs).reset() }
}

@_cdecl("netcore_hop_answer_as") @implementation
public func netcore_hop_answer_as(
    _ hop: netcore_hop, _ answer: UnsafePointer<netcore_stub_answer>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let hop = try Lookup.hop(hop)
        try hop.answer(StubAnswer(answer))
    }
}
