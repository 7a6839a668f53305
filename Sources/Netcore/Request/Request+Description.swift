package import NetcoreHTTP

/// How the request of an API description becomes that of a call.
extension Request {
    /// The URL as it was given, with names in braces.
    package var urlTemplate: String {
        switch target {
        case .absolute(_, let text): text
        case .relative(let reference, _): reference
        }
    }

    /// Adds a parameter to the query, whatever the method.
    package mutating func addToQuery(_ name: String, _ value: Parameter.Value) throws(NetcoreError) {
        guard !goesToQuery else { return addParameter(name, value) }
        let query = try parameterNesting.form.flat([Parameter(name, value)]).encoded(.component)
        guard !query.isEmpty else { return }
        let text = Self.adding(String(decoding: query, as: UTF8.self), to: urlTemplate)
        switch target {
        case .absolute:
            let url = try HTTPURL(text)
            change { $0.target = .absolute(url, text) }
        case .relative(_, let service): change { $0.target = .relative(text, service: service) }
        }
        dropCommonParameter(name)
    }

    private static func adding(_ query: String, to url: String) -> String {
        let (head, fragment) = (url.prefix { $0 != "#" }, url.drop { $0 != "#" })
        return "\(head)\(head.contains("?") ? "&" : "?")\(query)\(fragment)"
    }

    /// With 2xx as the only success, unless it, or its client, says what is.
    package mutating func acceptOnlySuccess() {
        if !options.own.contains(.acceptedStatuses) { options.rules.statuses = .success }
    }

    /// With what a module has for its APIs in the place of what this does not set.
    ///
    /// - Throws: for error tables that clash.
    package func taking(module: Request) throws(NetcoreError) -> Request {
        let table = try errorTable?.over(module.errorTable) ?? module.errorTable
        var result = taking(module.options)
        result.options.complete(by: module.options)
        result.options.own.formUnion(module.options.own)
        if table != nil { result.errorTable = table }
        result.change { storage in
            storage.fields += module.fields.filter { !hasHeader($0.name) && !options.drops($0.name) }
            storage.parameters += module.parameters.filter { each in
                !parameters.contains { $0.isNamed(each.name) }
                    && !options.droppedParameters.contains { each.isNamed($0) }
            }
            if case .relative(let reference, nil) = target, case .relative(_, let service) = module.target {
                storage.target = .relative(reference, service: service)
            }
        }
        return result
    }
}

extension RequestOptions {
    /// Takes from a module what a client has no default for.
    fileprivate mutating func complete(by module: RequestOptions) {
        baseURL = baseURL ?? module.baseURL
        limits = limits ?? module.limits
        filter = filter ?? module.filter
        responseFilters = ResponseFilters.joined(module.responseFilters, responseFilters)
        userInfo = userInfo ?? module.userInfo
        taskScope = taskScope ?? module.taskScope
        onEvent = onEvent ?? module.onEvent
        eventFunctions = module.eventFunctions + eventFunctions
        if case .client = retries { retries = module.retries }
        if case .client = hedging { hedging = module.hedging }
        isBare = isBare || module.isBare
        isIdempotent = isIdempotent || module.isIdempotent
        dropsCommonParameters = dropsCommonParameters || module.dropsCommonParameters
        cookies = module.cookies.filter { each in !cookies.contains { $0.name == each.name } } + cookies
        tags = tags + module.tags.filter { !tags.contains($0) }
        invalidatedTags = invalidatedTags + module.invalidatedTags.filter { !invalidatedTags.contains($0) }
        droppedHeaders = droppedHeaders + module.droppedHeaders
        droppedParameters = droppedParameters + module.droppedParameters
        cache.keyFields = cache.keyFields + module.cache.keyFields.filter { !cache.keyFields.contains($0) }
    }
}
