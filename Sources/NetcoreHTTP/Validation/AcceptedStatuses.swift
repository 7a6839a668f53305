/// Status codes that an answer may have: some ranges of them.
public struct AcceptedStatuses: Sendable, Hashable, CustomStringConvertible {
    package let ranges: [ClosedRange<Int>]

    /// 200 to 299.
    public static let success = AcceptedStatuses(200...299)

    public init(_ ranges: ClosedRange<Int>...) { self.ranges = ranges }

    /// Reads codes, ranges and classes between commas: "2xx,304,410-412". An empty text is 2xx.
    public init(_ text: String) throws(NetcoreError) {
        guard !text.isEmpty else { self = .success; return }
        var ranges: [ClosedRange<Int>] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard let range = Self.range(part.filter { !Syntax.isWhitespace($0) }) else {
                throw NetcoreError(
                    .invalidArgument, argument: "statuses",
                    "must be status codes from 100 to 599 between commas, such as \"2xx,304,410-412\"")
            }
            ranges.append(range)
        }
        self.ranges = ranges
    }

    public func contains(_ status: Int) -> Bool { ranges.contains { $0.contains(status) } }

    public var description: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }.joined(separator: ",")
    }

    /// One code, a range of codes, or a class such as "4xx".
    private static func range(_ text: [UInt8]) -> ClosedRange<Int>? {
        if text.count == 3, text[1...].allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") }) {
            guard let digit = code(text.prefix(1) + [0x30, 0x30]) else { return nil }
            return digit...digit + 99
        }
        let ends = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false).map { code(Array($0)) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last else {
            return nil
        }
        return first...last
    }

    private static func code(_ text: [UInt8]) -> Int? {
        guard text.count == 3, text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let value = text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        return (100...599).contains(value) ? value : nil
    }
}
