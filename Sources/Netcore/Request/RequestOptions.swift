package import NetcoreHTTP
package import NetcoreTransport

/// What a request says besides method, URL, parameters, header fields and body. A new option is a line here: copies, and the form
/// in which a request is sent, take all of them.
package struct RequestOptions: Sendable {
    /// Which of them the request sets itself: those win over the client's defaults.
    package internal(set) var own = OwnOptions()
    package var serializer = ParameterSerializer.form
    package var parameterNesting = ParameterNesting.repeating
    /// The Content-Type, unless the request or its client has that field.
    package var contentType: [UInt8]?
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
    package var tags: [String] = []
    package var invalidatedTags: [String] = []
    package var authentication: Authentication?
    /// Names of fields and parameters of the client's that do not go with the request.
    package var droppedHeaders: [String] = []
    package var droppedParameters: [String] = []
    /// None of the client's parameters go with the request.
    package var dropsCommonParameters = false
    package var usesCookies = true
    package var cookies: [(name: String, value: String)] = []
    package var priority = Priority.default
    package var rates = TransferRates()
    package var network = NetworkConstraints()
    /// Milliseconds; nil where it does not wait.
    package var networkWait: Int?
    /// Milliseconds between reports; nil for none.
    package var progressInterval: Int?
    package var userInfo: UserInfo?
    package var taskScope: ScopeMembers?
    /// For the C door: is notified of what comes before the end of a task.
    package var onEvent: (@Sendable (RequestTask, Response) -> Void)?
    /// Are called with each event of its tasks.
    package var eventFunctions: [@Sendable (ClientEvent) -> Void] = []
    package var cache = Request.CacheOptions()
    package var receivesInterim = false
    package var isSentOnce = false
    /// Milliseconds to wait for a 100 before the body is sent; 0 does not ask for one.
    package var expectTimeout = 0
    package var allowsUncleanEnd = false
    package var retries = RetryChoice.client
    package var hedging = HedgeChoice.client
    package var isIdempotent = false
    package var duplicates = DuplicatePolicy.allow
    package var minimumInterval: MinimumInterval?
    package var rateKey: String?
    package var rules = ResponseRules()
    /// Runs after those of the client.
    package var filter: RequestFilter?
    /// Run after those of the client.
    package var responseFilters: ResponseFilters?
    /// What its path was made from, as long as it is at its first hop.
    package var urlTemplate: String?
    /// The body of the answer goes to a consumer that sets the pace.
    package var isStreamed = false
}

extension RequestOptions {
    /// Whether a field of the client's does not go with the request.
    func drops(_ name: String) -> Bool { droppedHeaders.contains { Syntax.equalsIgnoringCase($0, name) } }
}

/// A filter of one request.
package final class RequestFilter: Sendable {
    package let call: Client.Filter

    package init(_ call: @escaping Client.Filter) { self.call = call }
}
