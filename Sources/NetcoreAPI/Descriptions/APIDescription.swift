public import Netcore
public import NetcoreHTTP
internal import NetcoreSupport

/// An API of a server, described once and called by its parameters. A value: a request that says everything but the values of the
/// parameters, with what these may be.
///
///     var post = try APIDescription(Request(relative: "/posts/{id}"), module: shop)
///     try post.add(APIParameter("id", type: "integer"))
///     let response = try await client.call(post, ["id": 7])
///
/// All that a ``Request`` can be set to is part of the description: method, URL, header fields, serializer, cache, retries, throttle,
/// validators, error table, filter, tags. Names of parameters in braces in a tag, such as "post:{id}", stand for their values; a tag whose
/// parameter has no value is left out. An answer with a status code other than 2xx is not a success, unless the request, its module or the
/// client says what is (``Request/acceptedStatuses``).
public struct APIDescription: Sendable {
    public let module: APIModule?
    public private(set) var parameters: [APIParameter] = []
    private var template: Request
    /// Names in braces.
    private let pathNames: [String]
    /// Parameters that are not described are taken as they come.
    private let isOpen: Bool

    /// Names in braces in the URL that ``add(_:)`` does not describe are parameters of the type "string|integer".
    ///
    /// - Throws: ``NetcoreError/Code/invalidURL`` for a malformed template, ``NetcoreError/Code/invalidArgument`` for an error table that
    ///   clashes with that of the module or of another API in it.
    public init(_ request: Request, module: APIModule? = nil) throws(NetcoreError) {
        try self.init(request, module, isOpen: false)
    }

    init(_ request: Request, _ module: APIModule?, isOpen: Bool) throws(NetcoreError) {
        pathNames = try PathTemplate.names(request.urlTemplate)
        self.module = module
        self.isOpen = isOpen
        template = try module?.completing(request) ?? request
        template.acceptOnlySuccess()
        template.options.urlTemplate = template.pathTemplate
    }

    /// Adds a parameter.
    ///
    /// - Throws: ``NetcoreError/Code/invalidParam`` if there is one of its name, or a body already; ``NetcoreError/Code/invalidHeader`` for a
    ///   name that no header field has.
    public mutating func add(_ parameter: APIParameter) throws(NetcoreError) {
        guard !parameters.contains(where: { $0.name == parameter.name }) else {
            throw parameter.refused("there is one of that name already")
        }
        if parameter.place == .body, parameters.contains(where: { $0.place == .body }) {
            throw parameter.refused("there is a parameter that is the body already")
        }
        if parameter.place == .header {
            var probe = template
            try probe.setHeader(parameter.field, "")
        }
        parameters.append(parameter)
    }

    /// The request of one call, to be sent in any way. A null is left out, except in a JSON body; a parameter of the path cannot be null.
    ///
    /// - Throws: ``NetcoreError/Code/invalidParam`` for a parameter that is missing, unknown, of another type, or not allowed in its place;
    ///   ``NetcoreError/argument`` is its name.
    public func request(_ values: [String: Parameter.Value] = [:]) throws(NetcoreError) -> Request {
        try request(values.map { Parameter($0.key, $0.value) })
    }

    // MARK: Values by their names

    package func request(_ values: [Parameter]) throws(NetcoreError) -> Request {
        var rest: [(parameter: APIParameter, value: Parameter.Value)] = []
        let all = try described(values)
        for parameter in all {
            guard let value = values.first(where: { $0.name == parameter.name })?.value ?? parameter.defaultValue
            else {
                guard !parameter.isRequired, !isInPath(parameter) else { throw parameter.refused("is missing") }
                continue
            }
            if let reason = parameter.objection(to: value) { throw parameter.refused(reason) }
            rest.append((parameter, value))
        }
        var result = template
        // The body first: where the others go depends on it.
        for (parameter, value) in rest where parameter.place == .body { try result.put(parameter, value, pathNames) }
        for (parameter, value) in rest where parameter.place != .body { try result.put(parameter, value, pathNames) }
        result.tags = try tags(template.tags, all, rest)
        result.invalidatedTags = try tags(template.invalidatedTags, all, rest)
        return result
    }

    /// Tags with the values of the call in the places of the parameters that they name.
    private func tags(
        _ tags: [String], _ all: [APIParameter], _ values: [(parameter: APIParameter, value: Parameter.Value)]
    ) throws(NetcoreError) -> [String] {
        var result: [String] = []
        for tag in tags {
            let filled = try PathTemplate.fill(tag) { (name) throws(NetcoreError) in
                if let (parameter, value) = values.first(where: { $0.parameter.name == name }) {
                    return value.isNull ? nil : try parameter.plain(value)
                }
                guard isOpen || all.contains(where: { $0.name == name }) else {
                    throw NetcoreError(
                        .invalidParam, argument: name, "is in the tag \(tag), and not a parameter of the API")
                }
                return nil
            }
            if let filled { result.append(filled) }
        }
        return result
    }

    private func isInPath(_ parameter: APIParameter) -> Bool {
        parameter.place == .standard && pathNames.contains(parameter.name)
    }

    /// The parameters of a call, in their order: those of the path that are not described, then those that are.
    private func described(_ values: [Parameter]) throws(NetcoreError) -> [APIParameter] {
        var all = try pathNames.filter { name in !parameters.contains { $0.name == name } }.map {
            name throws(NetcoreError) in
            try APIParameter(name, type: "string|integer")
        }
        all += parameters
        for (index, value) in values.enumerated() {
            if values[..<index].contains(where: { $0.name == value.name }) {
                throw NetcoreError(.invalidParam, argument: value.name, "is there twice")
            }
            guard !all.contains(where: { $0.name == value.name }) else { continue }
            guard isOpen else {
                let hint = Suggestion.ending(for: value.name, among: all.map(\.name))
                throw NetcoreError(.invalidParam, argument: value.name, "is not a parameter of the API\(hint)")
            }
            all.append(try APIParameter(value.name, type: "any"))
        }
        return all
    }

    /// The same with a JSON object that has the values.
    package func request(json: String) throws(NetcoreError) -> Request {
        try request(JSONObject.parameters(json, "params"))
    }

    /// The same with values as text: those of parameters that may not be strings are read as JSON.
    package func request(texts: [(name: String, value: String)]) throws(NetcoreError) -> Request {
        try request(
            texts.map { name, text in
                let takesText = parameters.first { $0.name == name }?.takesText ?? true
                return Parameter(name, takesText ? .string(text) : .json(text))
            })
    }
}

extension Request {
    /// Puts the value of a parameter in its place.
    fileprivate mutating func put(
        _ parameter: APIParameter, _ value: Parameter.Value, _ pathNames: [String]
    ) throws(NetcoreError) {
        do throws(NetcoreError) {
            switch parameter.place {
            case .standard where pathNames.contains(parameter.name):
                try setPathValue(parameter.name, parameter.segment(value))
            case .standard:
                if value.isNull, goesToQuery || serializer != .json { return }
                addParameter(parameter.field, value.withElements)
            case .query: if !value.isNull { try addToQuery(parameter.field, value.withElements) }
            case .header: if !value.isNull { try setHeader(parameter.field, parameter.plain(value)) }
            case .body:
                if value.isNull, !parameter.isRequired { return }
                try setBody(Array(JSONObject.text(value).utf8))
                if !hasHeader("Content-Type") { try setHeader("Content-Type", "application/json") }
            }
        } catch {
            throw error.code == .invalidParam ? error : parameter.refused(error.message)
        }
    }
}

extension Parameter.Value {
    /// A JSON array as a list, which a query and a form write by its elements.
    fileprivate var withElements: Parameter.Value {
        guard case .json(let text) = self, let elements = try? JSONObject.elements(text) else { return self }
        return .list(elements)
    }

    fileprivate var isNull: Bool {
        switch self {
        case .null: true
        case .json(let text): text == "null"
        default: false
        }
    }
}

extension APIParameter {
    /// A value as text; not of one with parts.
    fileprivate func plain(_ value: Parameter.Value) throws(NetcoreError) -> String {
        let text = value.text
        switch value {
        case .list: break
        case .json where text.utf8.first == UInt8(ascii: "[") || text.utf8.first == UInt8(ascii: "{"): break
        case .json where text.utf8.first == UInt8(ascii: "\""): break
        default: return text
        }
        throw refused("must be a text, a number, true or false")
    }

    fileprivate func segment(_ value: Parameter.Value) throws(NetcoreError) -> String {
        guard !value.isNull else { throw refused("must not be null") }
        let text = try plain(value)
        guard PathTemplate.isSegment(text) else { throw refused("must not be empty, \".\" or \"..\"") }
        return text
    }
}
