internal import NetcoreSupport

/// Tries and failures of the last while, counted in buckets of which the oldest is dropped as time goes on. The clock is handed in, in
/// milliseconds; one that goes back changes nothing.
package struct TryWindow: Sendable {
    package private(set) var tries = 0
    package private(set) var failures = 0
    private var buckets: [Bucket]
    private let bucketLength: Int64
    /// The number of the newest bucket since the beginning of time.
    private var newest: Int64

    private struct Bucket {
        var tries = 0
        var failures = 0
    }

    /// - Parameter length: in milliseconds, at least as many as there are buckets.
    package init(length: Int64, buckets: Int, now: Int64) {
        self.buckets = Array(repeating: Bucket(), count: buckets)
        bucketLength = max(length / Int64(buckets), 1)
        newest = now / bucketLength
    }

    package mutating func add(isFailure: Bool, now: Int64) {
        advance(now)
        let index = Int(newest % Int64(buckets.count))
        buckets[index].tries += 1
        tries += 1
        guard isFailure else { return }
        buckets[index].failures += 1
        failures += 1
    }

    /// Drops what is too old.
    package mutating func advance(_ now: Int64) {
        let current = now / bucketLength
        guard current > newest else { return }
        if tries > 0 {
            for number in (newest + 1)...min(current, newest + Int64(buckets.count)) {
                let index = Int(number % Int64(buckets.count))
                tries -= buckets[index].tries
                failures -= buckets[index].failures
                buckets[index] = Bucket()
            }
        }
        newest = current
    }

    package mutating func clear() {
        guard tries > 0 else { return }
        for index in buckets.indices { buckets[index] = Bucket() }
        tries = 0
        failures = 0
    }

    /// Whether there are so many tries, and so many percent of them failed.
    package func holds(tries minimum: Int, percent: Int) -> Bool {
        tries >= minimum && failures * 100 >= tries * percent
    }
}
