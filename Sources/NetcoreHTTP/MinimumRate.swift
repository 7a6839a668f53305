package import NetcoreSupport

/// The fewest bytes a second of a body that must come, on average over each window. 0 bytes for any.
package struct MinimumRate: Sendable, Hashable {
    package var bytesPerSecond = 0
    package var window = MinimumRate.defaultWindow

    /// Milliseconds.
    package static let defaultWindow = 30_000
    package static let largest = 1 << 40

    package init() {}

    /// The bytes that each window needs.
    var bytesPerWindow: Int {
        let (product, overflow) = bytesPerSecond.multipliedReportingOverflow(by: window)
        return overflow ? .max : product / 1000 + (product % 1000 == 0 ? 0 : 1)
    }
}

/// What came of a body in the current window: a pure rule over ``MinimumRate``. Windows follow one another from the body's first
/// byte on, so that the time before it is that of the other timeouts.
package struct RateWindow: Sendable {
    /// When it is checked; never before the first byte.
    package private(set) var end = MonotonicTime.never
    private var bytes = 0

    package init() {}

    /// Counts bytes that came. Returns whether they are the first, which begin a window.
    package mutating func receive(_ count: Int, at now: MonotonicTime, _ rule: MinimumRate) -> Bool {
        bytes += count
        guard end == .never else { return false }
        end = now.adding(milliseconds: rule.window)
        return true
    }

    /// Leaves a span out in which netcore itself reads nothing.
    package mutating func leaveOut(microseconds: Int) { end = end.adding(microseconds: microseconds) }

    /// Begins the next window where this one is over and enough came.
    package mutating func advance(to now: MonotonicTime, _ rule: MinimumRate) {
        guard end <= now, bytes >= rule.bytesPerWindow else { return }
        end = now.adding(milliseconds: rule.window)
        bytes = 0
    }
}
