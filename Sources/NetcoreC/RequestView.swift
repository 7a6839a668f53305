public import CNetcore
internal import Glibc
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// What a request says, in bytes that can be lent to C.
final class RequestView {
    private let request: Request
    private(set) lazy var fields = request.fieldBlock
    private let method: [CChar]
    private let url: [CChar]
    private let body: ByteBuffer?

    init(_ request: Request) {
        self.request = request
        method = Array(request.method.utf8CString)
        url = Array(request.urlString.utf8CString)
        body = request.body
    }

    var info: netcore_request_info {
        var info = netcore_request_info()
        info.header_count = UInt32(clamping: request.fieldCount)
        info.method = Self.lent(method)
        info.url = Self.lent(url)
        if let body { info.body = netcore_bytes(body.bytes) }
        return info
    }

    /// A text without its NUL byte. The array is never changed, so that its bytes stay where they are.
    private static func lent(_ text: [CChar]) -> netcore_bytes {
        text.withUnsafeBytes { netcore_bytes(UnsafeRawBufferPointer(rebasing: $0.dropLast())) }
    }
}

@_cdecl("netcore_request_get_info") @implementation
public func netcore_request_get_info(
    _ request: netcore_request, _ out_info: UnsafeMutablePointer<netcore_request_info>!
) -> netcore_status {
    boundary { () throws(NetcoreError) in
        let out = try OutRoom(out_info, "out_info")
        try Lookup.request(request).withView { view in out.write(view.info) }
    }
}

@_cdecl("netcore_request_get_header") @implementation
public func netcore_request_get_header(
    _ request: netcore_request, _ name: UnsafePointer<CChar>!, _ index: UInt32,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_value?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_value, "out_value")
        try Lookup.request(request).withView { (view) throws(NetcoreError) in
            out.pointee = try Fields.value(name, index, in: view.fields, of: "request")
        }
    }
}

@_cdecl("netcore_request_get_header_at") @implementation
public func netcore_request_get_header_at(
    _ request: netcore_request, _ index: UInt32, _ out_name: UnsafeMutablePointer<netcore_bytes>!,
    _ out_value: UnsafeMutablePointer<netcore_bytes>!
) -> netcore_status {
    out_name?.pointee = netcore_bytes()
    out_value?.pointee = netcore_bytes()
    return boundary { () throws(NetcoreError) in
        try Lookup.request(request).withView { (view) throws(NetcoreError) in
            try Fields.read(index, in: view.fields, out_name, out_value)
        }
    }
}
