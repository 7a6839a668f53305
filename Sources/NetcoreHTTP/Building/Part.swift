/// A part of a multipart/form-data body (RFC 7578).
public struct Part: Sendable {
    public enum Content: Sendable {
        case bytes([UInt8])
        /// The path of a file, read while it is sent.
        case file(String)
        case stream(BodyStream)
    }

    public let name: String
    public let content: Content
    public let fileName: String?
    public let contentType: String?
    package let headers: [(name: String, value: String)]

    /// - Parameters:
    ///   - fileName: by default that of a file's path, and none for other contents.
    ///   - contentType: by default "application/octet-stream" for what has a file name, and none for others.
    ///   - headers: further fields of the part.
    public init(
        _ name: String, _ content: Content, fileName: String? = nil, contentType: String? = nil,
        headers: [(name: String, value: String)] = []
    ) throws(NetcoreError) {
        self.name = try Self.checked(name, "name")
        self.content = content
        self.fileName =
            if let fileName = fileName ?? Self.fileName(content) { try Self.checked(fileName, "file_name") } else {
                nil
            }
        self.contentType = contentType ?? (self.fileName == nil ? nil : "application/octet-stream")
        self.headers = headers
        if let contentType, contentType.isEmpty || !Syntax.isFieldValue(contentType.utf8) {
            throw NetcoreError(
                .invalidHeader, argument: "content_type",
                "must not be empty or contain control characters, such as CR or LF")
        }
        for header in headers { try Self.check(header) }
    }

    /// The last segment of a file's path.
    private static func fileName(_ content: Content) -> String? {
        guard case .file(let path) = content else { return nil }
        // By bytes: as characters, "/" and an accent after it are one.
        return path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) }
    }

    private static func checked(_ text: String, _ argument: String) throws(NetcoreError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw NetcoreError(.invalidArgument, argument: "\(argument)", "must not be empty or contain a NUL byte")
        }
        return text
    }

    private static let ownFields = [
        "content-disposition", "content-type", "content-length", "content-transfer-encoding",
    ]

    private static func check(_ header: (name: String, value: String)) throws(NetcoreError) {
        guard Syntax.isToken(header.name.utf8) else {
            throw NetcoreError(.invalidHeader, argument: "headers", "a field name must be a token")
        }
        guard !ownFields.contains(where: { Syntax.equalsIgnoringCase($0, header.name) }) else {
            throw NetcoreError(
                .invalidHeader, argument: "headers", "\(header.name) follows from the part and cannot be set")
        }
        guard Syntax.isFieldValue(header.value.utf8) else {
            throw NetcoreError(
                .invalidHeader, argument: "headers", "the value of \(header.name) has a control byte, such as CR or LF")
        }
    }
}

/// The text around the parts of a multipart body (RFC 2046 section 5.1, RFC 7578).
package enum Multipart {
    /// What divides the parts: random, so that no part has it.
    package static func makeBoundary() -> String {
        "netcore-" + (0..<4).map { _ in hex(UInt32.random(in: .min ... .max)) }.joined()
    }

    private static func hex(_ number: UInt32) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }

    /// What stands before the content of a part.
    package static func head(of part: Part, _ boundary: String, isFirst: Bool) -> [UInt8] {
        var text = isFirst ? "" : "\r\n"
        text += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(name: part.name))\""
        if let fileName = part.fileName { text += "; filename=\"\(escaped(fileName))\"" }
        text += "\r\n"
        if let type = part.contentType { text += "Content-Type: \(type)\r\n" }
        for header in part.headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// What comes after the last part.
    package static func end(_ boundary: String, isEmpty: Bool) -> [UInt8] {
        Array("\(isEmpty ? "" : "\r\n")--\(boundary)--\r\n".utf8)
    }

    /// A name as browsers write it: each line break as CR and LF, and then as ``escaped(_:)`` (WHATWG HTML, "multipart/form-data
    /// encoding algorithm").
    private static func escaped(name: String) -> String {
        var bytes: [UInt8] = []
        var last: UInt8 = 0
        for byte in name.utf8 {
            if byte == 0x0A, last != 0x0D { bytes.append(0x0D) }
            if last == 0x0D, byte != 0x0A { bytes.append(0x0A) }
            bytes.append(byte)
            last = byte
        }
        if last == 0x0D { bytes.append(0x0A) }
        return escaped(String(decoding: bytes, as: UTF8.self))
    }

    /// Line breaks and quotation marks as percent and two digits.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x0A: result += "%0A".utf8
            case 0x0D: result += "%0D".utf8
            case UInt8(ascii: "\""): result += "%22".utf8
            default: result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
