public import NetcoreHTTP

extension Client {
    /// Which service and environment a client's requests go to that name no other.
    public struct Selection: Sendable, Hashable {
        public let service: String
        public let environment: String
    }

    /// Names a server by a base URL for an environment, such as "test" or "release"; again for each environment. What was
    /// said before of the same two is replaced. The first service and the first environment are selected.
    ///
    /// - Parameter cdnURL: a base URL for requests that ask for it (``Request/usesCDN``).
    public func addService(
        _ name: String, environment: String = "release", baseURL: String, cdnURL: String? = nil
    ) throws(NetcoreError) {
        let base = try Self.base(baseURL, "base_url")
        let cdn: HTTPURL? = if let cdnURL { try Self.base(cdnURL, "cdn_url") } else { nil }
        try change { $0.add(name, environment, base, cdn) }
    }

    /// Sets the weight of a service among those that may take the place of one that ``failover`` leaves: the next one is drawn, in
    /// proportion to the weights, so that not all clients go to the same one. 0, the default, for a service that is used when none with
    /// a weight can be, in the order in which they were added. At most 1,000,000.
    public func setServiceWeight(_ weight: Int, of name: String) throws(NetcoreError) {
        guard (0...1_000_000).contains(weight) else {
            throw NetcoreError(.invalidArgument, argument: "weight", "must be at most 1000000")
        }
        try change { (settings) throws(NetcoreError) in try settings.setWeight(weight, of: name) }
    }

    public func selectService(_ name: String) throws(NetcoreError) {
        try change { (settings) throws(NetcoreError) in try settings.select(service: name) }
    }

    public func selectEnvironment(_ name: String) throws(NetcoreError) {
        try change { (settings) throws(NetcoreError) in try settings.select(environment: name) }
    }

    /// Selects the service that was added after the selected one; after the last the first.
    public func selectNextService() throws(NetcoreError) {
        try change { (settings) throws(NetcoreError) in try settings.selectNextService() }
    }

    public func selectNextEnvironment() throws(NetcoreError) {
        try change { (settings) throws(NetcoreError) in try settings.selectNextEnvironment() }
    }

    /// Nil before the first service is added.
    public var selection: Selection? { engine.parts.settings.current.selection }

    /// Is called at each switch of service or environment, on the thread that switched, before the call there returns; for a switch by
    /// ``failover``, on a thread of the client's.
    public func onSelectionChange(_ listener: (@Sendable (Selection) -> Void)?) {
        engine.parts.settings.setListener(listener)
    }

    /// Sets a default header field, added to every request that does not set that field itself.
    public func setCommonHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try setCommonHeader(name, bytes: Array(value.utf8))
    }

    package func setCommonHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        let field = try Request.Field(checking: name, bytes)
        try change { settings in
            settings.removeHeader(name)
            settings.fields.append(field)
        }
    }

    /// Adds a field after those already there, also if there is one of that name.
    public func addCommonHeader(_ name: String, _ value: String) throws(NetcoreError) {
        try addCommonHeader(name, bytes: Array(value.utf8))
    }

    package func addCommonHeader(_ name: String, bytes: [UInt8]) throws(NetcoreError) {
        let field = try Request.Field(checking: name, bytes)
        try change { $0.fields.append(field) }
    }

    /// Adds a parameter after those already there, also if there is one of that name.
    public func addCommonParameter(_ name: String, _ value: Parameter.Value) throws(NetcoreError) {
        let parameter = Parameter(name, value)
        try parameter.check()
        try change { $0.parameters.append(parameter) }
    }

    /// The fields that all requests have, in their order; nil for a value that is asked for at the time of sending.
    public var commonHeaders: [(name: String, value: String?)] {
        commonFields.map { ($0.name, $0.value.map { String(decoding: $0, as: UTF8.self) }) }
    }

    package var commonFields: [(name: String, value: [UInt8]?)] {
        let settings = engine.parts.settings.current
        return settings.fields.map { ($0.name, $0.value) } + settings.currentFields.map { ($0.name, nil) }
    }

    /// The parameters that all requests have, in their order; nil for a value that is asked for at the time of sending.
    public var commonParameters: [(name: String, value: Parameter.Value?)] {
        let settings = engine.parts.settings.current
        return settings.parameters.map { ($0.name, $0.value) } + settings.currentParameters.map { ($0.name, nil) }
    }

    /// The base URL of a service in an environment; nil for the selected ones.
    public func baseURL(
        service: String? = nil, environment: String? = nil, usesCDN: Bool = false
    ) throws(NetcoreError) -> String {
        try engine.checkUsable()
        return try engine.parts.settings.current.base(of: service, in: environment, usesCDN: usesCDN).string
    }

    public func removeCommonHeader(_ name: String) throws(NetcoreError) {
        try change { $0.removeHeader(name) }
    }

    /// Sets a default parameter, added to every request that has none of that name itself.
    public func setCommonParameter(_ name: String, _ value: Parameter.Value) throws(NetcoreError) {
        let parameter = Parameter(name, value)
        try parameter.check()
        try change { settings in
            settings.removeParameter(name)
            settings.parameters.append(parameter)
        }
    }

    public func removeCommonParameter(_ name: String) throws(NetcoreError) {
        try change { $0.removeParameter(name) }
    }

    /// A copy of a request with everything in place that this client adds to it now: an absolute URL, default fields and
    /// parameters, and the body that parameters make up. What a filter sees, except that functions which give a value are
    /// not called. Nothing is sent.
    public func resolved(_ request: Request) throws(NetcoreError) -> Request {
        try engine.checkUsable()
        return Request(try request.built(for: engine))
    }

    func change(_ body: (inout ClientSettings.Values) throws(NetcoreError) -> Void) throws(NetcoreError) {
        try engine.checkUsable()
        try engine.parts.settings.change(body)
    }

    static func base(_ text: String, _ argument: String) throws(NetcoreError) -> HTTPURL {
        do throws(NetcoreError) {
            return try HTTPURL(text)
        } catch {
            throw NetcoreError(error.code, argument: "\(argument)", "\(error.message)")
        }
    }
}
