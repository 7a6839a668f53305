public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// A response as C sees it, with its texts ended by NUL bytes. Immutable, shared by all who hold the handle.
final class ResponseBox: @unchecked Sendable {  // the lazily made texts are under `lock`
    let response: Response
    private let lock = Lock()
    private var url: (pointer: UnsafeMutablePointer<CChar>, count: Int)?
    private var message: (pointer: UnsafeMutablePointer<CChar>, count: Int)?

    init(_ response: Response) { self.response = response }

    deinit {
        free(url?.pointer)
        free(message?.pointer)
    }

    var urlBytes: netcore_bytes { text(\.url) { response.urlString } }

    var messageBytes: netcore_bytes { text(\.message) { response.error?.message ?? "" } }

    private func text(
        _ path: ReferenceWritableKeyPath<ResponseBox, (pointer: UnsafeMutablePointer<CChar>, count: Int)?>,
        _ make: () -> String
    ) -> netcore_bytes {
        lock.withLock {
            if self[keyPath: path] == nil {
                let text = make()
                self[keyPath: path] = strdup(text).map { ($0, text.utf8.count) }
            }
            guard let (pointer, count) = self[keyPath: path] else { return netcore_bytes() }
            return netcore_bytes(UnsafeRawBufferPointer(start: pointer, count: count))
        }
    }
}

extension netcore_bytes {
    init(_ bytes: UnsafeRawBufferPointer) {
        self.init(data: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), size_bytes: bytes.count)
    }
}

/// Zeroes a struct of the caller's but for its size, and gives it back for filling in.
private func cleared<Struct>(
    _ pointer: UnsafeMutablePointer<Struct>?, _ size: KeyPath<Struct, UInt32>, _ empty: Struct, _ name: StaticString
) throws(NetcoreError) -> UnsafeMutablePointer<Struct> {
    let pointer = try Argument.notNull(pointer, name)
    let given = pointer.pointee[keyPath: size]
    try Argument.structSize(given, MemoryLayout<Struct>.size, name)
    pointer.pointee = empty
    return pointer
}

@_cdecl("netcore_response_get_info") @implementation
public func netcore_response_get_info(
    _ response: netcore_response, _ out_info: UnsafeMutablePointer<netcore_response_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try cleared(out_info, \.size, netcore_response_info(size: out_info?.pointee.size ?? 0), "out_info")
        let box = try Lookup.response(response)
        let from = box.response
        out.pointee.status = from.error?.code.rawValue ?? 0
        out.pointee.http_status = Int32(from.status)
        out.pointee.http_version = from.version?.rawValue ?? 0
        if let body = from.bodyBuffer { out.pointee.body = netcore_bytes(body.bytes) }
        out.pointee.url = box.urlBytes
        out.pointee.header_count = UInt32(from.fieldBlock?.count ?? 0)
        out.pointee.trailer_count = UInt32(from.trailerBlock?.count ?? 0)
        out.pointee.attempts = UInt32(from.attempts)
        out.pointee.redirects = UInt32(from.redirects)
        out.pointee.connection_reused = from.isConnectionReused ? 1 : 0
        out.pointee.queue_us = Int64(from.timings.queue ?? -1)
        out.pointee.dns_us = Int64(from.timings.dns ?? -1)
        out.pointee.connect_us = Int64(from.timings.connect ?? -1)
        out.pointee.tls_us = Int64(from.timings.tls ?? -1)
        out.pointee.first_byte_us = Int64(from.timings.firstByte ?? -1)
        out.pointee.total_us = Int64(from.timings.total ?? -1)
        out.pointee.bytes_sent = UInt64(from.bytesSent)
        out.pointee.bytes_received = UInt64(from.bytesReceived)
    }
}

extension netcore_response_info {
    init(size: UInt32) {
        self.init()
        self.size = size
    }
}

extension netcore_error {
    init(size: UInt32) {
        self.init()
        self.size = size
    }
}

@_cdecl("netcore_response_get_error") @implementation
public func netcore_response_get_error(
    _ response: netcore_response, _ out_error: UnsafeMutablePointer<netcore_error>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try cleared(out_error, \.size, netcore_error(size: out_error?.pointee.size ?? 0), "out_error")
        let box = try Lookup.response(response)
        out.pointee.message = box.messageBytes
        guard let error = box.response.error else { return }
        out.pointee.status = error.code.rawValue
        out.pointee.phase = error.phase.rawValue
        out.pointee.native_code = error.nativeCode
        out.pointee.attempts = UInt32(error.attempts)
        out.pointee.is_retryable = error.isRetryable ? 1 : 0
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
        let name = try Argument.notNull(name, "name")
        let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
        let block = try Lookup.response(response).response.fieldBlock
        guard let block, let found = block.index(of: bytes, occurrence: Int(index)) else {
            throw NetcoreError(.notFound, "name: the response has no such field at that index")
        }
        out.pointee = netcore_bytes(block.value(at: found))
    }
}

private func field(
    _ response: netcore_response, _ index: UInt32, _ outName: UnsafeMutablePointer<netcore_bytes>?,
    _ outValue: UnsafeMutablePointer<netcore_bytes>?, _ block: (Response) -> FieldBlock?
) -> netcore_status {
    outName?.pointee = netcore_bytes()
    outValue?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let block = block(try Lookup.response(response).response)
        guard let block, index < block.count else {
            throw NetcoreError(.notFound, "index: the section has \(block?.count ?? 0) fields")
        }
        outName?.pointee = netcore_bytes(block.name(at: Int(index)))
        outValue?.pointee = netcore_bytes(block.value(at: Int(index)))
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
