internal import CCurl
internal import Glibc
package import NetcoreSupport

extension WireRequest {
    /// The value of a header field; nil without one. The first of several.
    package func value(of name: String) -> String? {
        for line in lines where Self.names(line, name) {
            let text = String(cString: line + name.utf8.count + 1)
            return String(text.drop { $0 == " " })
        }
        return nil
    }

    /// The same request with another value of one field, or without it.
    package func setting(_ name: String, _ value: String?) -> WireRequest {
        changed(body) { add in
            for line in lines where !Self.names(line, name) { add(line) }
            guard let value else { return }
            let line = value.isEmpty ? "\(name);" : "\(name): \(value)"
            line.withCString(add)
        }
    }

    /// The same request with a body that was read before, of the same bytes.
    package func replacing(body read: ByteBuffer) -> WireRequest {
        changed(.bytes(read)) { add in lines.forEach(add) }
    }

    private func changed(
        _ body: WireBody?, headerLines: (_ add: (UnsafePointer<CChar>) -> Void) -> Void
    ) -> WireRequest {
        let made = WireRequest(
            method: method, url: url, credentials: credentials, body: body, timeouts: timeouts,
            decodesContent: decodesContent, manner: manner, needsOwnConnection: needsOwnConnection,
            headerLines: headerLines)
        made.host = host
        return made
    }

    private var lines: [UnsafePointer<CChar>] {
        var result: [UnsafePointer<CChar>] = []
        var next = headers
        while let line = next {
            if let data = line.pointee.data { result.append(UnsafePointer(data)) }
            next = line.pointee.next
        }
        return result
    }

    /// Whether a line is of this field: as libcurl takes it, with a semicolon where the value is empty.
    private static func names(_ line: UnsafePointer<CChar>, _ name: String) -> Bool {
        let size = name.utf8.count
        guard strncasecmp(line, name, size) == 0 else { return false }
        return line[size] == CChar(bitPattern: UInt8(ascii: ":")) || line[size] == CChar(bitPattern: UInt8(ascii: ";"))
    }
}
