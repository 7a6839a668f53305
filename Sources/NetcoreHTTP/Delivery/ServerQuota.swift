internal import NetcoreSupport

/// Requests that a server lets through until a time, as its latest answer says. Times are in nanoseconds.
///
/// An answer that says something replaces what was said before. A request that ends without such an answer counts as one that the server
/// counted. Until the reset, requests are under way only up to what is left, so that no answer has to be waited for to keep to it.
package struct ServerQuota: Equatable, Sendable {
    /// Hints beyond it are taken for this long, since a server that is wrong would stop the client for good.
    package static let longest = 3_600_000_000_000

    private var left = Int.max
    private var until = 0

    package init() {}

    /// A request has ended, with what its answer says of the limit.
    package mutating func requestDidEnd(_ hint: RateHint?, now: Int) {
        if let hint {
            left = hint.remaining
            until = now + min(hint.reset.multiplied(saturating: 1_000_000_000), Self.longest)
        } else if left < .max {
            left = max(left - 1, 0)
        }
        if until <= now { self = ServerQuota() }
    }

    /// How long nothing may be sent; 0 if something may, as far as ``allows(_:now:)`` says.
    package func wait(_ now: Int) -> Int { left == 0 ? max(until - now, 0) : 0 }

    /// Whether another request may go besides those under way.
    package func allows(_ active: Int, now: Int) -> Bool { until <= now || active < max(left, 1) }

    /// When another one may go besides those under way, if none of these ends before.
    package func turn(_ active: Int, now: Int) -> Int { allows(active, now: now) ? now + wait(now) : until }

    /// Whether it says nothing any more.
    package func isIdle(_ now: Int) -> Bool { until <= now }
}
