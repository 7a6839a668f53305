/// The tags of a stored answer, in one text.
package enum TagList {
    package static let separator: UInt8 = 0x1F

    package static func text(_ tags: [String]) -> String { tags.joined(separator: "\u{1F}") }

    package static func tags(_ text: String) -> [String] {
        text.isEmpty ? [] : text.utf8.split(separator: separator).map { String(Substring($0)) }
    }

    /// Whether a tag is one of those in a text; "" is that of answers without any.
    package static func contains(_ text: String, _ tag: String) -> Bool {
        text.utf8.elementsEqual(tag.utf8)
            || text.utf8.split(separator: separator).contains { $0.elementsEqual(tag.utf8) }
    }
}
