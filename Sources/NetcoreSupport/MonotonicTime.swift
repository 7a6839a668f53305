internal import Glibc

/// A point on the monotonic clock, in microseconds. Decisions take it as a parameter, so that tests choose it.
@frozen public struct MonotonicTime: Comparable, Sendable {
    public var microseconds: Int

    @inlinable public init(microseconds: Int) { self.microseconds = microseconds }

    package static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(microseconds: time.tv_sec * 1_000_000 + time.tv_nsec / 1000)
    }

    /// A time that never comes.
    @inlinable public static var never: MonotonicTime { MonotonicTime(microseconds: .max) }

    @inlinable public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    @inlinable public static func == (left: Self, right: Self) -> Bool { left.microseconds == right.microseconds }

    @inlinable public static func != (left: Self, right: Self) -> Bool { left.microseconds != right.microseconds }

    @inlinable public static func <= (left: Self, right: Self) -> Bool { left.microseconds <= right.microseconds }

    @inlinable public static func > (left: Self, right: Self) -> Bool { left.microseconds > right.microseconds }

    /// This time plus a span; ``never`` when the sum does not fit.
    @inlinable public func adding(microseconds span: Int) -> MonotonicTime {
        let (sum, overflow) = microseconds.addingReportingOverflow(span)
        return overflow ? .never : MonotonicTime(microseconds: sum)
    }

    @inlinable public func adding(milliseconds span: Int) -> MonotonicTime {
        let (product, overflow) = span.multipliedReportingOverflow(by: 1000)
        return overflow ? .never : adding(microseconds: product)
    }

    /// Microseconds from an earlier time to this one.
    @inlinable public func microseconds(since earlier: MonotonicTime) -> Int {
        microseconds - earlier.microseconds
    }
}
