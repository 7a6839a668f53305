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
