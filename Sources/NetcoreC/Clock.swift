public import CNetcore
internal import Netcore
internal import NetcoreHTTP
internal import NetcoreSupport

@_cdecl("netcore_clock_create") @implementation
public func netcore_clock_create(
    _ options: UnsafePointer<netcore_clock_options>!, _ out_clock: UnsafeMutablePointer<netcore_clock>!
) -> netcore_status {
    out_clock?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_clock, "out_clock")
        let from =
            if let options { try netcore_clock_options.read(options, "options") } else { netcore_clock_options() }
        let isAutomatic = try Argument.flag(from.automatic, "automatic")
        let start = from.start_ms
        guard start >= 0, start <= latest else {
            throw NetcoreError(.invalidArgument, argument: "start_ms", "must be at most \(latest), and not negative")
        }
        let clock = ManualClock(startingAt: start == 0 ? nil : .milliseconds(start), isAutomatic: isAutomatic)
        out.pointee = try Lookup.insert(clock, .clock)
    }
}

/// The year 9999.
private let latest: Int64 = 253_402_300_799_999

@_cdecl("netcore_clock_destroy") @implementation
public func netcore_clock_destroy(_ clock: netcore_clock) -> netcore_status {
    boundary { () throws(NetcoreError) in
        guard HandleTable.shared.release(clock, .clock) != nil else { throw Lookup.missing(clock, .clock, "clock") }
    }
}

@_cdecl("netcore_clock_advance") @implementation
public func netcore_clock_advance(_ clock: netcore_clock, _ span_ms: UInt64) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        try Lookup.clock(clock).advance(by: .milliseconds(Int64(clamping: span_ms)))
    }
}

@_cdecl("netcore_clock_get_elapsed_ms") @implementation
public func netcore_clock_get_elapsed_ms(
    _ clock: netcore_clock, _ out_elapsed_ms: UnsafeMutablePointer<UInt64>!
) -> netcore_status {
    out_elapsed_ms?.pointee = 0
    return boundary { () throws(NetcoreError) in
        let out = try Argument.notNull(out_elapsed_ms, "out_elapsed_ms")
        out.pointee = UInt64(clamping: try Lookup.clock(clock).elapsed.milliseconds)
    }
}

@_cdecl("netcore_clock_wait_idle") @implementation
public func netcore_clock_wait_idle(_ clock: netcore_clock, _ timeout_ms: UInt64) -> netcore_status {
    uncancelable { () throws(NetcoreError) in
        let limit = Duration.milliseconds(Int64(clamping: min(timeout_ms, 1 << 40)))
        guard try Lookup.clock(clock).waitUntilIdle(limit: limit) else {
            throw NetcoreError(.inProgress, argument: "clock", "its clients are still busy")
        }
    }
}
