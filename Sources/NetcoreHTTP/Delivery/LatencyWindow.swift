/// How long answers took in the last while: counted by their length, in buckets of time of which the oldest is dropped as time goes on.
/// The clock is handed in, in milliseconds; one that goes back changes nothing.
///
/// Lengths are told apart to a sixteenth, from an eighth of a millisecond to two minutes.
package struct LatencyWindow: Sendable {
    /// Empty where nothing was counted.
    private var buckets: [[UInt32]]
    private let bucketLength: Int64
    /// The number of the newest bucket since the beginning of time.
    private var newest: Int64
    /// In all buckets.
    package private(set) var count = 0

    /// - Parameter length: in milliseconds, at least as many as there are buckets.
    package init(length: Int64, buckets: Int, now: Int64) {
        self.buckets = Array(repeating: [], count: buckets)
        bucketLength = max(length / Int64(buckets), 1)
        newest = now / bucketLength
    }

    package mutating func add(microseconds: Int, now: Int64) {
        advance(now)
        let index = Int(newest % Int64(buckets.count))
        if buckets[index].isEmpty { buckets[index] = Array(repeating: 0, count: Self.classes) }
        buckets[index][Self.class(of: microseconds)] += 1
        count += 1
    }

    /// Drops what is too old.
    package mutating func advance(_ now: Int64) {
        let current = now / bucketLength
        guard current > newest else { return }
        if count > 0 {
            for number in (newest + 1)...min(current, newest + Int64(buckets.count)) {
                let index = Int(number % Int64(buckets.count))
                guard !buckets[index].isEmpty else { continue }
                count -= buckets[index].reduce(0) { $0 + Int($1) }
                buckets[index] = []
            }
        }
        newest = current
    }

    /// Microseconds within which so many percent of the answers came; 0 without any.
    package func percentile(_ percent: Int) -> Int {
        let rank = (count * percent + 99) / 100
        var sum = 0
        for index in 0..<Self.classes {
            for bucket in buckets where !bucket.isEmpty { sum += Int(bucket[index]) }
            if sum >= rank { return count == 0 ? 0 : Self.end(of: index) }
        }
        return Self.end(of: Self.classes - 1)
    }

    // MARK: Classes

    private static let unit = 128
    /// Each power of two has so many classes.
    private static let steps = 16
    private static let classes = 272

    private static func `class`(of microseconds: Int) -> Int {
        let units = max(microseconds, 0) / unit
        let shift = max(Int.bitWidth - units.leadingZeroBitCount - 5, 0)
        return min(shift * steps + units >> shift, classes - 1)
    }

    /// The first length that is beyond a class, in microseconds.
    private static func end(of index: Int) -> Int {
        let shift = max(index / steps - 1, 0)
        return (index - shift * steps + 1) << shift * unit
    }
}
