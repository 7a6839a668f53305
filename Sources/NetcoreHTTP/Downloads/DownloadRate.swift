package import NetcoreSupport

/// How fast bytes come: a mean in which the last seconds count most. The clock is handed in.
package struct DownloadRate: Sendable {
    private static let period = 3_000_000.0
    private var last: MonotonicTime
    private var pending: Int64 = 0
    private var began: MonotonicTime
    private var mean: Double?

    package init(now: MonotonicTime) {
        last = now
        began = now
    }

    /// So many bytes have come.
    package mutating func add(_ count: Int, now: MonotonicTime) {
        pending += Int64(count)
        let span = now.microseconds(since: last)
        guard span >= 100_000 else { return }
        let current = Double(pending) * 1_000_000 / Double(span)
        // What the mean is made of grows to the period, so that the first figures do not linger.
        let age = min(Double(now.microseconds(since: began)), Self.period)
        let weight = min(Double(span) / age, 1)
        mean = (mean ?? current) * (1 - weight) + current * weight
        last = now
        pending = 0
    }

    /// Bytes for each second; nil before the first tenth of a second.
    package var bytesPerSecond: Int64? { mean.map { Int64($0) } }

    /// Milliseconds that so many bytes will take; nil if that is not known.
    package func milliseconds(for rest: Int64) -> Int64? {
        guard let mean, mean >= 1 else { return nil }
        return Int64(min(Double(rest) * 1000 / mean, 1e15))
    }
}
