/// A text that is valid JSON, and where its values stand in it: what is taken out keeps its letters.
package struct JSONText: Sendable {
    package let bytes: [UInt8]
    private let start: Int

    /// Nil if the bytes are not one JSON value in UTF-8; a byte order mark may come before it.
    package init?(_ body: UnsafeRawBufferPointer) {
        guard JSONBody(body) != nil else { return nil }
        bytes = Array(body)
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// The whole value.
    package var root: Range<Int> {
        let first = afterSpace(start)
        return first..<endOfValue(first)
    }

    /// The value at a place (RFC 6901); nil if there is none.
    package func value(at steps: [String]) -> Range<Int>? {
        var place = root
        for step in steps {
            let next: Range<Int>?
            if isArray(place) {
                let elements = elements(of: place)
                next = Int(step).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                next = members(of: place).last { $0.name == step }?.value
            }
            guard let next else { return nil }
            place = next
        }
        return place
    }

    package func isArray(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "[") }
    package func isNull(_ value: Range<Int>) -> Bool { bytes[value.lowerBound] == UInt8(ascii: "n") }

    /// The elements of an array; none of another value.
    package func elements(of value: Range<Int>) -> [Range<Int>] {
        guard isArray(value) else { return [] }
        var result: [Range<Int>] = []
        var place = afterSpace(value.lowerBound + 1)
        while bytes[place] != UInt8(ascii: "]") {
            let end = endOfValue(place)
            result.append(place..<end)
            place = afterSpace(end)
            if bytes[place] == UInt8(ascii: ",") { place = afterSpace(place + 1) }
        }
        return result
    }

    /// The members of an object; none of another value.
    package func members(of value: Range<Int>) -> [(name: String, value: Range<Int>)] {
        guard bytes[value.lowerBound] == UInt8(ascii: "{") else { return [] }
        var result: [(name: String, value: Range<Int>)] = []
        var place = afterSpace(value.lowerBound + 1)
        while bytes[place] != UInt8(ascii: "}") {
            let name = place..<endOfValue(place)
            place = afterSpace(afterSpace(name.upperBound) + 1)
            let end = endOfValue(place)
            result.append((string(name) ?? "", place..<end))
            place = afterSpace(end)
            if bytes[place] == UInt8(ascii: ",") { place = afterSpace(place + 1) }
        }
        return result
    }

    /// What a string stands for; nil for another value.
    package func string(_ value: Range<Int>) -> String? {
        guard bytes[value.lowerBound] == UInt8(ascii: "\"") else { return nil }
        let inner = bytes[value].dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        let body = JSONBody(String(decoding: bytes[value], as: UTF8.self))
        return withExtendedLifetime(body) { body?.value.string }
    }

    /// The text of a number; nil for another value.
    package func number(_ value: Range<Int>) -> String? {
        let first = bytes[value.lowerBound]
        guard first == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
        return String(decoding: bytes[value], as: UTF8.self)
    }

    // MARK: Scanning

    package static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    private func afterSpace(_ start: Int) -> Int {
        var place = start
        while place < bytes.count, Self.isSpace(bytes[place]) { place += 1 }
        return place
    }

    private func endOfValue(_ start: Int) -> Int { Self.endOfValue(bytes, start) }

    static func endOfString(_ text: [UInt8], _ start: Int) -> Int {
        var end = start + 1
        while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return end + 1
    }

    /// Where a value ends that begins at a place of valid JSON.
    static func endOfValue(_ text: [UInt8], _ start: Int) -> Int {
        var (end, depth) = (start, 0)
        while end < text.count {
            switch text[end] {
            case UInt8(ascii: "\""):
                end = endOfString(text, end)
                if depth == 0 { return end }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return end }
                depth -= 1
                if depth == 0 { return end + 1 }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D: if depth == 0 { return end }
            default: break
            }
            end += 1
        }
        return end
    }
}
