internal import CNetcore
internal import Netcore
internal import NetcoreHTTP

/// What the constants of netcore_limit stand for.
enum LimitNames {
    static func requestPath(_ limit: netcore_limit) throws(NetcoreError) -> WritableKeyPath<LimitOverrides, Int?> {
        switch Int(limit) {
        case Int(NETCORE_LIMIT_HEADER_BYTES): return \.headerBytes
        case Int(NETCORE_LIMIT_BODY_BYTES): return \.bodyBytes
        case Int(NETCORE_LIMIT_DECODED_BYTES): return \.decodedBytes
        case Int(NETCORE_LIMIT_DECODE_RATIO): return \.decodeRatio
        case Int(NETCORE_LIMIT_REDIRECTS): return \.redirects
        case Int(NETCORE_LIMIT_TRANSFERS), Int(NETCORE_LIMIT_TRANSFERS_PER_HOST), Int(NETCORE_LIMIT_QUEUE_LENGTH):
            throw NetcoreError(.invalidArgument, argument: "limit", "can be set only for a client, not for a request")
        default: throw unknown
        }
    }

    /// The member of a client's limits.
    static func clientPath(_ limit: netcore_limit) throws(NetcoreError) -> WritableKeyPath<ClientLimits, Int> {
        switch Int(limit) {
        case Int(NETCORE_LIMIT_HEADER_BYTES): return \.task.headerBytes
        case Int(NETCORE_LIMIT_BODY_BYTES): return \.task.bodyBytes
        case Int(NETCORE_LIMIT_DECODED_BYTES): return \.task.decodedBytes
        case Int(NETCORE_LIMIT_DECODE_RATIO): return \.task.decodeRatio
        case Int(NETCORE_LIMIT_REDIRECTS): return \.task.redirects
        case Int(NETCORE_LIMIT_TRANSFERS): return \.transfers
        case Int(NETCORE_LIMIT_TRANSFERS_PER_HOST): return \.transfersPerHost
        case Int(NETCORE_LIMIT_QUEUE_LENGTH): return \.queueLength
        default: throw unknown
        }
    }

    /// A limit as C says it: one that was removed is UINT64_MAX.
    static func value(_ limit: Int) -> UInt64 { limit == .max ? .max : UInt64(clamping: limit) }

    private static var unknown: NetcoreError {
        NetcoreError(.invalidArgument, argument: "limit", "not a netcore_limit value")
    }
}
