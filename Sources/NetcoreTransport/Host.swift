package import NetcoreHTTP

/// One scheme, host and port, as a client knows it. Confined to the I/O thread.
package final class Host {
    package let origin: String
    /// The proxy on the way to it; empty for none.
    let proxy: String
    /// The public keys that it must show; nil when any will do.
    let pinnedKeys: String?
    /// Transfers now going to it.
    package var active = 0
    /// Taken out of the client's table: look it up again.
    package internal(set) var isRetired = false
    /// Where its connections are to go in place of it, for transfers that start now.
    package var alternative: AlternativeService?
    /// Whether its last answer came by HTTP/2; nil before the first.
    var speaksHTTP2: Bool?
    /// It named HTTP/2 in a status line of HTTP/1.1, for which libcurl would let requests share its connections.
    var misnamesHTTP2 = false
    var hasAbandonedStreams = false
    /// The size of its last body; nil before the first.
    var lastBodySize: Int?
    /// The shards that hold its connections, the first one filled first.
    var shards: [Shard] = []
    /// Where a transfer ended last: there is room, and likely an open connection.
    var lastShard: Shard?

    package init(origin: String, proxy: String = "", pinnedKeys: String? = nil) {
        self.origin = origin
        self.proxy = proxy
        self.pinnedKeys = pinnedKeys
    }
}
