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

    /// Lends all of it in one piece: for each field its name, a NUL byte, its value, a NUL byte.
    package func withContents<Result>(_ read: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(block) { try read(block.contents) }
    }

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
        var name = name
        return name.withUTF8 { bytes in
            let name = UnsafeRawBufferPointer(bytes)
            var values: [String] = []
            var next = block.index(of: name)
            while let index = next {
                values.append(block.text(at: index))
                next = block.index(of: name, from: index + 1)
            }
            return values
        }
    }

    /// The values of all fields of a name, joined by ", " (RFC 9110 section 5.3); nil when there is none.
    public subscript(name: String) -> String? {
        var name = name
        let (first, isOnly): (String?, Bool) = name.withUTF8 { bytes in
            let name = UnsafeRawBufferPointer(bytes)
            guard let index = block.index(of: name) else { return (nil, true) }
            return (block.text(at: index), block.index(of: name, occurrence: 1) == nil)
        }
        return isOnly ? first : values(of: name).joined(separator: ", ")
    }
}
