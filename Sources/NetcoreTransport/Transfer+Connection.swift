internal import CCurl
internal import NetcoreHTTP

/// What is checked when libcurl has a connection for a request, before a byte of it goes out.
extension Transfer {
    /// A connection is there. Returns false where the request must not go on it.
    func connectionIsReady(_ endpoint: ConnectionEndpoint?) -> Bool {
        let session = TLSSession(of: easy)
        let isMultiplexed = wire?.url.isSecure ?? false && session?.choseHTTP2 ?? false
        guard mayGoOn() else {
            isSpent = true
            fail(Self.lost(wire))
            return false
        }
        isReused = false
        wasForeignAtClose = false
        guard isMultiplexed || isUnused(endpoint, session) else {
            isConnectionUnfit = true
            return false
        }
        if connects > 0 { beginAgain() }
        connects += 1
        wasMultiplexed = isMultiplexed
        wasFresh = netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) > 0
        self.session = isMultiplexed ? session : nil
        if isMultiplexed, socket >= 0, transport.sockets.isNew(socket) {
            transport.sockets.shareByStreams(socket, session)
        }
        if !isMultiplexed { session?.setListensFirst(wire?.body != nil) }
        requestSizeBefore = netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE)
        host?.speaksHTTP2 = isMultiplexed
        head.expectsHTTP2 = isMultiplexed
        connectionDidBegin()
        return true
    }

    /// Whether a request that libcurl is about to send again may go a second time (RFC 9110 section 9.2.2): one that is not
    /// idempotent goes only where nothing of it was sent, or where the server refused the stream.
    private func mayGoOn() -> Bool {
        guard connects > 0, firstByte == .never, let wire else { return true }
        if wire.manner.isSentOnce { return false }
        if netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE) <= requestSizeBefore || wire.isIdempotent { return true }
        // On a connection of its own libcurl 7.88 sends a stream again for this reason only (REFUSED_STREAM; also what a GOAWAY
        // leaves out). On a kept one it does so for lost ones too, and does not say which it was.
        return wasMultiplexed && wasFresh
    }

    /// Whether a connection carries no other request, and nothing has come on it that no request asked for.
    private func isUnused(_ endpoint: ConnectionEndpoint?, _ session: TLSSession?) -> Bool {
        guard let endpoint else {
            transport.sockets.cutUnasked()
            return true
        }
        guard let known = transport.sockets.connection(to: endpoint) else {
            bindNew(to: endpoint)
            return true
        }
        if let owner = transport.sockets.owner(of: known), owner != index {
            demandFreshConnection()
            return false
        }
        if ConnectionInput.isUnasked(on: known) { return false }
        if let session, session.hasInput { return false }
        take(known)
        isReused = true
        return true
    }

    /// libcurl gives the connection up. Where it found no status line it does so before anybody sees what came.
    func connectionCloses() {
        if firstByte == .never { wasForeignAtClose = isForeignAnswer() }
    }

    /// Whether the answer whose status line came belongs to no request of this connection's: what a server says of an idle
    /// connection may cross the next request.
    func isForeignAnswer() -> Bool {
        guard isReused, socket >= 0 else { return false }
        // Under TLS and in chunks more goes out than the request has bytes: how much was acknowledged cannot be told then.
        let isExact = wire.map { !$0.url.isSecure && $0.body?.length != nil } ?? false
        guard sentBodyBytes == 0 || (isExact && host?.proxy.hasPrefix("https") != true) else { return false }
        let size = netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE) - requestSizeBefore + sentBodyBytes
        return ConnectionInput.isOlder(thanRequestOf: size, on: socket)
    }

    private func bindNew(to endpoint: ConnectionEndpoint) {
        let isLast = transport.sockets.isNew(socket) && endpoint.isLocalEnd(of: socket)
        guard let descriptor = isLast ? socket : transport.sockets.newConnection(at: endpoint) else { return }
        transport.sockets.bind(descriptor, to: endpoint)
        take(descriptor)
    }

    /// For the next attempt of this hop.
    func demandFreshConnection() {
        note(netcore_setopt_long(easy, CURLOPT_FRESH_CONNECT, 1))
        applied.hasOwnConnection = true
        applied.wire = nil
    }

    private func take(_ descriptor: Int32) {
        moves(to: descriptor)
        transport.sockets.take(descriptor, by: index)
    }

    /// The transfer waits for another connection than before, which it has no more for itself.
    func moves(to descriptor: Int32) {
        if socket >= 0, socket != descriptor { transport.sockets.release(socket, by: index) }
        socket = descriptor
    }
}
