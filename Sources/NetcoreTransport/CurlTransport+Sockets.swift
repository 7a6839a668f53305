internal import CCurl
internal import CLinux
internal import Glibc
internal import NetcoreHTTP

/// The sockets that libcurl opens, watches and closes.
extension CurlTransport {
    /// libcurl waits for a descriptor on behalf of a transfer.
    func watch(_ descriptor: Int32, _ what: Int32, for easy: UnsafeMutableRawPointer?, in shard: Shard) {
        let isWatched = sockets.watch(descriptor, what, for: shard)
        guard what != CURL_POLL_REMOVE, !isWatched || sockets.isNew(descriptor),
            let context = easy.flatMap({ netcore_getinfo_pointer($0) })
        else { return }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        transfer.moves(to: descriptor)
        if options.unixSocket != nil { sockets.take(descriptor, by: transfer.index) }
        guard !isWatched else { return }
        transfer.fail(NetcoreError(.outOfMemory, "the system watches no more descriptors", phase: transfer.phase))
        failing.append(transfer)
    }

    /// The network is another one: connections of the old one carry no more requests.
    package func networkDidChange() {
        sockets.leaveNetwork(sparesStreams: transfers.contains { $0.handler != nil && $0.pauses != 0 })
    }

    func openSocket(_ address: curl_sockaddr) -> curl_socket_t {
        let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, address.protocol)
        hasRunOutOfSockets = descriptor < 0 && [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
        if descriptor >= 0 { sockets.opened(descriptor) }
        return descriptor
    }

    func closeSocket(_ descriptor: curl_socket_t) -> Int32 {
        // The transfers go before the connections when the client ends.
        if let owner = sockets.owner(of: descriptor), owner < transfers.count { transfers[owner].connectionCloses() }
        if let session = sockets.closed(descriptor) { closedSessions.append(session) }
        sender?.saveLeftover(of: descriptor)
        return close(descriptor)
    }
}
