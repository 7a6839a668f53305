/// Replaces the values of members of JSON objects by their names. All else keeps its letters.
package enum JSONMembers {
    /// - Parameter replacement: JSON.
    /// - Returns: nil if the text is not an object or array of JSON.
    package static func replaced(_ text: [UInt8], _ names: [String], _ replacement: [UInt8]) -> [UInt8]? {
        let first = text.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), text.withUnsafeBytes({ JSONBody($0) }) != nil
        else { return nil }
        var scan = Scan(text)
        return scan.run(names, replacement)
    }

    /// The text is valid JSON: what stands where is known.
    private struct Scan {
        let text: [UInt8]
        private var place = 0
        private var result: [UInt8] = []

        init(_ text: [UInt8]) { self.text = text }

        mutating func run(_ names: [String], _ replacement: [UInt8]) -> [UInt8] {
            while place < text.count {
                guard text[place] == UInt8(ascii: "\"") else {
                    copy(to: place + 1)
                    continue
                }
                let string = place..<JSONText.endOfString(text, place)
                copy(to: string.upperBound)
                guard let colon = self.colon(), names.contains(name(string)) else { continue }
                copy(to: colon + 1)
                copySpace()
                result += replacement
                place = JSONText.endOfValue(text, place)
            }
            return result
        }

        private mutating func copy(to end: Int) {
            result += text[place..<end]
            place = end
        }

        private mutating func copySpace() {
            while JSONText.isSpace(text[place]) { copy(to: place + 1) }
        }

        /// The place of the colon after the string that ends here; nil if the string is not a name.
        private func colon() -> Int? {
            let next = text[place...].firstIndex { !JSONText.isSpace($0) }
            guard let next, text[next] == UInt8(ascii: ":") else { return nil }
            return next
        }

        private func name(_ string: Range<Int>) -> String {
            let body = JSONBody(String(decoding: text[string], as: UTF8.self))
            return withExtendedLifetime(body) { body?.value.string ?? "" }
        }
    }
}
