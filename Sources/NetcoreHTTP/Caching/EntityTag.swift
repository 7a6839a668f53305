/// An entity tag (RFC 9110 section 8.8.3): what names one representation of a resource.
package struct EntityTag: Sendable, Hashable {
    package let isWeak: Bool
    /// The opaque part as received, its quotes included.
    package let opaque: [UInt8]

    package init(isWeak: Bool, opaque: [UInt8]) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    /// Reads the value of an ETag field. One without quotes, which some origins send, is taken as a weak one if it could
    /// stand in a list: it goes back to the origin as it came, and combines nothing.
    package init?(_ value: UnsafeRawBufferPointer) {
        let value = Syntax.trimmed(value)
        if let (tag, end) = Self.read(value, 0), end == value.count {
            self = tag
            return
        }
        let isBare = value.allSatisfy { $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: ",") }
        guard !value.isEmpty, isBare, !value.elementsEqual("*".utf8) else { return nil }
        self.init(isWeak: true, opaque: Array(value))
    }

    /// As it stands in a field.
    package var bytes: [UInt8] {
        isWeak && opaque.first == UInt8(ascii: "\"") ? Array("W/".utf8) + opaque : opaque
    }

    /// Strong comparison: byte-identical representations (RFC 9110 section 8.8.3.2).
    package func stronglyEquals(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// Weak comparison: equivalent representations (RFC 9110 section 8.8.3.2).
    package func weaklyEquals(_ other: EntityTag) -> Bool { opaque == other.opaque }

    /// The tag that begins at an offset, and where it ends. Backslashes in it mean nothing.
    fileprivate static func read(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> (EntityTag, end: Int)? {
        var open = start
        let isWeak =
            start + 1 < bytes.count && bytes[start] == UInt8(ascii: "W") && bytes[start + 1] == UInt8(ascii: "/")
        if isWeak { open += 2 }
        guard open < bytes.count, bytes[open] == UInt8(ascii: "\"") else { return nil }
        var end = open + 1
        while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
            guard bytes[end] > 0x20, bytes[end] != 0x7F else { return nil }
            end += 1
        }
        guard end < bytes.count else { return nil }
        return (EntityTag(isWeak: isWeak, opaque: Array(bytes[open...end])), end + 1)
    }
}

/// What If-Match or If-None-Match lists: "*", or entity tags (RFC 9110 sections 13.1.1 and 13.1.2).
package enum EntityTagCondition: Sendable, Hashable {
    case any
    case tags([EntityTag])

    /// Reads all fields of a name; nil when there is none. Elements that are no entity tags are passed over.
    package init?(_ fields: FieldBlock, _ name: StaticString) {
        guard let joined = fields.joinedValue(of: name) else { return nil }
        self = joined.withUnsafeBytes { Self.read(Syntax.trimmed($0)) }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) -> EntityTagCondition {
        if bytes.elementsEqual("*".utf8) { return .any }
        var tags: [EntityTag] = []
        var index = 0
        while index < bytes.count {
            if let (tag, end) = EntityTag.read(bytes, index) {
                tags.append(tag)
                index = end
            }
            while index < bytes.count, bytes[index] != UInt8(ascii: ",") { index += 1 }
            while index < bytes.count, bytes[index] == UInt8(ascii: ",") || Syntax.isWhitespace(bytes[index]) {
                index += 1
            }
        }
        return .tags(tags)
    }

    /// Whether a stored answer with that tag is meant, by weak comparison (RFC 9110 section 13.1.2).
    package func matches(_ tag: EntityTag?) -> Bool {
        switch self {
        case .any: true
        case .tags(let tags): tag.map { tag in tags.contains { $0.weaklyEquals(tag) } } ?? false
        }
    }

    package var tags: [EntityTag] {
        if case .tags(let tags) = self { tags } else { [] }
    }
}
