public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

extension netcore_bytes {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(data: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size_bytes: bytes.count)
    }
}

extension netcore_response_info {
    /// What it points to lives as long as the response.
    init(_ from: Response) {
        self.init()
        status = from.error?.code.rawValue ?? 0
        http_status = Int32(clamping: from.status)
        http_version = from.version?.rawValue ?? 0
        if let buffer = from.bodyBuffer { body = netcore_bytes(buffer.bytes) }
        if let from = from.url { url = netcore_bytes(from.bytes) }
        if let block = from.fieldBlock {
            header_count = UInt32(clamping: block.count)
            headers = netcore_bytes(block.contents)
        }
        if let block = from.trailerBlock {
            trailer_count = UInt32(clamping: block.count)
            trailers = netcore_bytes(block.contents)
        }
        attempts = UInt32(clamping: from.attempts)
        try_count = UInt32(clamping: from.tries.count)
        redirects = UInt32(clamping: from.redirects)
        connection_reused = from.isConnectionReused ? 1 : 0
        cache_result = from.cacheCode
        queue_us = Int64(clamping: from.timings.queue ?? -1)
        dns_us = Int64(clamping: from.timings.dns ?? -1)
        connect_us = Int64(clamping: from.timings.connect ?? -1)
        tls_us = Int64(clamping: from.timings.tls ?? -1)
        first_byte_us = Int64(clamping: from.timings.firstByte ?? -1)
        total_us = Int64(clamping: from.timings.total ?? -1)
        user_info = (from.userInfo as? UserData)?.pointer
        bytes_sent = UInt64(clamping: from.bytesSent)
        bytes_received = UInt64(clamping: from.bytesReceived)
        joined = from.isJoined ? 1 : 0
        // An array that is never changed once the response is handed over: its bytes stay where they are.
        body_sha256 = from.bodyDigest.map { netcore_bytes(text: $0) } ?? netcore_bytes()
    }
}

@_cdecl("netcore_response_get_info") @implementation
public func netcore_response_get_info(
    _ response: netcore_response, _ out_info: UnsafeMutablePointer<netcore_response_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        out.write(netcore_response_info(try Lookup.response(response)))
    }
}

@_cdecl("netcore_response_get_error") @implementation
public func netcore_response_get_error(
    _ response: netcore_response, _ out_error: UnsafeMutablePointer<netcore_error>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_error, "out_error")
        out.write(netcore_error(try Lookup.response(response)))
    }
}

extension netcore_error {
    /// What it points to lives as long as the response.
    init(_ from: Response) {
        self.init()
        message = netcore_bytes(from.messageBytes)
        user_message = netcore_bytes(from.userMessageBytes)
        guard let error = from.error else { return }
        status = error.code.rawValue
        phase = error.phase.rawValue
        native_code = error.nativeCode
        attempts = UInt32(clamping: error.attempts)
        is_retryable = error.isRetryable ? 1 : 0
        retry_after_ms = UInt64(clamping: error.retryAfter?.milliseconds ?? 0)
        cancel_cause = error.cancelCause?.rawValue ?? 0
        sent = error.wasSent ? 1 : 0
        application_code = error.applicationCode.rawValue
        // The message begins with it.
        if error.code == .rejectedJSON, !error.argument.isEmpty {
            argument = netcore_bytes(
                UnsafeRawBufferPointer(rebasing: from.messageBytes.prefix(error.argument.utf8.count)))
        }
    }
}

@_cdecl("netcore_response_get_header") @implementation
public func netcore_response_get_header(
    _ response: netcore_response, _ name: UnsafePointer<CChar>!, _ index: UInt32,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_value?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        let response = try Lookup.response(response)
        out.pointee = try Fields.value(name, index, in: response.fieldBlock, of: "response")
    }
}

private func field(
    _ response: netcore_response, _ index: UInt32, _ outName: UnsafeMutablePointer<netcore_bytes>?,
    _ outValue: UnsafeMutablePointer<netcore_bytes>?, _ block: (Response) -> FieldBlock?
) -> netcore_status {
    outName?.pointee = netcore_bytes()
    outValue?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        try Fields.read(index, in: block(try Lookup.response(response)), outName, outValue)
    }
}

@_cdecl("netcore_response_get_header_at") @implementation
public func netcore_response_get_header_at(
    _ response: netcore_response, _ index: UInt32, _ out_name: UnsafeMutablePointer<netcore_bytes>!,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    field(response, index, out_name, out_value) { $0.fieldBlock }
}

@_cdecl("netcore_response_get_trailer_at") @implementation
public func netcore_response_get_trailer_at(
    _ response: netcore_response, _ index: UInt32, _ out_name: UnsafeMutablePointer<netcore_bytes>!,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    field(response, index, out_name, out_value) { $0.trailerBlock }
}

@_cdecl("netcore_response_get_text") @implementation
public func netcore_response_get_text(
    _ response: netcore_response, _ out_text: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_text?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_text, "out_text")
        let text = try Lookup.response(response).textBytes
        guard text.baseAddress != nil else { throw NetcoreError(.outOfMemory, argument: "out_text", "out of memory") }
        out.pointee = netcore_bytes(text)
    }
}

@_cdecl("netcore_response_get_link") @implementation
public func netcore_response_get_link(
    _ response: netcore_response, _ relation: UnsafePointer<CChar>!, _ text: UnsafeMutablePointer<CChar>!,
    _ capacity: Int, _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_size, "out_size")
        let response = try Lookup.response(response)
        let relation = try Argument.name(relation, "relation")
        guard let link = response.links.first(where: { $0.hasRelation(relation) }) else {
            throw NetcoreError(.notFound, argument: "relation", "the response has no such link")
        }
        try TextOut.write(link.url.utf8, text, capacity, out)
    }
}

@_cdecl("netcore_response_get_history_at") @implementation
public func netcore_response_get_history_at(
    _ response: netcore_response, _ index: UInt32, _ out_response: UnsafeMutablePointer<netcore_response>!
) -> netcore_status {
    out_response?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_response, "out_response")
        let history = try Lookup.response(response).history
        guard history.indices.contains(Int(index)) else {
            throw NetcoreError(.notFound, argument: "index", "there are \(history.count) redirects")
        }
        out.pointee = try Lookup.insert(history[Int(index)], .response)
    }
}

@_cdecl("netcore_response_list_request_headers") @implementation
public func netcore_response_list_request_headers(
    _ response: netcore_response, _ fn: netcore_field_fn!, _ user_data: UnsafeMutableRawPointer!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let fn = try Argument.notNull(fn, "fn")
        for field in try Lookup.response(response).requestHeaders {
            let goesOn = field.name.withCString { name in
                (field.bytes + [0]).withUnsafeBytes {
                    fn(name, $0.bindMemory(to: CChar.self).baseAddress, user_data)
                }
            }
            guard goesOn != 0 else { return }
        }
    }
}

@_cdecl("netcore_response_retain") @implementation
public func netcore_response_retain(_ response: netcore_response) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard HandleTable.shared.retain(response, .response) else {
            throw Lookup.missing(response, .response, "response")
        }
    }
}

@_cdecl("netcore_response_release") @implementation
public func netcore_response_release(_ response: netcore_response) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard HandleTable.shared.release(response, .response) != nil else {
            throw Lookup.missing(response, .response, "response")
        }
    }
}
