internal import NetcoreHTTP

/// Which multi handle a transfer goes to, and with it which connections it may get.
extension CurlTransport {
    /// Whether a request may find no connection of HTTP/2 at a host that could offer one.
    func mustLeaveHTTP2(_ wire: WireRequest, _ host: Host) -> Bool {
        wire.avoidsHTTP2 && wire.url.isSecure && options.allowsHTTP2 && host.speaksHTTP2 != false
    }

    func shard(for host: Host, _ wire: WireRequest, _ handler: any TransferHandler) -> Shard? {
        if wire.needsOwnConnection { return shards.first { $0.use == .ownConnection } ?? makeShard(.ownConnection) }
        if ShardPolicy.keepsTogether(
            isSecure: wire.url.isSecure, allowsHTTP2: options.allowsHTTP2, speaksHTTP2: host.speaksHTTP2)
        {
            if handler.needsOtherConnection { return shard(.hedges) }
            if wire.manner.isStreamed { return shard(.streams) }
            return host.shards.first ?? homeShard(for: host)
        }
        if let shard = host.lastShard, shard.active < ShardPolicy.capacity { return shard }
        if let index = ShardPolicy.firstWithRoom(host.shards.lazy.map(\.active)) { return host.shards[index] }
        if host.shards.isEmpty { return homeShard(for: host) }
        let use = host.shardUse
        let other = shards.first { shard in
            shard.use == use && shard.active < ShardPolicy.capacity / 2 && !host.shards.contains { $0 === shard }
        }
        return adopt(other ?? makeShard(use), for: host)
    }

    /// One for transfers of all hosts.
    private func shard(_ use: Shard.Use) -> Shard? {
        shards.first { $0.use == use && $0.active < ShardPolicy.capacity } ?? makeShard(use)
    }

    /// The client has no more to do with the host's connections.
    func leaveShards(_ host: Host) {
        for shard in host.shards { shard.hostCount -= 1 }
        host.shards.removeAll()
        host.lastShard = nil
        if let other = host.madeWithoutHTTP2 { leaveShards(other) }
    }

    private func homeShard(for host: Host) -> Shard? {
        let use = host.shardUse
        let least = shards.lazy.filter { $0.use == use }.min { $0.hostCount < $1.hostCount }
        if let least, least.hostCount < ShardPolicy.hostsPerShard || shards.count >= ShardPolicy.maximumHomeShards {
            return adopt(least, for: host)
        }
        return adopt(makeShard(use), for: host)
    }

    private func adopt(_ shard: Shard?, for host: Host) -> Shard? {
        guard let shard else { return nil }
        shard.hostCount += 1
        host.shards.append(shard)
        return shard
    }

    private func makeShard(_ use: Shard.Use) -> Shard? {
        guard let shard = Shard(index: shards.count, use: use, transport: self) else { return nil }
        shards.append(shard)
        return shard
    }
}

extension Host {
    fileprivate var shardUse: Shard.Use { avoidsHTTP2 ? .withoutHTTP2 : .usual }
}
