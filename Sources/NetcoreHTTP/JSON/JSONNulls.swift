/// Takes the members of JSON objects away that are null. All else keeps its letters, without the white space between.
package enum JSONNulls {
    private static let null = Array("null".utf8)

    /// - Returns: nil if the body is not valid JSON.
    package static func dropped(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard JSONBody(bytes) != nil else { return nil }
        var scan = Scan(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? UnsafeRawBufferPointer(rebasing: bytes[3...]) : bytes)
        return scan.run()
    }

    /// The bytes are valid JSON: what stands where is known.
    private struct Scan {
        let bytes: UnsafeRawBufferPointer
        private var place = 0
        private var result: [UInt8] = []
        /// Of each object or array that is open, where its last member begins in the result, comma included; -1 for an array.
        private var open: [Int] = []

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
            result.reserveCapacity(bytes.count)
        }

        mutating func run() -> [UInt8] {
            while place < bytes.count {
                switch bytes[place] {
                case 0x20, 0x09, 0x0A, 0x0D: place += 1
                case UInt8(ascii: "\""): copyText()
                case UInt8(ascii: "{"):
                    copy(1)
                    open.append(result.count)
                case UInt8(ascii: "["):
                    copy(1)
                    open.append(-1)
                case UInt8(ascii: ","): copyComma()
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    open.removeLast()
                    copy(1)
                case UInt8(ascii: "n") where (open.last ?? -1) >= 0: dropMember()
                default: copy(1)
                }
            }
            return result
        }

        private mutating func copy(_ count: Int) {
            result += bytes[place..<place + count]
            place += count
        }

        private mutating func copyText() {
            copy(1)
            while bytes[place] != UInt8(ascii: "\"") { copy(bytes[place] == UInt8(ascii: "\\") ? 2 : 1) }
            copy(1)
        }

        private mutating func copyComma() {
            place += 1
            let isFirst = result.last == UInt8(ascii: "{")
            if let start = open.last, start >= 0 { open[open.count - 1] = result.count }
            if !isFirst { result.append(UInt8(ascii: ",")) }
        }

        private mutating func dropMember() {
            result.removeLast(result.count - open[open.count - 1])
            place += JSONNulls.null.count
        }
    }
}
