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
    var mayUseHTTP2: Bool { !misnamesHTTP2 && !avoidsHTTP2 }
    var hasAbandonedStreams = false
    /// Only for requests that must not go by HTTP/2.
    let avoidsHTTP2: Bool
    /// The host for such requests: connections of its own, in shards of their own, since libcurl 7.88 mixes up connections to one
    /// host that speak different versions.
    var withoutHTTP2: Host {
        let made = madeWithoutHTTP2 ?? Host(origin: origin, proxy: proxy, pinnedKeys: pinnedKeys, avoidsHTTP2: true)
        madeWithoutHTTP2 = made
        // A service that is named for HTTP/2 takes no other requests (RFC 7838 section 2.4).
        made.alternative = alternative.flatMap { $0.speaksHTTP2 ? nil : $0 }
        return made
    }
    /// The same, where one was asked for.
    private(set) var madeWithoutHTTP2: Host?
    /// The size of its last body; nil before the first.
    var lastBodySize: Int?
    /// The shards that hold its connections, the first one filled first.
    var shards: [Shard] = []
    /// Where a transfer ended last: there is room, and likely an open connection.
    var lastShard: Shard?

    package convenience init(origin: String, proxy: String = "", pinnedKeys: String? = nil) {
        self.init(origin: origin, proxy: proxy, pinnedKeys: pinnedKeys, avoidsHTTP2: false)
    }

    private init(origin: String, proxy: String, pinnedKeys: String?, avoidsHTTP2: Bool) {
        self.avoidsHTTP2 = avoidsHTTP2
        speaksHTTP2 = avoidsHTTP2 ? false : nil
        self.origin = origin
        self.proxy = proxy
        self.pinnedKeys = pinnedKeys
    }
}
