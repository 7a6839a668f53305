internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// Large bodies, which go from and to files.
extension CacheStage {
    // MARK: From files

    /// Holds an exchange while the body of its answer comes from a file: to the consumer of a stream, else into memory.
    ///
    /// - Parameter otherwise: where the exchange goes on if nothing was shown yet and the body is damaged.
    func read(
        _ run: BodyRun, _ exchange: Exchange, _ response: Response, otherwise: @escaping () -> Descent
    ) {
        response.unreadBody = nil
        let isStreamed = exchange.transferUse(ofBody: response.status, response.fieldBlock) == .streamed
        if isStreamed, let sink = exchange.showHead(Response(headOf: response)) {
            return stream(run, exchange, response, to: sink)
        }
        let number = context.hold(exchange)
        let goOn = Once(otherwise)
        let isAdded = startDiskWork { [weak self, post = context.post] in
            let body = run.read(run.range)
            post { [weak self] in
                guard let self, self.context.isHeld(exchange, number) else { return }
                switch body {
                case .success(let bytes):
                    response.bodyBuffer = bytes
                    self.context.end(exchange, response)
                case .failure: self.context.goOn(exchange, goOn.call)
                }
            }
        }
        guard !isAdded else { return }
        context.post { [weak self] in
            self?.context.end(exchange, Response(error: NetcoreError(.canceled, phase: .done)))
        }
    }

    private func stream(_ run: BodyRun, _ exchange: Exchange, _ response: Response, to sink: any BodySink) {
        if exchange.times.started == nil { exchange.begin(context.now) }
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        let code = NetcoreError.Code.timeoutTotal
        _ = context.hold(exchange, until: end, else: NetcoreError(code, code.summary, phase: .done))
        response.isStreamed = true
        let feed = StoredBodyFeed(run, to: sink, on: startDiskWork, post: context.post) { [unowned self] error in
            exchange.hop.transfer = nil
            response.error = error
            context.end(exchange, response)
        }
        exchange.hop.transfer = feed
        context.post { feed.read() }
    }

    /// Has work done on the cache's reading thread. False if that takes none any more.
    func startDiskWork(_ work: @escaping @Sendable () -> Void) -> Bool {
        guard let queue = cache.disk?.reader else { return false }
        return context.client.diskReads.start(work, on: queue)
    }

    // MARK: To files

    /// What copies a streamed body for the cache: into memory, or where it is large, and there is a disk level, into a file.
    func copy(_ exchange: Exchange, _ state: HopCaching, _ head: Response, to consumer: any BodySink, limit: Int)
        -> BodyCopy
    {
        let copy = BodyCopy(to: consumer, limit: limit) { [weak exchange] in
            exchange?.hop.transfer?.resumeReceiving()
        }
        // Parts are put together in memory.
        if head.status != 206, let store = cache.disk?.isOpen(state.query.folder) {
            let start = { [weak self] work in self?.startDiskWork(work) ?? false }
            copy.spill = BodySpill(store, on: start) { [weak copy, post = context.post] in
                post { [weak copy] in copy?.spillHasRoom() }
            }
        }
        return copy
    }

    /// Holds an exchange until its copied body is whole in its file. False if it is in none.
    func awaitFile(_ exchange: Exchange, _ state: HopCaching, _ result: Response) -> Bool {
        guard result.isStreamed, result.error == nil, let copy = state.copy else { return false }
        let number = context.hold(exchange)
        let isAwaited = copy.finish { [weak self, post = context.post] in
            post { [weak self] in
                guard let self, self.context.isHeld(exchange, number) else { return }
                switch self.up(exchange, result) {
                case .next, .hold: self.context.end(exchange, result)
                case .again, .anew: self.context.goOn(exchange)
                }
            }
        }
        if !isAwaited { context.release(exchange) }
        return isAwaited
    }
}

/// A function of the loop's on its way through another thread, which does not call it.
private final class Once: @unchecked Sendable {  // see above
    let call: () -> Descent

    init(_ call: @escaping () -> Descent) { self.call = call }
}
