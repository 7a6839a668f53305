internal import NetcoreSupport

/// The generic cell rate algorithm: so many requests in an interval, evenly spaced, of which a burst may come at once. One time is all
/// it keeps. A pure state machine; the clock is handed in, in nanoseconds.
package struct GCRA: Sendable, Equatable {
    /// Nanoseconds between two requests at the full rate, rounded up: the rate is never exceeded.
    package let spacing: Int
    /// So much earlier than evenly spaced a request may come.
    package let tolerance: Int
    /// When the next request would be due if all came evenly spaced.
    private var due = 0

    /// - Parameters:
    ///   - requests: at least 1.
    ///   - interval: nanoseconds.
    ///   - burst: requests that may come at once, at least 1.
    package init(requests: Int, interval: Int, burst: Int) {
        spacing = max((interval + requests - 1) / requests, 1)
        tolerance = spacing.multiplied(saturating: burst - 1)
    }

    /// How long the request waits that has so many before it; 0 if it may go now.
    package func wait(_ now: Int, ahead: Int = 0) -> Int {
        let last = max(due, now).adding(saturating: spacing.multiplied(saturating: ahead))
        return max(last - tolerance - now, 0)
    }

    /// A request goes; call only where ``wait(_:ahead:)`` is 0.
    package mutating func take(_ now: Int) { due = max(due, now) + spacing }

    /// Whether it says no more than a new one would.
    package func isIdle(_ now: Int) -> Bool { due <= now }

    /// The same state with other figures.
    package func changed(to other: GCRA, now: Int) -> GCRA {
        var result = other
        // What was taken at the old rate is kept as a number of requests.
        let taken = max(due - now, 0) / spacing
        result.due = now + taken * other.spacing
        return result
    }
}
