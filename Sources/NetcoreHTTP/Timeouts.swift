package import NetcoreSupport

/// The four timeouts of a request in milliseconds, where 0 means none, and the rate at which its answer must come.
package struct TimeoutSet: Sendable, Hashable {
    package var connect = 10_000
    package var firstByte = 60_000
    package var idle = 60_000
    package var total = 0
    package var minimumRate = MinimumRate()

    package static let maximum = Int(Int32.max)

    package init() {}
}

/// Where one hop stands in time, and when it is late: a pure rule over ``TimeoutSet``. Connecting is timed by libcurl,
/// which shares the span out over a host's addresses.
package struct HopTime: Sendable {
    @frozen package enum Step: UInt8, Sendable {
        case connecting
        case sending
        case waiting
        case receiving
    }

    package var step: Step
    /// The start of the hop.
    package var start: MonotonicTime
    /// When the last byte moved, or the step began.
    package var lastActivity: MonotonicTime
    /// The start of the first hop, moved later by what was spent in the queue between hops.
    package var taskStart: MonotonicTime
    package var rateWindow = RateWindow()
    /// Since when the transfer is paused for its reader. Nil while it is not.
    package var pausedSince: MonotonicTime?

    package init(start: MonotonicTime, taskStart: MonotonicTime) {
        step = .connecting
        self.start = start
        lastActivity = start
        self.taskStart = taskStart
    }

    /// Somebody takes more of the body: the time since is left out.
    package mutating func resume(_ now: MonotonicTime) {
        guard let since = pausedSince else { return }
        pausedSince = nil
        lastActivity = now
        rateWindow.leaveOut(microseconds: now.microseconds(since: since))
    }

    /// The next time at which the hop is late, and for what.
    package func deadline(_ timeouts: TimeoutSet) -> (time: MonotonicTime, code: NetcoreError.Code) {
        var result: (time: MonotonicTime, code: NetcoreError.Code) = (.never, .timeoutTotal)
        if timeouts.total > 0 { result.time = taskStart.adding(milliseconds: timeouts.total) }
        if pausedSince != nil { return result }
        let (span, code): (Int, NetcoreError.Code) =
            switch step {
            case .connecting: (0, .timeoutConnect)
            case .sending, .receiving: (timeouts.idle, .timeoutIdle)
            case .waiting: (timeouts.firstByte, .timeoutFirstByte)
            }
        if span > 0, lastActivity.adding(milliseconds: span) < result.time {
            result = (lastActivity.adding(milliseconds: span), code)
        }
        if rateWindow.end < result.time { result = (rateWindow.end, .timeoutRate) }
        return result
    }
}
