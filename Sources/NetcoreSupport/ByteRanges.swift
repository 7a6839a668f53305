/// Bytes of a file that are at hand: ranges in order, of which no two overlap or touch.
package struct ByteRanges: Sendable, Equatable {
    package private(set) var ranges: [Range<Int64>] = []

    package init() {}

    /// The first bytes of a file.
    package init(first count: Int64) {
        if count > 0 { ranges = [0..<count] }
    }

    /// All of them.
    package var count: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// So many of the first bytes are there.
    package var prefix: Int64 { ranges.first.map { $0.lowerBound == 0 ? $0.upperBound : 0 } ?? 0 }

    /// After the last byte.
    package var end: Int64 { ranges.last?.upperBound ?? 0 }

    /// Whether no byte is missing before the last.
    package var isWithoutGaps: Bool { prefix == end }

    package mutating func insert(_ range: Range<Int64>) {
        guard !range.isEmpty else { return }
        // Nearly always the end of one of them moves.
        let start = ranges.firstIndex { $0.upperBound >= range.lowerBound } ?? ranges.count
        var merged = range
        var end = start
        while end < ranges.count, ranges[end].lowerBound <= merged.upperBound {
            merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(merged))
    }

    package func contains(_ range: Range<Int64>) -> Bool {
        ranges.contains { $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound }
    }

    /// What is missing of the first `total` bytes.
    package func gaps(upTo total: Int64) -> [Range<Int64>] {
        var gaps: [Range<Int64>] = []
        var next: Int64 = 0
        for range in ranges where range.lowerBound < total {
            if next < range.lowerBound { gaps.append(next..<range.lowerBound) }
            next = range.upperBound
        }
        if next < total { gaps.append(next..<total) }
        return gaps
    }

    /// Those among the first `size` bytes.
    package func clipped(to size: Int64) -> ByteRanges {
        var result = ByteRanges()
        for range in ranges where range.lowerBound < size {
            result.insert(range.lowerBound..<min(range.upperBound, size))
        }
        return result
    }
}
