package import NetcoreHTTP
package import NetcoreTransport

/// What a request says besides method, URL, parameters, header fields and body. A new option is a line here: copies, and the form
/// in which a request is sent, take all of them.
package struct RequestOptions: Sendable {
    package var serializer = ParameterSerializer.form
    package var baseURL: HTTPURL?
    package var usesCDN = false
    package var usesHTTPS = false
    package var isBare = false
    package var packsBodyFrom: Int?
    package var timeouts = TimeoutSet()
    /// Nil if no limit is set.
    package var limits: LimitOverrides?
    package var redirectPolicy = RedirectPolicy()
    package var decodesContent = true
    package var tag: String?
    package var authentication: Authentication?
    /// Names of fields and parameters of the client's that do not go with the request.
    package var droppedHeaders: [String] = []
    package var droppedParameters: [String] = []
    package var usesCookies = true
    package var cookies: [(name: String, value: String)] = []
    package var priority = Priority.default
    package var rates = TransferRates()
    package var network = NetworkConstraints()
    /// Milliseconds between reports; nil for none.
    package var progressInterval: Int?
    package var userInfo: UserInfo?
    /// For the C door: is notified of what comes before the end of a task.
    package var onEvent: (@Sendable (RequestTask, Response) -> Void)?
    package var cache = Request.CacheOptions()
    package var receivesInterim = false
    package var isSentOnce = false
    package var allowsUncleanEnd = false
}

extension RequestOptions {
    /// Whether a field of the client's does not go with the request.
    func drops(_ name: String) -> Bool { droppedHeaders.contains { Syntax.equalsIgnoringCase($0, name) } }
}
