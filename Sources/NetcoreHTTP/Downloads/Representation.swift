/// What is known of the bytes that a download brings (RFC 9110 section 3.2): enough to tell later whether the rest that a server sends
/// belongs to them.
package struct Representation: Sendable, Equatable {
    /// A strong entity tag, as it stands in a field.
    package var tag: String?
    /// The value of Last-Modified, where it is strong (RFC 9110 section 8.8.2.2).
    package var lastModified: String?
    package var length: Int64?
    /// The SHA-256 digest that the server gave (`Repr-Digest`, RFC 9530).
    package var digest: [UInt8]?

    package init() {}

    /// What the head of an answer 200 says, or of a 206 except for the length. Of a coded body, which is decoded on its way, nothing is known.
    ///
    /// - Parameter now: seconds since 1970.
    package init(_ fields: FieldBlock, now: Int64) {
        guard !fields.isCoded else { return }
        let validators = Validators(fields, now: now)
        tag = validators.strongTag.map { String(decoding: $0.bytes, as: UTF8.self) }
        if validators.isLastModifiedStrong, let index = fields.index(of: "last-modified") {
            lastModified = fields.text(at: index)
        }
        length = fields.contentLength
        digest = ReprDigest.sha256(fields)
    }

    /// The value of If-Range, and of If-Match for a tag.
    package var validator: String? { tag ?? lastModified }

    // MARK: Kept beside a part

    /// Lines of a name and a value.
    package func text(key: String) -> String {
        var lines = ["key \(key)"]
        if let tag { lines.append("tag \(tag)") }
        if let lastModified { lines.append("modified \(lastModified)") }
        if let length { lines.append("length \(length)") }
        if let digest { lines.append("sha-256 \(Hexadecimal.text(digest))") }
        return lines.joined(separator: "\n")
    }

    /// Reads it back; nil where it is of another key.
    package init?(text: String, key: String) {
        var isOfKey = false
        for line in text.split(separator: "\n") {
            guard let space = line.firstIndex(of: " ") else { continue }
            let value = String(line[line.index(after: space)...])
            switch line[..<space] {
            case "key": isOfKey = value == key
            case "tag": tag = value
            case "modified": lastModified = value
            case "length": length = Self.length(value)
            case "sha-256": digest = Hexadecimal.bytes(value)
            default: break
            }
        }
        guard isOfKey else { return nil }
    }

    /// The length in a text of ``text(key:)``.
    package static func length(in text: String) -> Int64? {
        text.split(separator: "\n").first { $0.hasPrefix("length ") }.flatMap { length(String($0.dropFirst(7))) }
    }

    private static func length(_ text: String) -> Int64? { Int64(text).flatMap { $0 >= 0 ? $0 : nil } }
}

extension FieldBlock {
    /// Whether the body is coded, other than by "identity".
    var isCoded: Bool {
        guard let codings = joinedValue(of: "content-encoding") else { return false }
        return codings.withUnsafeBytes { codings in
            Syntax.listElements(codings).contains { !Syntax.equalsIgnoringCase($0, "identity") && !$0.isEmpty }
        }
    }

    /// The value of Content-Length; nil where there is none that is one number.
    package var contentLength: Int64? {
        guard let value = joinedValue(of: "content-length") else { return nil }
        return value.withUnsafeBytes { value in
            let digits = Syntax.trimmed(value)
            return digits.count < 19 ? RangeRequest.bytePosition(digits) : nil
        }
    }
}

/// Bytes as text of hexadecimal digits.
package enum Hexadecimal {
    package static func text(_ bytes: [UInt8]) -> String {
        var text = ""
        for byte in bytes { text += (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return text
    }

    package static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }
}
