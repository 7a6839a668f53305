internal import CCurl
internal import NetcoreSupport

/// One multi handle of the client's loop.
///
/// libcurl 7.88 walks all connections of a multi handle for each request, so that a client spreads its connections over
/// several (docs/performance.md).
final class Shard {
    /// What the transfers of a shard have in common, so that none gets a connection that is not for it.
    enum Use {
        case usual
        /// To hosts that may speak HTTP/2, by HTTP/1.1 (see ``Host/withoutHTTP2``).
        case withoutHTTP2
        /// Transfers that share no connection. libcurl puts whoever comes onto an HTTP/2 connection in use: others must not so
        /// much as see theirs.
        case ownConnection
        /// Connections that may speak HTTP/2, each for one transfer at a time: while a consumer takes no more of a streamed body,
        /// libcurl 7.88 reads nothing more from its connection.
        case streams
        /// Second tries beside first ones (``TransferHandler/needsOtherConnection``): connections that may speak HTTP/2, and carry no
        /// first try.
        case hedges
    }

    let multi: UnsafeMutableRawPointer
    unowned(unsafe) let transport: CurlTransport  // it owns this
    /// Its place in the transport's list, and its number in the heap of shards' deadlines.
    let index: Int
    let use: Use
    /// When libcurl wants to be called again.
    var deadline = MonotonicTime.never
    /// The earliest time at which the heap has this shard.
    var scheduled = MonotonicTime.never
    /// Transfers added and not yet removed.
    var active = 0
    var hostCount = 0
    /// Something was done that may have produced messages: the transport has it in its list.
    var mayHaveMessages = false

    init?(index: Int, use: Use, transport: CurlTransport) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.index = index
        self.use = use
        self.transport = transport
        // Where one fails the deinitializer cleans up.
        guard setUp() else { return nil }
    }

    private func setUp() -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var results = [
            netcore_multi_setopt_pointer(multi, CURLMOPT_SOCKETDATA, context),
            netcore_multi_setopt_pointer(multi, CURLMOPT_TIMERDATA, context),
            netcore_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, ShardPolicy.capacity),
        ]
        results += [
            netcore_multi_setopt_socket(multi) { easy, descriptor, what, context, _ in
                Shard.with(context) { $0.transport.watch(descriptor, what, for: easy, in: $0) }
                return 0
            }
        ]
        results += [
            netcore_multi_setopt_timer(multi) { _, milliseconds, context in
                Shard.with(context) { shard in
                    shard.deadline =
                        milliseconds < 0 ? .never : shard.transport.now.adding(milliseconds: Int(milliseconds))
                    shard.transport.schedule(shard)
                }
                return 0
            }
        ]
        if use == .streams {
            results += [netcore_multi_setopt_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))]
        }
        return results.allSatisfy { $0 == CURLM_OK }
    }

    /// Lends the shard of a context of libcurl's, which its transport keeps alive.
    private static func with(_ context: UnsafeMutableRawPointer?, _ body: (Shard) -> Void) {
        if let context { Unmanaged<Shard>.fromOpaque(context)._withUnsafeGuaranteedRef(body) }
    }

    deinit { curl_multi_cleanup(multi) }

    func act(_ descriptor: Int32, _ events: Int32) {
        var running: Int32 = 0
        transport.isReading = true
        curl_multi_socket_action(multi, descriptor, events, &running)
        transport.isReading = false
        transport.noteMessages(of: self)
    }
}

/// Where a transfer goes.
enum ShardPolicy {
    /// Transfers of one shard, and its idle connections.
    static let capacity = 16
    /// Hosts whose first shard is the same, before a new shard is made.
    static let hostsPerShard = 16
    static let maximumHomeShards = 32

    /// Whether all of a host's transfers belong together: connections that carry many streams, or may turn out to.
    static func keepsTogether(isSecure: Bool, allowsHTTP2: Bool, speaksHTTP2: Bool?) -> Bool {
        isSecure && allowsHTTP2 && speaksHTTP2 != false
    }

    /// The index of the shard to use among a host's own, given the transfers in each; nil when all are full.
    static func firstWithRoom(_ active: some Sequence<Int>) -> Int? {
        for (index, count) in active.enumerated() where count < capacity { return index }
        return nil
    }
}
