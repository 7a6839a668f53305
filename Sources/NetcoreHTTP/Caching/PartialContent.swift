/// The parts that are stored of one representation (RFC 9111 sections 3.3 and 3.4).
package struct PartialContent: Sendable, Hashable {
    /// In order, none touching another.
    package private(set) var ranges: [Range<Int64>]
    /// The length of the whole; nil when it is not known.
    package private(set) var completeLength: Int64?

    package init(_ range: ContentRange) {
        ranges = [range.bytes]
        completeLength = range.completeLength
    }

    package init(ranges: [Range<Int64>], completeLength: Int64?) {
        self.ranges = []
        self.completeLength = completeLength.flatMap { $0 < 0 ? nil : $0 }
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = self.ranges.last, last.upperBound >= range.lowerBound {
                self.ranges[self.ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                self.ranges.append(range)
            }
        }
    }

    /// Parts as they were stored: in order, none empty, none touching another, none beyond the length. Nil where they
    /// are not.
    package init?(stored: [Range<Int64>], completeLength: Int64?) {
        var end: Int64 = -1
        for range in stored {
            guard range.lowerBound > end, !range.isEmpty else { return nil }
            end = range.upperBound
        }
        guard let completeLength else {
            ranges = stored
            return
        }
        guard end <= completeLength else { return nil }
        ranges = stored
        self.completeLength = completeLength
    }

    /// How many bytes the parts have together: no more than their last end, since none overlaps another.
    package var byteCount: Int64 { ranges.reduce(0) { $0 + Int64($1.count) } }

    /// Whether two parts belong to the same representation: equal strong entity tags (RFC 9111 section 3.4).
    package static func areCombinable(_ left: Validators, _ right: Validators) -> Bool {
        guard let left = left.strongTag, let right = right.strongTag else { return false }
        return left.stronglyEquals(right)
    }

    /// Adds a part. Returns false, and changes nothing, when it contradicts the length that is known.
    package mutating func add(_ range: ContentRange) -> Bool {
        if let known = completeLength, let new = range.completeLength, known != new { return false }
        let length = completeLength ?? range.completeLength
        let end = max(range.bytes.upperBound, ranges.last?.upperBound ?? 0)
        if let length, end > length { return false }
        completeLength = length
        insert(range.bytes)
        return true
    }

    private mutating func insert(_ new: Range<Int64>) {
        guard !new.isEmpty else { return }
        var merged = new
        var rest: [Range<Int64>] = []
        for range in ranges {
            if range.upperBound < merged.lowerBound || range.lowerBound > merged.upperBound {
                rest.append(range)
            } else {
                merged = min(range.lowerBound, merged.lowerBound)..<max(range.upperBound, merged.upperBound)
            }
        }
        let place = rest.firstIndex { $0.lowerBound > merged.lowerBound } ?? rest.count
        rest.insert(merged, at: place)
        ranges = rest
    }

    /// Whether the whole is there: it is an answer 200 from then on (RFC 9111 section 3.4).
    package var isComplete: Bool {
        guard let completeLength else { return false }
        return contains(0..<completeLength)
    }

    package func contains(_ bytes: Range<Int64>) -> Bool {
        bytes.isEmpty || ranges.contains { $0.lowerBound <= bytes.lowerBound && $0.upperBound >= bytes.upperBound }
    }

    /// The bytes that a range means; nil when the length of the whole is needed and not known.
    package func bytes(of range: RangeRequest) -> Range<Int64>? {
        if let completeLength { return range.bytes(of: completeLength) }
        guard case .from(let first, .some(let last)) = range, last < .max else { return nil }
        return first..<last + 1
    }

    /// The first run of bytes that is missing of a range: what to ask the origin for. Nil when nothing is.
    package func firstGap(in wanted: Range<Int64>) -> Range<Int64>? {
        var position = wanted.lowerBound
        for range in ranges where range.upperBound > position {
            if range.lowerBound > position {
                let end = min(range.lowerBound, wanted.upperBound)
                return position < end ? position..<end : nil
            }
            position = range.upperBound
        }
        return position < wanted.upperBound ? position..<wanted.upperBound : nil
    }

    /// The value of a Range field that asks for all that is missing of the whole; nil when nothing is, or when that is
    /// several runs of bytes.
    package var rangeForRest: String? {
        let end = completeLength ?? .max
        guard let gap = firstGap(in: 0..<end), firstGap(in: gap.upperBound..<end) == nil else { return nil }
        return gap.upperBound == end ? "bytes=\(gap.lowerBound)-" : "bytes=\(gap.lowerBound)-\(gap.upperBound - 1)"
    }
}
