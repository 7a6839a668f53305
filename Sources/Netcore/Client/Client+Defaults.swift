public import NetcoreHTTP

extension Client {
    /// Sets options for all requests of this client, dispatched from now on: those that `change` sets, for each request that does not
    /// set them itself. What was set so before is forgotten: `{ _ in }` leaves none.
    ///
    ///     try client.setRequestDefaults {
    ///         $0.timeouts.total = .seconds(30)
    ///         $0.serializer = .json
    ///     }
    ///
    /// These count: timeouts and the minimum rate, redirects, decoding, serializer and nesting of parameters, compression of
    /// bodies, priority, rates, progress, interim answers, cookies, CDN and HTTPS, network, ``Request/networkWait``, ``Request/isSentOnce``,
    /// ``Request/allowsUncleanEnd``, ``Request/duplicates``, ``Request/minimumInterval``, ``Request/rateKey``,
    /// ``Request/expectContinue``, what an answer must be like (``Request/acceptedStatuses`` and the others), of ``Request/cacheOptions``
    /// all except key and key fields, and the authentication, which does not go with bare requests. Members of ``Request/timeouts`` and
    /// ``Request/cacheOptions`` count one by one.
    public func setRequestDefaults(_ change: (inout Request) throws -> Void) throws {
        var defaults = Request.forDefaults
        try change(&defaults)
        try setRequestDefaults(defaults.options)
    }

    /// The options set by ``setRequestDefaults(_:)``, in a request to nowhere; nil if there are none.
    package var requestDefaults: Request? {
        guard let options = engine.parts.settings.current.requestDefaults else { return nil }
        var result = Request.forDefaults
        result.options = options
        return result
    }

    package func setRequestDefaults(_ options: RequestOptions) throws(NetcoreError) {
        try options.check()
        var defaults = RequestOptions()
        defaults.takeDefaults(options)
        try self.change { $0.requestDefaults = defaults.own.isEmpty ? nil : defaults }
    }

    /// Sets whether default parameters always go to the query, also where a request's own parameters make up its body. Off by default:
    /// they go where the request's own go.
    public func setSendsParametersInQuery(_ sends: Bool) throws(NetcoreError) {
        try change { $0.sendsParametersInQuery = sends }
    }

    /// As ``setSendsParametersInQuery(_:)`` sets it.
    public var sendsParametersInQuery: Bool { engine.parts.settings.current.sendsParametersInQuery }
}
