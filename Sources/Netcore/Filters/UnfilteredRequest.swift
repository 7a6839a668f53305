internal import NetcoreHTTP
internal import NetcoreTransport

/// What a request was before functions of the application's saw it.
package struct UnfilteredRequest: Sendable {
    let given: Request
    /// As it was at the dispatch, without values of the time.
    let built: BuiltRequest
    /// Of the dispatch.
    let settings: SettingsSnapshot

    /// Calls the functions; may block.
    func filtered(for client: ClientParts) throws(NetcoreError) -> BuiltRequest {
        let settings = settings.values
        var current = built
        if settings.hasCurrentValues {
            current = try BuiltRequest(
                settled: given.settled(try settings.withCurrentValues()), client.additions,
                settings.delivery)
        }
        var request = Request(try client.hsts.upgraded(current))
        let before = request.options
        for filter in settings.filters + (given.options.filter.map { [$0.call] } ?? []) {
            try ApplicationFunction.run { try filter(&request) }
            try Self.check(request, before)
        }
        try request.options.check()
        let settled = request.isPlain ? request : try request.settled(ClientSettings.Values())
        let result = try BuiltRequest(settled: settled, client.additions, settings.delivery)
        try result.checkBody()
        // Here, since it may call functions of the application's.
        if let cache = client.cache { _ = try client.hsts.upgraded(result).query(for: cache) }
        return result
    }
}

extension UnfilteredRequest {
    /// What a filter must not change, since it is in place already, and would be lost in silence.
    private static func check(_ request: Request, _ before: RequestOptions) throws(NetcoreError) {
        guard request.options.baseURL === before.baseURL else { throw Request.hasURL }
        guard request.content != nil else { return }
        guard request.options.serializer == before.serializer else { throw Request.hasBody("serializer") }
        guard request.options.parameterNesting == before.parameterNesting else { throw Request.hasBody("nesting") }
    }
}

extension Request {
    package static let hasURL = NetcoreError(
        .invalidState, argument: "base_url", "in a filter the URL of a request is absolute already", phase: .queue)

    package static func hasBody(_ argument: String) -> NetcoreError {
        NetcoreError(
            .invalidState, argument: argument, "in a filter the body of a request is in place already", phase: .queue)
    }
}

enum ApplicationFunction {
    /// Turns what a function of the application's throws into an error of netcore's.
    static func run<Result>(_ body: () throws -> Result) throws(NetcoreError) -> Result {
        do {
            return try body()
        } catch let error as NetcoreError {
            throw NetcoreError(error.code, error.message, phase: .queue, nativeCode: error.nativeCode)
        } catch {
            throw NetcoreError(.refused, "a filter refused the request: \(error)", phase: .queue)
        }
    }
}

extension Engine {
    /// Whether functions of the application's see a request before it is sent.
    func asksApplication(_ request: Request) -> Bool {
        (parts.settings.asksApplication || request.options.filter != nil) && !request.isBare
    }

    /// A request in the form in which it would be sent. Waits for functions of the application's, where there are any.
    func resolveNow(_ given: Request) throws(NetcoreError) -> BuiltRequest {
        let built = try given.built(for: self)
        guard asksApplication(given) else { return try parts.hsts.upgraded(built) }
        let unfiltered = UnfilteredRequest(given: given, built: built, settings: parts.settings.snapshot)
        // Read only after it was written.
        nonisolated(unsafe) var result = Result<BuiltRequest, NetcoreError>.failure(NetcoreError(.outOfMemory))
        let isDone = parts.filterWorker.addAndWait { [parts] in
            result = Result { () throws(NetcoreError) in
                try parts.hsts.upgraded(unfiltered.filtered(for: parts))
            }
        }
        guard isDone else { throw NetcoreError(.outOfMemory, argument: "client", "no thread can be started") }
        return try result.get()
    }
}

extension ClientSettings.Values {
    /// The settings with the values of now in them.
    fileprivate func withCurrentValues() throws(NetcoreError) -> Self {
        var result = self
        for (name, value) in currentFields {
            guard let text = try ApplicationFunction.run(value) else { continue }
            result.fields.append(try Request.Field(checking: name, Array(text.utf8)))
        }
        for (name, value) in currentParameters {
            guard let text = try ApplicationFunction.run(value) else { continue }
            result.parameters.append(Parameter(name, .string(text)))
        }
        return result
    }
}
