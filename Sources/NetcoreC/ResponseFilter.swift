public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// An answer that a filter has, behind a handle. Any thread may change it until the filter has returned.
final class ResponseDraft: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var answer: FilterResponse
    /// As it was before its last changes: what was lent of it stays until the handle is released.
    private var earlier: [Response] = []
    private var isOpen = true

    private init(_ answer: FilterResponse) { self.answer = answer }

    /// Lends an answer to a function of the application's under a handle of its own. Returns it as the function left it.
    static func lend(
        _ answer: FilterResponse, _ call: (netcore_response) -> netcore_status
    ) throws(NetcoreError) -> FilterResponse {
        let draft = ResponseDraft(answer)
        let lent = Response(copying: answer.response)
        lent.draft = draft
        let handle = try Lookup.insert(lent, .response)
        let status = call(handle)
        let result = draft.close()
        HandleTable.shared.release(handle, .response)
        guard status == 0 else {
            throw NetcoreError(applicationStatus: status, "a filter refused the answer with \(status)")
        }
        return result
    }

    private func close() -> FilterResponse {
        lock.withLock {
            isOpen = false
            return answer
        }
    }

    /// A lent response with the changes made so far.
    static func current(_ lent: Response) -> Response {
        guard let draft = lent.draft as? ResponseDraft else { return lent }
        return draft.lock.withLock { draft.answer.response }
    }

    func change(_ body: (inout FilterResponse) throws(NetcoreError) -> Void) throws(NetcoreError) {
        lock.lock()
        defer { lock.unlock() }
        guard isOpen else { throw Self.notLent }
        earlier.append(answer.response)
        try body(&answer)
    }

    static let notLent = NetcoreError(
        .invalidState, argument: "response", "can be changed only in the filter that it was lent to")
}

private func changeLent(
    _ handle: netcore_response, _ body: (inout FilterResponse) throws(NetcoreError) -> Void
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard let object = HandleTable.shared.object(handle, .response) else {
            throw Lookup.missing(handle, .response, "response")
        }
        guard let draft = unsafeDowncast(object, to: Response.self).draft as? ResponseDraft else {
            throw ResponseDraft.notLent
        }
        try draft.change(body)
    }
}

@_cdecl("netcore_response_set_header") @implementation
public func netcore_response_set_header(
    _ response: netcore_response, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    changeLent(response) { (answer) throws(NetcoreError) in
        try answer.setHeader(Argument.text(name, "name"), bytes: Argument.bytes(value, "value"))
    }
}

@_cdecl("netcore_response_add_header") @implementation
public func netcore_response_add_header(
    _ response: netcore_response, _ name: UnsafePointer<CChar>!, _ value: UnsafePointer<CChar>!
) -> netcore_status {
    changeLent(response) { (answer) throws(NetcoreError) in
        try answer.addHeader(Argument.text(name, "name"), bytes: Argument.bytes(value, "value"))
    }
}

@_cdecl("netcore_response_remove_header") @implementation
public func netcore_response_remove_header(
    _ response: netcore_response, _ name: UnsafePointer<CChar>!
) -> netcore_status {
    changeLent(response) { (answer) throws(NetcoreError) in
        try answer.removeHeader(Argument.text(name, "name"))
    }
}

@_cdecl("netcore_response_set_body") @implementation
public func netcore_response_set_body(
    _ response: netcore_response, _ data: UnsafeRawPointer!, _ size_bytes: Int
) -> netcore_status {
    changeLent(response) { (answer) throws(NetcoreError) in try answer.setBody(Argument.body(data, size_bytes)) }
}

@_cdecl("netcore_response_add_tag") @implementation
public func netcore_response_add_tag(
    _ response: netcore_response, _ tag: UnsafePointer<CChar>!
) -> netcore_status {
    changeLent(response) { (answer) throws(NetcoreError) in try answer.addTag(Argument.text(tag, "tag")) }
}

// MARK: Filters

private struct FilterFunction: @unchecked Sendable {  // a function pointer, and a pointer that is handed back
    let call: netcore_response_filter_fn
    let registration: Registration

    func filter(_ answer: inout FilterResponse) throws(NetcoreError) {
        answer = try ResponseDraft.lend(answer) { handle in call(handle, registration.userData) }
    }
}

private func register(
    _ kind: netcore_response_filter_kind, _ fn: netcore_response_filter_fn?, _ userData: UnsafeMutableRawPointer?,
    _ release: netcore_release_fn?,
    _ add: (ResponseFilterKind, @escaping Client.ResponseFilter) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    guard let kind = ResponseFilterKind(rawValue: kind) else {
        throw NetcoreError(.invalidArgument, argument: "kind", "not a netcore_response_filter_kind value")
    }
    let fn = try Argument.notNull(fn, "fn")
    try registering(userData, release) { (registration) throws(NetcoreError) in
        let filter = FilterFunction(call: fn, registration: registration)
        try add(kind) { answer in try filter.filter(&answer) }
    }
}

@_cdecl("netcore_client_add_response_filter") @implementation
public func netcore_client_add_response_filter(
    _ client: netcore_client, _ kind: netcore_response_filter_kind, _ fn: netcore_response_filter_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let client = try Lookup.client(client)
        try register(kind, fn, user_data, release) { (kind, filter) throws(NetcoreError) in
            try client.addResponseFilter(kind, filter)
        }
    }
}

@_cdecl("netcore_client_remove_response_filters") @implementation
public func netcore_client_remove_response_filters(_ client: netcore_client) -> netcore_status {
    boundary { () throws(NetcoreError) in try Lookup.client(client).removeResponseFilters() }
}

@_cdecl("netcore_request_add_response_filter") @implementation
public func netcore_request_add_response_filter(
    _ request: netcore_request, _ kind: netcore_response_filter_kind, _ fn: netcore_response_filter_fn!,
    _ user_data: UnsafeMutableRawPointer!, _ release: netcore_release_fn!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try register(kind, fn, user_data, release) { (kind, filter) throws(NetcoreError) in
            request.addResponseFilter(kind, filter)
        }
    }
}
