/// A Content-Range field of bytes (RFC 9110 section 14.4): which part of a representation an answer brings.
package struct ContentRange: Sendable, Hashable {
    package var bytes: Range<Int64>
    /// The length of the whole; nil when it is not known.
    package var completeLength: Int64?

    package init(bytes: Range<Int64>, completeLength: Int64?) {
        self.bytes = bytes
        self.completeLength = completeLength
    }

    /// Reads the one Content-Range field of a 206; nil when it is missing, repeated or not valid, and for multipart bodies.
    package init?(_ fields: FieldBlock) {
        guard let joined = fields.joinedValue(of: "content-range"),
            let range = joined.withUnsafeBytes({ Self.read(Syntax.trimmed($0)) })
        else { return nil }
        self = range
    }

    /// "bytes 0-499/1234" or "bytes 0-499/*".
    private static func read(_ value: UnsafeRawBufferPointer) -> ContentRange? {
        guard value.count > 6, Syntax.equalsIgnoringCase(UnsafeRawBufferPointer(rebasing: value[..<6]), "bytes "),
            let dash = value.firstIndex(of: UInt8(ascii: "-")), let slash = value.firstIndex(of: UInt8(ascii: "/")),
            dash >= 6, slash > dash
        else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            RangeRequest.bytePosition(UnsafeRawBufferPointer(rebasing: value[range]))
        }
        guard let first = number(6..<dash), let last = number((dash + 1)..<slash), first <= last, last < .max else {
            return nil
        }
        let lengthText = value[(slash + 1)...]
        if lengthText.elementsEqual("*".utf8) { return ContentRange(bytes: first..<last + 1, completeLength: nil) }
        guard let length = number((slash + 1)..<value.count), last < length else { return nil }
        return ContentRange(bytes: first..<last + 1, completeLength: length)
    }

    /// As it stands in a field.
    package var text: String {
        "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(completeLength.map { "\($0)" } ?? "*")"
    }

    /// Of an answer 416 (RFC 9110 section 15.5.17).
    package static func unsatisfied(_ length: Int64) -> String { "bytes */\(length)" }
}
