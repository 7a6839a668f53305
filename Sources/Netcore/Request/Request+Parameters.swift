public import NetcoreHTTP

/// How parameters are written. Values are those of netcore/param.h.
public enum ParameterSerializer: Int32, Sendable {
    /// application/x-www-form-urlencoded (WHATWG URL, section 5)
    case form = 0
    /// One JSON object
    case json = 1
    /// Not into a body: parameters go to the query, whatever the method, written as in a form
    case query = 2
}

/// How nested parameters are written in a query, a form and multipart. Values are those of netcore/param.h.
public enum ParameterNesting: Int32, Sendable {
    /// A list repeats its name, once for each element; an object is JSON text
    case repeating = 0
    /// `a[b]=1&l[]=1&l[]=2`: the names of members and the places of elements go into brackets
    case brackets = 1

    var form: Nesting { self == .brackets ? .brackets : .repeating }
}

extension Request {
    /// Adds a parameter. Parameters go to the query for GET, HEAD and DELETE, and when there is a body; else into the body, as
    /// ``serializer`` says. Names may repeat, but in JSON; their order stays. An empty name, a number that is not finite and what
    /// is no JSON are ``NetcoreError/Code/invalidArgument`` when the request is sent.
    public mutating func addParameter(_ name: String, _ value: Parameter.Value) {
        change { $0.parameters.append(Parameter(name, value)) }
    }

    public mutating func removeParameters(_ name: String) {
        change { $0.parameters.removeAll { $0.isNamed(name) } }
    }

    /// Keeps a field that the client adds to its requests, User-Agent and Accept-Encoding included, from this one.
    public mutating func dropCommonHeader(_ name: String) throws(NetcoreError) {
        _ = try Field(checking: name, [])
        if !options.drops(name) { options.droppedHeaders.append(name) }
    }

    /// Keeps a parameter that the client adds to its requests from this one.
    public mutating func dropCommonParameter(_ name: String) {
        if !options.droppedParameters.contains(name) { options.droppedParameters.append(name) }
    }

    /// Gives a value to a name in braces in the URL: "/users/{id}". It goes in as one segment, percent-encoded.
    public mutating func setPathValue(_ name: String, _ value: String) throws(NetcoreError) {
        guard PathTemplate.isName(name.utf8) else {
            throw NetcoreError(.invalidArgument, argument: "name", "must consist of letters, digits and _")
        }
        change { storage in
            storage.pathValues.removeAll { $0.name == name }
            storage.pathValues.append((name, value))
        }
    }

    /// How parameters are written.
    public var serializer: ParameterSerializer {
        get { options.serializer }
        set { set(.serializer) { $0.serializer = newValue } }
    }

    /// How nested parameters are written in a query, a form and multipart: lists, and JSON values that are arrays or objects. What is
    /// empty is left out. A JSON body nests them as they are. ``ParameterNesting/repeating`` by default.
    public var parameterNesting: ParameterNesting {
        get { options.parameterNesting }
        set { set(.parameterNesting) { $0.parameterNesting = newValue } }
    }

    /// A base URL in place of a service's.
    package var baseURL: HTTPURL? { options.baseURL }

    public mutating func setBaseURL(_ url: String?) throws(NetcoreError) {
        let parsed: HTTPURL? = if let url { try Client.base(url, "base_url") } else { nil }
        options.baseURL = parsed
    }

    /// Whether the service's URL for a CDN is the base, where it has one.
    public var usesCDN: Bool {
        get { options.usesCDN }
        set { set(.usesCDN) { $0.usesCDN = newValue } }
    }

    /// Whether http becomes https; its port 80 becomes 443, any other stays.
    public var usesHTTPS: Bool {
        get { options.usesHTTPS }
        set { set(.usesHTTPS) { $0.usesHTTPS = newValue } }
    }

    /// Whether the request goes out as it is, without the client's common parts.
    public var isBare: Bool {
        get { options.isBare }
        set { options.isBare = newValue }
    }
}
