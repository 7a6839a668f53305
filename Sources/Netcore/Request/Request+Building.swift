internal import NetcoreHTTP

extension Request {
    /// Whether nothing of its own is to be put in place.
    var isPlain: Bool {
        guard case .absolute = target, !hasUnsettledBody, packsBodyFrom == nil, options.contentType == nil
        else { return false }
        return parameters.isEmpty && pathValues.isEmpty && !usesHTTPS
    }

    /// The request as this client sends it: with an absolute URL, the client's common parts, its parameters in place.
    func built(for engine: Engine) throws(NetcoreError) -> BuiltRequest {
        // What is on disk may be another each time.
        guard !hasUnsettledBody else { return try build(for: engine) }
        return try prepared.built(for: engine) { () throws(NetcoreError) in try build(for: engine) }
    }

    private func build(for engine: Engine) throws(NetcoreError) -> BuiltRequest {
        let settings = engine.parts.settings.snapshot
        let request = taking(settings.values.requestDefaults).filtered(settings.values)
        try request.options.check()
        let isSettled = request.isPlain && (isBare || settings.values.hasNoParts)
        return try BuiltRequest(
            settled: isSettled ? request : request.settledItself(settings.values), engine.parts.additions,
            settings.values.delivery, route: try request.route(settings))
    }

    /// A request of which nothing is left to be put in place.
    func settled(_ settings: ClientSettings.Values) throws(NetcoreError) -> Request {
        try taking(settings.requestDefaults).filtered(settings).settledItself(settings)
    }

    /// With the client's filters of answers before its own.
    private func filtered(_ settings: ClientSettings.Values) -> Request {
        guard let filters = settings.responseFilters, !isBare else { return self }
        var result = self
        result.options.responseFilters = ResponseFilters.joined(filters, options.responseFilters)
        return result
    }

    private func settledItself(_ settings: ClientSettings.Values) throws(NetcoreError) -> Request {
        var result = self
        let common = commonParameters(settings)
        let all = common + parameters
        let inQuery = parametersInQuery(settings)
        let inBody = goesToQuery ? [] : settings.sendsParametersInQuery ? parameters : all
        let fields = isBare ? [] : settings.fields.filter { takes($0.name) }
        var url = try absoluteURL(settings, query: query(inQuery))
        if usesHTTPS { url = try url.upgraded() }
        let settled = try SettledContent(self, inBody) { name in
            hasHeader(name) || fields.contains { Syntax.equalsIgnoringCase($0.name, name) }
        }
        result.settle(url, settled.content, adding: settled.fields + fields)
        return result
    }

    private func commonParameters(_ settings: ClientSettings.Values) -> [Parameter] {
        guard !isBare, !options.dropsCommonParameters else { return [] }
        return settings.parameters.filter { each in
            !parameters.contains { $0.isNamed(each.name) } && !options.droppedParameters.contains { each.isNamed($0) }
        }
    }

    private func parametersInQuery(_ settings: ClientSettings.Values) -> [Parameter] {
        let common = commonParameters(settings)
        return goesToQuery ? common + parameters : settings.sendsParametersInQuery ? common : []
    }

    /// How it comes to its URL by the selected service; nil if it does not, or there is no policy of failover.
    private func route(_ settings: SettingsSnapshot) throws(NetcoreError) -> ServiceRoute? {
        guard let rule = settings.values.delivery.failover, let place = settings.values.place, baseURL == nil,
            case .relative(let reference, nil) = target
        else { return nil }
        return ServiceRoute(
            place, rule, reference: pathValues.isEmpty ? reference : try PathTemplate.expand(reference, pathValues),
            query: try query(parametersInQuery(settings.values)), usesCDN: usesCDN, usesHTTPS: usesHTTPS,
            settings.values.services)
    }

    /// Whether a field of the client's goes with the request.
    private func takes(_ name: String) -> Bool {
        if case .parts = content, Syntax.equalsIgnoringCase(name, "Content-Type") { return false }
        return !hasHeader(name) && !options.drops(name)
    }

    private func query(_ parameters: [Parameter]) throws(NetcoreError) -> [UInt8] {
        switch (serializer, parameterNesting) {
        case (.json, .repeating): try parameters.encoded(.component)
        case (.json, .brackets), (.form, _): try parameterNesting.form.flat(parameters).encoded(.component)
        case (.query, _): try parameterNesting.form.flat(parameters).encoded(.form)
        }
    }

    /// Whether parameters go to the query, not to the body.
    package var goesToQuery: Bool {
        if serializer == .query { return true }
        return switch content {
        case .none, .parts: Self.methodsWithQuery.contains(method)
        case .bytes, .file, .stream, .streamed: true
        }
    }

    /// Methods whose parameters go to the query; those of the others to the body, unless it has another content.
    private static let methodsWithQuery = ["GET", "HEAD", "DELETE"]

    private func absoluteURL(_ settings: ClientSettings.Values, query: [UInt8]) throws(NetcoreError) -> HTTPURL {
        switch target {
        case .absolute(let url, let text):
            guard !pathValues.isEmpty else { return try url.adding(query: query) }
            return try HTTPURL(PathTemplate.expand(text, pathValues)).adding(query: query)
        case .relative(let reference, let service):
            guard !isBare || baseURL != nil else {
                throw NetcoreError(
                    .invalidURL, argument: "url", "must be absolute, or have a base URL, in a bare request")
            }
            let base = if let baseURL { baseURL } else { try settings.base(of: service, usesCDN: usesCDN) }
            // A template is one when it names something; a plain reference may have braces.
            let text = pathValues.isEmpty ? reference : try PathTemplate.expand(reference, pathValues)
            let joined = try base.joining(text, adding: query)
            guard joined.origin == base.origin else {
                throw NetcoreError(
                    .invalidURL, argument: "url", "must have neither scheme nor host in a relative request")
            }
            return joined
        }
    }
}
