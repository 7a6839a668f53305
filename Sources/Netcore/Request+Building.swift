internal import NetcoreHTTP

extension Request {
    /// The request as this client sends it: with an absolute URL, the client's common parts, its parameters in place.
    func built(for engine: Engine) throws(NetcoreError) -> Request {
        let addsNothing = engine.settings.addsNothing || isCustom
        if isPlain, addsNothing { return self }
        return try prepared.built(for: engine, engine.settings.generation) { () throws(NetcoreError) in
            try build(engine.settings.current)
        }
    }

    private func build(_ settings: ClientSettings.Values) throws(NetcoreError) -> Request {
        var result = self
        var url = try absoluteURL(settings)
        if usesHTTPS { url = try url.upgraded() }
        let common = isCustom ? [] : settings.parameters.filter { each in !parameters.contains { $0.name == each.name } }
        let all = common + parameters
        let fields = isCustom ? [] : settings.fields.filter { !hasHeader($0.name) }
        if body != nil || Self.methodsWithQuery.contains(method) {
            url = try url.adding(query: all.encoded(.component))
        } else if !all.isEmpty {
            let (bytes, type) = try Self.body(all, serializer)
            try result.setBody(bytes)
            if !hasHeader("Content-Type"), !fields.contains(where: { Syntax.equalsIgnoringCase($0.name, "Content-Type") }) {
                try result.setHeader("Content-Type", type)
            }
        }
        result.settle(url, adding: fields)
        return result
    }

    /// Methods whose parameters go to the query; those of the others to the body, unless it has another content.
    private static let methodsWithQuery = ["GET", "HEAD", "DELETE"]

    private static func body(
        _ parameters: [Parameter], _ serializer: ParameterSerializer
    ) throws(NetcoreError) -> (bytes: [UInt8], type: String) {
        switch serializer {
        case .form: (parameters.encoded(.form), "application/x-www-form-urlencoded")
        case .json: (try JSONObject.encode(parameters), "application/json")
        }
    }

    private func absoluteURL(_ settings: ClientSettings.Values) throws(NetcoreError) -> HTTPURL {
        switch target {
        case .absolute(let url, let text):
            guard !pathValues.isEmpty else { return url }
            return try HTTPURL(PathTemplate.expand(text, pathValues))
        case .relative(let reference, let service):
            guard !isCustom else { throw NetcoreError(.invalidURL, "url: a custom request needs an absolute one") }
            let base = if let baseURL { baseURL } else { try settings.base(of: service, usesCDN: usesCDN) }
            // A template is one when it names something; a plain reference may have braces.
            let text = pathValues.isEmpty ? reference : try PathTemplate.expand(reference, pathValues)
            return try base.joining(text)
        }
    }
}
