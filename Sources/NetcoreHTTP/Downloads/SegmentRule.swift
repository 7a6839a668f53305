package import NetcoreSupport

/// Which bytes a further segment of a download brings: a pure rule.
package struct SegmentRule: Sendable {
    /// The most segments of a download. A part has room for notes about as many gaps.
    package static let most = 16
    package static let defaultSize: Int64 = 8 << 20

    /// What a further segment is to bring.
    package enum Work: Sendable, Equatable {
        /// A gap that no segment is at.
        case gap(Range<Int64>)
        /// The second half of what segment `index` has before it, which then ends where that begins.
        case half(Range<Int64>, of: Int)
    }

    /// No smaller gap is divided.
    package let size: Int64

    package init(size: Int64 = SegmentRule.defaultSize) { self.size = size }

    /// What a segment still brings is halved as long as each half has as many bytes.
    package var smallestHalf: Int64 { max(size / 8, 1) }

    /// - Parameters:
    ///   - present: the bytes at hand, of `total`.
    ///   - rests: what each segment has before it. None may be empty.
    ///   - idle: so many segments have nothing to do, the one asked for included.
    package func work(_ present: ByteRanges, of total: Int64, rests: [Range<Int64>], idle: Int) -> Work? {
        var taken = present
        for rest in rests { taken.insert(rest) }
        if let gap = taken.gaps(upTo: total).first {
            // The same for each, but nothing smaller than a segment is left over.
            let share = max(size, (Int64(gap.count) + Int64(idle) - 1) / Int64(max(idle, 1)))
            return .gap(Int64(gap.count) - share < size ? gap : gap.lowerBound..<(gap.lowerBound + share))
        }
        guard let index = rests.indices.max(by: { rests[$0].count < rests[$1].count }) else { return nil }
        let half = Int64(rests[index].count) / 2
        guard half >= smallestHalf else { return nil }
        return .half((rests[index].upperBound - half)..<rests[index].upperBound, of: index)
    }
}
