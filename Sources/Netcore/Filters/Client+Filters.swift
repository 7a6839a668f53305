public import NetcoreHTTP

extension Client {
    /// Reads and changes a request just before it is sent: signs it, adds a token, leads it to another host. It may throw, which
    /// refuses the request: a ``NetcoreError`` is what the task ends with, any other error becomes
    /// ``NetcoreError/Code/refused``.
    public typealias Filter = @Sendable (inout Request) throws -> Void

    /// Gives a value at the time of sending; nil for none.
    public typealias CurrentValue = @Sendable () throws -> String?

    /// Adds a filter after those already there. It sees each request that this client sends, except bare ones
    /// (``Request/isBare``), with all in place: an absolute URL, common header fields and parameters, the body.
    ///
    /// Filters run one at a time on a thread of the client's own, before the cache is asked, and anew when a 401 makes the request
    /// go out a second time. One that does not return
    /// holds up the others until a request that waits for it is ended by its total timeout. A filter may use the client, but not
    /// wait for a request that has to pass filters itself.
    public func addFilter(_ filter: @escaping Filter) throws(NetcoreError) {
        try change { $0.filters.append(filter) }
    }

    public func removeFilters() throws(NetcoreError) { try change { $0.filters = [] } }

    /// Sets a field whose value is asked for each time that a request is sent, as ``setCommonHeader(_:_:)`` sets one with a
    /// fixed value. The function runs where filters do, before them.
    public func setCommonHeader(_ name: String, current value: @escaping CurrentValue) throws(NetcoreError) {
        _ = try Request.Field(checking: name, [])
        try change { settings in
            settings.removeHeader(name)
            settings.currentFields.append((name, value))
        }
    }

    /// The same for a parameter.
    public func setCommonParameter(_ name: String, current value: @escaping CurrentValue) throws(NetcoreError) {
        try Parameter(name, .null).check()
        try change { settings in
            settings.removeParameter(name)
            settings.currentParameters.append((name, value))
        }
    }
}

extension Request {
    /// Sets a filter of this request, such as one that signs it; nil, the default, for none. It runs after those of the client
    /// (``Client/addFilter(_:)``), in the same way.
    public mutating func setFilter(_ filter: Client.Filter?) { options.filter = filter.map { RequestFilter($0) } }
}

extension NetcoreError {
    /// For filters: refuses a request. A `status` from 2,000 to 2,999 is the application's own.
    public static func refused(_ status: Int32 = Code.refused.rawValue, _ message: String) -> NetcoreError {
        NetcoreError(Code.ofApplication.contains(status) ? Code(rawValue: status) : .refused, message)
    }
}
