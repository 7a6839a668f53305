internal import CCurl
internal import NetcoreHTTP

/// What is checked when libcurl has a connection for a request, before a byte of it goes out.
extension Transfer {
    /// A connection is there. Returns false where the request must not go on it.
    func connectionIsReady(_ endpoint: ConnectionEndpoint?) -> Bool {
        let session = TLSSession(of: easy)
        let isMultiplexed = wire?.url.isSecure ?? false && session?.choseHTTP2 ?? false
        let requestSize = netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE)
        guard resending.mayGoOn(hasFirstByte: firstByte != .never, requestSize: requestSize) else {
            isSpent = true
            fail(Self.lost(wire))
            return false
        }
        resending.check()
        guard isMultiplexed || isUnused(endpoint, session) else {
            resending.isConnectionUnfit = true
            return false
        }
        if resending.connects > 0 { beginAgain() }
        resending.begin(
            isMultiplexed: isMultiplexed, isFresh: netcore_getinfo_long(easy, CURLINFO_NUM_CONNECTS) > 0,
            requestSize: requestSize)
        self.session = isMultiplexed ? session : nil
        if isMultiplexed, socket >= 0, transport.sockets.isNew(socket) {
            transport.sockets.shareByStreams(socket, session)
        }
        if !isMultiplexed { session?.setListensFirst(wire?.body != nil) }
        host?.speaksHTTP2 = isMultiplexed
        head.expectsHTTP2 = isMultiplexed
        connectionDidBegin()
        return true
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
        if let owner = transport.sockets.owner(of: known), owner != index, !transport.transfers[owner].hasLeftConnection
        {
            demandFreshConnection()
            return false
        }
        if ConnectionInput.isUnasked(on: known) { return false }
        if let session, session.hasInput { return false }
        take(known)
        resending.isReused = true
        return true
    }

    /// Whether the transfer's request has ended on its connection, though libcurl has not told so yet: it gives the connection to the
    /// next transfer first, where both have their turn in one call. What a request was sent with must all have gone out, which of a
    /// body under TLS is known at the end only.
    private var hasLeftConnection: Bool {
        hasWholeHead && failure == nil && errorText[0] == 0 && pauses == 0 && !resending.isAnswerForeign
            && !transport.sockets.isWatched(socket) && (wire?.body == nil || wire?.url.isSecure == false)
    }

    /// libcurl gives the connection up. Where it found no status line it does so before anybody sees what came.
    func connectionCloses() {
        if firstByte == .never { resending.wasForeignAtClose = isForeignAnswer() }
    }

    /// Whether the answer whose status line came belongs to no request of this connection's: what a server says of an idle
    /// connection may cross the next request.
    func isForeignAnswer() -> Bool {
        guard resending.isReused, socket >= 0 else { return false }
        // Under TLS and in chunks more goes out than the request has bytes: how much was acknowledged cannot be told then.
        let isExact = wire.map { !$0.url.isSecure && $0.body?.length != nil } ?? false
        guard sentBodyBytes == 0 || (isExact && host?.proxy.hasPrefix("https") != true) else { return false }
        let size = netcore_getinfo_long(easy, CURLINFO_REQUEST_SIZE) - resending.requestSizeBefore + sentBodyBytes
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
