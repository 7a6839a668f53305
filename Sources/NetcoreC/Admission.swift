public import CNetcore
internal import Netcore
internal import NetcoreHTTP

@_cdecl("netcore_request_set_duplicates") @implementation
public func netcore_request_set_duplicates(
    _ request: netcore_request, _ duplicates: netcore_duplicates
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let policy = DuplicatePolicy(rawValue: duplicates) else {
            throw NetcoreError(.invalidArgument, argument: "duplicates", "not a netcore_duplicates value")
        }
        request.duplicates = policy
    }
}

@_cdecl("netcore_request_set_min_interval") @implementation
public func netcore_request_set_min_interval(
    _ request: netcore_request, _ options: UnsafePointer<netcore_min_interval>!
) -> netcore_status {
    change(request) { (request) throws(NetcoreError) in
        guard let options else { return request.minimumInterval = nil }
        let from = try netcore_min_interval.read(options, "options")
        var minimum = MinimumInterval()
        if from.interval_ms != 0 { minimum.interval = .milliseconds(Int64(clamping: from.interval_ms)) }
        minimum.action = try Argument.flag(from.wait, "wait") ? .wait : .refuse
        minimum.key = try Argument.optionalText(from.key, "key")
        try minimum.check("interval_ms")
        request.minimumInterval = minimum
    }
}
