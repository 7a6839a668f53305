public import CNetcore
internal import Netcore
internal import NetcoreHTTP

/// The functions of a reader of the application's.
private struct ReaderFunctions: @unchecked Sendable {  // function pointers, and a pointer that is handed back
    let functions: netcore_reader
    let registration: Registration

    func read(into room: UnsafeMutableRawBufferPointer) throws(NetcoreError) -> Int {
        guard let size = functions.read?(room.baseAddress, room.count, registration.userData),
            size != Int(bitPattern: UInt.max)
        else { throw NetcoreError(.body, "the read function failed") }
        return size
    }

    func rewind() throws(NetcoreError) {
        guard let rewind = functions.rewind, rewind(registration.userData) == 0 else {
            throw NetcoreError(.bodyRewind, "cannot be read again from its beginning")
        }
    }
}

/// Hands a stream over to a request.
private func withStream(
    _ reader: UnsafePointer<netcore_reader>?, _ length: UInt64, _ body: (BodyStream) throws(NetcoreError) -> Void
) throws(NetcoreError) {
    let functions = try netcore_reader.read(Argument.notNull(reader, "reader"), "reader")
    guard functions.read != nil else {
        throw NetcoreError(.invalidArgument, argument: "reader", "the read function must not be null")
    }
    guard length == .max || length <= 1 << 62 else {
        throw NetcoreError(.invalidArgument, argument: "length_bytes", "must be at most 2^62")
    }
    try registering(functions.user_data, functions.release) { (registration) throws(NetcoreError) in
        let reader = ReaderFunctions(functions: functions, registration: registration)
        var rewind: (@Sendable () throws -> Void)?
        if functions.rewind != nil { rewind = { try reader.rewind() } }
        try body(
            BodyStream(
                length: length == .max ? nil : Int(length), read: { try reader.read(into: $0) },
                rewind: rewind))
    }
}

@_cdecl("netcore_request_set_body_file") @implementation
public func netcore_request_set_body_file(
    _ request: netcore_request, _ path: UnsafePointer<CChar>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in try request.setBody(file: Argument.name(path, "path")) }
}

@_cdecl("netcore_request_set_body_reader") @implementation
public func netcore_request_set_body_reader(
    _ request: netcore_request, _ reader: UnsafePointer<netcore_reader>!, _ length_bytes: UInt64
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        try withStream(reader, length_bytes) { (stream) throws(NetcoreError) in try request.setBody(stream) }
    }
}

@_cdecl("netcore_request_set_body_gzip") @implementation
public func netcore_request_set_body_gzip(_ request: netcore_request, _ minimum_bytes: UInt64) -> netcore_status {
    change(request) { request in request.packsBodyFrom = minimum_bytes == .max ? nil : Int(clamping: minimum_bytes) }
}

// MARK: Parts

private func addPart(
    _ handle: netcore_request, _ name: UnsafePointer<CChar>?, _ options: UnsafePointer<netcore_part_options>?,
    _ content: () throws(NetcoreError) -> Part.Content
) -> netcore_status {
    change(handle) { (request) throws(NetcoreError) in
        try request.addPart(part(Argument.name(name, "name"), content(), options))
    }
}

private func part(
    _ name: String, _ content: Part.Content, _ options: UnsafePointer<netcore_part_options>?
) throws(NetcoreError) -> Part {
    guard let options else { return try Part(name, content) }
    let from = try netcore_part_options.read(options, "options")
    return try Part(
        name, content, fileName: Argument.optionalText(from.file_name, "file_name"),
        contentType: Argument.optionalText(from.content_type, "content_type"),
        headers: netcore_part_header.readArray(
            from.headers, (Int(from.header_count), "header_count"), (from.header_size, "header_size"), "headers"
        ) {
            (header) throws(NetcoreError) in
            (try Argument.text(header.name, "headers"), try Argument.text(header.value, "headers"))
        })
}

@_cdecl("netcore_request_add_part") @implementation
public func netcore_request_add_part(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ data: UnsafeRawPointer!, _ size_bytes: Int,
    _ options: UnsafePointer<netcore_part_options>!
) -> netcore_status {
    addPart(request, name, options) { () throws(NetcoreError) in
        guard size_bytes >= 0, size_bytes <= largestPart else {
            throw NetcoreError(.invalidArgument, argument: "size_bytes", "must be at most 2^40")
        }
        guard size_bytes > 0 else { return .bytes([]) }
        return .bytes(Array(UnsafeRawBufferPointer(start: try Argument.notNull(data, "data"), count: size_bytes)))
    }
}

private let largestPart = 1 << 40

@_cdecl("netcore_request_add_file_part") @implementation
public func netcore_request_add_file_part(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ path: UnsafePointer<CChar>!,
    _ options: UnsafePointer<netcore_part_options>!
) -> netcore_status {
    addPart(request, name, options) { () throws(NetcoreError) in .file(try Argument.name(path, "path")) }
}

@_cdecl("netcore_request_add_reader_part") @implementation
public func netcore_request_add_reader_part(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ reader: UnsafePointer<netcore_reader>!,
    _ length_bytes: UInt64, _ options: UnsafePointer<netcore_part_options>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        let name = try Argument.name(name, "name")
        try withStream(reader, length_bytes) { (stream) throws(NetcoreError) in
            try request.addPart(part(name, .stream(stream), options))
        }
    }
}
