package import NetcoreSupport

/// Finds segments of a download whose connections are much slower than those of the others. The clock is handed in.
package struct SegmentPace: Sendable {
    /// Microseconds from one comparison to the next.
    private static let span = 2_000_000
    /// Bytes for each second. One that is as fast is slow for no one.
    private static let floor: Int64 = 64 << 10
    /// Connections that one segment gets in place of slow ones.
    package static let renewals = 3

    /// When to compare next.
    package private(set) var due: MonotonicTime
    /// What came by a segment of middling pace when there were others to compare it with.
    package private(set) var typical: Int64?

    package init(now: MonotonicTime) { due = now.adding(microseconds: Self.span) }

    /// Which segments are slow: below 15 % of the median, and below 64 KiB/s. Nil while it is too early to say.
    ///
    /// - Parameter counts: bytes of each segment since the last comparison; nil for one that began after that.
    package mutating func slow(_ counts: [Int64?], now: MonotonicTime) -> [Int]? {
        guard now >= due else { return nil }
        let floor = Self.floor * Int64(now.microseconds(since: due) + Self.span) / 1_000_000
        due = now.adding(microseconds: Self.span)
        let known = counts.compactMap { $0 }.sorted()
        if known.count > 1 { typical = known[known.count / 2] }
        guard let typical else { return [] }
        return counts.indices.filter { index in
            counts[index].map { $0 < floor && Double($0) < 0.15 * Double(typical) } ?? false
        }
    }
}
