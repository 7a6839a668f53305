internal import NetcoreHTTP
internal import NetcoreTransport

/// A request in the form in which it is sent, once functions of the host's had their say.
struct ResolvedRequest: Sendable {
    let request: Request
    let wire: WireRequest
    let query: CacheQuery?

    /// Calls the functions; may block.
    ///
    /// - Parameters:
    ///   - built: as it was at the dispatch, without values of the time.
    ///   - settings: of the dispatch.
    init(
        _ given: Request, built: Request, _ settings: ClientSettings.Values, for engine: Engine
    ) throws(NetcoreError) {
        var request =
            settings.hasCurrentValues ? try given.build(try settings.withCurrentValues()).upgraded(for: engine) : built
        for filter in settings.filters { try Self.run { try filter(&request) } }
        // A filter may have led it to another host.
        self.request = try (request.isPlain ? request : request.build(ClientSettings.Values())).upgraded(for: engine)
        wire = try self.request.wire(for: engine)
        query = engine.cache.map { [request = self.request, wire] in request.query(for: engine, $0, url: wire.url) }
    }

    /// Turns what a function of the host's throws into an error of netcore's.
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
    /// A request in the form in which it would be sent. Waits for functions of the host's, where there are any.
    func resolveNow(_ given: Request) throws(NetcoreError) -> Request {
        let built = try given.built(for: self)
        let snapshot = settings.snapshot
        guard settings.asksHost, !given.isCustom else { return built }
        // Read only after it was written.
        nonisolated(unsafe) var result = Result<Request, NetcoreError>.failure(NetcoreError(.outOfMemory))
        let isDone = filterWorker.addAndWait { [self] in
            result = Result { () throws(NetcoreError) in
                try ResolvedRequest(given, built: built, snapshot.values, for: self).request
            }
        }
        guard isDone else { throw NetcoreError(.outOfMemory, "client: no thread can be started") }
        return try result.get()
    }
}

extension ClientSettings.Values {
    /// The settings with the values of now in them.
    fileprivate func withCurrentValues() throws(NetcoreError) -> Self {
        var result = self
        for (name, value) in currentFields {
            guard let text = try ResolvedRequest.run(value) else { continue }
            result.fields.append(try Request.Field(checking: name, Array(text.utf8)))
        }
        for (name, value) in currentParameters {
            guard let text = try ResolvedRequest.run(value) else { continue }
            result.parameters.append(Parameter(name, .string(text)))
        }
        return result
    }
}
