/// The fields of a header or trailer section, in the order received.
public struct Headers: Sendable, RandomAccessCollection {
    /// One field. The text is the bytes as UTF-8, damaged ones replaced; ``bytes`` has them as received.
    public struct Field: Sendable, Hashable {
        public let name: String
        public let value: String
        public let bytes: [UInt8]
    }

    package let block: FieldBlock

    package init(_ block: FieldBlock) { self.block = block }

    public var startIndex: Int { 0 }
    public var endIndex: Int { block.count }

    public subscript(position: Int) -> Field {
        let value = block.value(at: position)
        return Field(
            name: String(decoding: block.name(at: position), as: UTF8.self),
            value: String(decoding: value, as: UTF8.self), bytes: Array(value))
    }

    /// The values of all fields of a name, compared without case.
    public func values(of name: String) -> [String] {
        filter { Syntax.equalsIgnoringCase($0.name, name) }.map(\.value)
    }

    /// The values of all fields of a name, joined by ", " (RFC 9110 section 5.3); nil when there is none.
    public subscript(name: String) -> String? {
        let values = values(of: name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }
}
