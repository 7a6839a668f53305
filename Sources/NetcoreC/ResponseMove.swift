public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

/// A response in one piece of the caller's memory.
private struct Piece {
    let start: UnsafeMutableRawPointer
    private(set) var end = 0

    init(_ start: UnsafeMutableRawPointer, from end: Int) {
        self.start = start
        self.end = end
    }

    /// Copies bytes to the end, and with a text a NUL byte, which is not counted.
    mutating func append(_ bytes: UnsafeRawBufferPointer, isText: Bool = false) -> netcore_bytes {
        let place = UnsafeMutableRawBufferPointer(start: start + end, count: bytes.count)
        place.copyMemory(from: bytes)
        end += bytes.count
        if isText {
            start.storeBytes(of: 0, toByteOffset: end, as: UInt8.self)
            end += 1
        }
        return netcore_bytes(UnsafeRawBufferPointer(place))
    }

    /// Has borrowed bytes lead to a copy at the end.
    mutating func append(_ bytes: inout netcore_bytes, isText: Bool = false) {
        bytes = append(UnsafeRawBufferPointer(start: bytes.data, count: bytes.size_bytes), isText: isText)
    }

    mutating func append(_ text: String) -> netcore_bytes {
        var text = text
        return text.withUTF8 { append(UnsafeRawBufferPointer($0), isText: true) }
    }
}

extension Response {
    /// Whether the handle leads to nothing that a copy of its info and its tries lacks, except the fields it was sent with.
    fileprivate var isMovable: Bool {
        error == nil && early == nil && !isStreamed && streamOwner == nil && draft == nil && downloadBox == nil
            && history.isEmpty && cacheCode == 0 && cachedObject == nil
    }

    /// Copies all of it to a place with room for `capacity` bytes, and returns how many it takes. Writes nothing where they are more.
    fileprivate func copy(to start: UnsafeMutableRawPointer, capacity: Int) -> Int {
        var info = netcore_response_info(self)
        let infoSize = MemoryLayout<netcore_response_info>.size, trySize = MemoryLayout<netcore_try>.size
        let head = infoSize + tries.count * trySize
        var size = head + info.url.size_bytes + 1 + info.headers.size_bytes + info.trailers.size_bytes
        size += info.body_sha256.size_bytes + 1 + info.body.size_bytes
        for each in tries { size += each.server.utf8.count + 1 + (each.address?.utf8.count ?? 0) + 1 }
        guard size <= capacity else { return size }

        var piece = Piece(start, from: head)
        piece.append(&info.trailers)
        piece.append(&info.url, isText: true)
        piece.append(&info.body_sha256, isText: true)
        for (index, each) in tries.enumerated() {
            var copied = netcore_try(each)
            copied.size = UInt32(trySize)
            copied.server = piece.append(each.server)
            copied.address = piece.append(each.address ?? "")
            withUnsafeBytes(of: copied) {
                (start + infoSize + index * trySize).copyMemory(from: $0.baseAddress!, byteCount: trySize)
            }
        }
        piece.append(&info.headers)
        piece.append(&info.body)
        info.size = UInt32(infoSize)
        withUnsafeBytes(of: info) { start.copyMemory(from: $0.baseAddress!, byteCount: infoSize) }
        return size
    }
}

@_cdecl("netcore_response_move") @implementation
public func netcore_response_move(
    _ response: netcore_response, _ buffer: UnsafeMutableRawPointer!, _ capacity: Int,
    _ out_size: UnsafeMutablePointer<Int>!
) -> netcore_status {
    out_size?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let outSize = try Argument.notNull(out_size, "out_size")
        let found = try Lookup.response(response)
        let buffer = try Argument.notNull(buffer, "buffer")
        guard found.isMovable else { return }
        // A size_t from 2^63 on arrives as negative.
        let capacity = capacity < 0 ? Int.max : capacity
        let size = withExtendedLifetime(found) { found.copy(to: buffer, capacity: capacity) }
        guard size <= capacity else { return }
        guard HandleTable.shared.release(response, .response) != nil else {
            throw Lookup.missing(response, .response, "response")
        }
        outSize.pointee = size
    }
}
