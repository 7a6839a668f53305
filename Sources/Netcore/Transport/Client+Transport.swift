public import NetcoreHTTP

extension Client {
    /// Answers a request in place of the network, at once or later, by ``TransportHop/answer(_:_:body:)`` or
    /// ``TransportHop/fail(_:_:)``.
    ///
    /// - Parameters:
    ///   - request: as it would go on the wire: the client's fields, cookies and tokens are in it, and the whole body.
    ///   - hop: keeps waiting when the function has returned, until it is answered, its task is canceled, or the first-byte or total
    ///     timeout is over.
    public typealias TransportFunction = @Sendable (_ request: Request, _ hop: TransportHop) -> Void

    /// Sets what answers requests in place of the network, for those that are about to be sent from now on; nil for the network. For
    /// tests of an application without a socket, or for another way to a server.
    ///
    /// It stands below everything else that a client does: filters, cookies, tokens, cache, redirects, limits on transfers and
    /// timeouts work as with the network, and each hop is a call of the function. It runs on a thread of the client's own, one
    /// call at a time, and may use the client, but not wait for a request that it has to answer itself. Digest and Negotiate are
    /// the network's: such requests come without their fields.
    public func setTransport(_ transport: TransportFunction?) throws(NetcoreError) {
        try change { $0.transport = transport }
    }
}
