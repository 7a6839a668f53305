internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import NetcoreTransport

/// Answers requests from the cache, and stores what comes back (RFC 9111). What is decided is in `Cache`; this acts.
final class CacheStage: Stage, @unchecked Sendable {  // confined to the loop
    unowned(unsafe) let context: StageContext
    let cache: Cache
    private var flights = Flights()

    init(_ context: StageContext, _ cache: Cache) {
        self.context = context
        self.cache = cache
    }

    // MARK: Down

    override func down(_ exchange: Exchange) -> Descent {
        guard !exchange.isHedge else { return .next }
        let query = exchange.hop.query(cache)
        let state = HopCaching(query)
        // No exchange waits for an answer whose consumer sets the pace.
        state.isAlone = exchange.request.options.isStreamed
        exchange.hop.caching = state
        if query.options.mode == .never { cache.remove(query) }
        guard !query.options.mode.storesNothing else { return pass(exchange, state, .requested, .bypass) }
        guard query.isServable else {
            return pass(exchange, state, .passed, query.request.hasOriginCondition ? .request : .method)
        }
        guard let disk = cache.disk, !exchange.isValidation || cache.inMemory(query).isEmpty else {
            return decide(exchange, state)
        }
        // What is not read from disk will be written there: its folder is opened on another thread too.
        if query.options.mode == .reload, disk.isOpen(query.folder) != nil { return decide(exchange, state) }
        return lookAtMemoryFirst(exchange, state)
    }

    private func pass(
        _ exchange: Exchange, _ state: HopCaching, _ reason: CacheResult, _ forward: CacheStatus.Forward
    ) -> Descent {
        exchange.report(.cache, value: Int(reason.rawValue))
        state.fetch = CacheFetch(reason, forward)
        state.fetch?.mark = cache.mark
        return .next
    }

    /// Whether a large body on disk stays there until it is known what of it is wanted.
    private func leavesLarge(_ exchange: Exchange, _ state: HopCaching) -> Bool {
        guard state.query.options.mode != .cacheThenNetwork else { return false }
        return exchange.request.options.isStreamed || exchange.isValidation || state.query.request.range != nil
    }

    private func lookAtMemoryFirst(_ exchange: Exchange, _ state: HopCaching) -> Descent {
        let now = cache.now
        let decision = cache.lookup(now).decide(
            state.query, cache.inMemory(state.query), isRevalidation: exchange.isValidation)
        if case .serve(let serving) = decision { return serve(exchange, state, serving, now) }
        let number = context.hold(exchange)
        let read = DiskRead(cache, state.query, leavesLarge: leavesLarge(exchange, state)) {
            [weak self, post = context.post] loaded in
            post { [weak self] in self?.goOn(exchange, number, loaded) }
        }
        guard startDiskWork(read.run) else {
            context.release(exchange)
            return decide(exchange, state)
        }
        return .hold
    }

    /// The disk was read.
    private func goOn(_ exchange: Exchange, _ number: Int, _ loaded: Cache.Loaded) {
        guard context.isHeld(exchange, number), let state = exchange.hop.caching else { return }
        context.goOn(exchange) { decide(exchange, state, loaded) }
    }

    private func decide(_ exchange: Exchange, _ state: HopCaching, _ loaded: Cache.Loaded? = nil) -> Descent {
        let now = cache.now
        let query = state.query
        let mark = cache.mark
        let decision = cache.lookup(now).decide(
            query, cache.stored(query, loaded), wasDamaged: loaded?.wasDamaged ?? false,
            isRevalidation: exchange.isValidation)
        switch decision {
        case .serve(let serving): return serve(exchange, state, serving, now)
        case .unsatisfiable(let result):
            let response = Response()
            response.fillGatewayTimeout(query, result, now: now)
            exchange.report(.cache, value: Int(result.rawValue))
            return .end(response)
        case .fetch(var fetch):
            fetch.mark = mark
            // At the earliest; stage *transport* knows better.
            fetch.requestTime = now
            return self.fetch(exchange, state, fetch, now)
        }
    }

    private func serve(_ exchange: Exchange, _ state: HopCaching, _ serving: Serving, _ now: Timestamp) -> Descent {
        exchange.report(.cache, value: Int(serving.result.rawValue))
        let response = Response()
        var status: CacheStatus?
        if state.isCollapsed {
            status = .forwarded(.uriMiss)
            status?.isCollapsed = true
        }
        response.fill(serving, state.query, now: now, status: status)
        let unread = response.unreadBody
        cache.counters.count(serving.result, bytes: response.bodyBuffer?.count ?? unread?.range.count ?? 0)
        if serving.isRevalidating, !flights.isLed(flightKey(state.query)) {
            exchange.owner.validateBesides(exchange)
        }
        guard let unread else { return .end(response) }
        read(unread, exchange, response) { [unowned self] in
            decide(exchange, state, Cache.Loaded(wasDamaged: true, mark: cache.mark))
        }
        return .hold
    }

    private func fetch(
        _ exchange: Exchange, _ state: HopCaching, _ fetch: CacheFetch, _ now: Timestamp
    ) -> Descent {
        let query = state.query
        if let provisional = fetch.provisional, !exchange.hasShownProvisional,
            !isFollowed(provisional.answer, exchange)
        {
            exchange.hasShownProvisional = true
            let response = Response(provisional, query, now: now)
            exchange.deliverEarly(response, .provisional)
        }
        if isShareable(state), !flights.board(exchange, flightKey(query)) {
            exchange.report(.joined)
            wait(exchange, state)
            return .hold
        }
        if let validation = fetch.validation, !validation.isEmpty {
            exchange.hop.send(validation.applied(to: query.request.fields))
        }
        // What filters would have to see whole is asked for whole.
        if !exchange.request.options.filtersNetwork, let stored = fetch.completed,
            let range = stored.parts?.rangeForRest,
            let tag = stored.variant.validators.strongTag
        {
            exchange.hop.send(PartialRule.request(query.request.fields, range: range, ifRange: tag))
        }
        state.fetch = fetch
        exchange.report(.cache, value: Int(fetch.reason.rawValue))
        return .next
    }

    /// Whether an answer is a hop on the way, not what the caller asked for.
    private func isFollowed(_ answer: CachedAnswer, _ exchange: Exchange) -> Bool {
        answer.isRedirect && exchange.request.options.redirectPolicy.isFollowing
    }

    /// Whether others may wait for this one's answer. One that waited before, and could not use what came, goes by itself.
    private func isShareable(_ state: HopCaching) -> Bool {
        let query = state.query
        guard query.options.mode == .standard || query.options.mode == .cacheElseNetwork else { return false }
        return (query.request.isGet || query.timeToLive != nil) && !query.isForKept && query.request.range == nil
            && !query.request.isConditional && !query.request.directives.isNoStore && !state.isAlone
    }

    private func flightKey(_ query: CacheQuery) -> StoreKey {
        query.scope.isEmpty ? query.key : StoreKey("\(query.key.text)\nscope \(query.scope)")
    }

    // MARK: Up

    /// What is stored may take the place of an error, and a part may complete what is stored.
    override func foresee(_ exchange: Exchange, _ status: Int, _ fields: FieldBlock?) -> Foresight {
        guard let fetch = exchange.hop.caching?.fetch else { return .passes }
        let isFallback = fetch.selected != nil && ErrorFallback.isError(status)
        let isPart = fetch.completed != nil && (status == 206 || status == 416)
        return isFallback || isPart ? .mayReplace : .passes
    }

    /// A streamed answer that may be stored is copied as it comes.
    override func sink(for exchange: Exchange, _ head: Response, _ consumer: any BodySink) -> any BodySink {
        guard let state = exchange.hop.caching, let fetch = state.fetch, let fields = head.fieldBlock,
            !exchange.request.options.filtersNetwork
        else {
            return consumer
        }
        let limit = cache.options.streamedBytes
        if let length = fields.contentLength, length > limit { return consumer }
        let answer = OriginAnswer(
            cache: cache, query: state.query, fetch: fetch,
            headLimit: context.limits(for: exchange.request).headerBytes, now: cache.now)
        guard answer.mayStore(head, fields) else { return consumer }
        let copy = copy(exchange, state, head, to: consumer, limit: limit)
        state.copy = copy
        return copy
    }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        guard let state = exchange.hop.caching, let fetch = state.fetch else { return .next }
        guard exchange.move == nil, !exchange.isAnsweredElsewhere else {
            // The next attempt asks for another URL, or a hedge did: one of those that wait leads.
            exchange.isAnsweredElsewhere = false
            state.fetch = nil
            land(exchange, state, result, isHandedOver: true)
            return .next
        }
        if awaitFile(exchange, state, result) { return .hold }
        let now = cache.now
        let isCut = exchange.hasShownHead && result.error != nil
        if !result.lacksBody, !isCut, conclude(exchange, state, fetch, result, now) { return .again }
        state.fetch = nil
        let unread = result.unreadBody
        cache.counters.count(result.cacheResult, bytes: result.bodyBuffer?.count ?? unread?.range.count ?? 0)
        let isHandedOver = result.error.map { $0.code == .canceled || $0.code.isTimeout } ?? false
        land(exchange, state, result, isHandedOver: isHandedOver)
        result.unreadBody = nil
        state.copy = nil
        guard let unread, !exchange.isValidation else { return .next }
        read(unread, exchange, result) {
            exchange.tryAgain(exchange.hop.withOwnFields)
            state.fetch = fetch.withoutConditions
            return .next
        }
        return .hold
    }

    /// Returns whether the hop goes out once more.
    private func conclude(
        _ exchange: Exchange, _ state: HopCaching, _ fetch: CacheFetch, _ result: Response, _ now: Timestamp
    ) -> Bool {
        let limits = context.limits(for: exchange.request)
        var answer = OriginAnswer(
            cache: cache, query: state.query, fetch: fetch, headLimit: limits.headerBytes, now: now,
            copy: state.copy?.body)
        switch answer.settle(result) {
        case .done: return false
        case .repeatWithoutConditions:
            exchange.tryAgain(exchange.hop.withOwnFields)
            state.fetch = fetch.withoutConditions
            return true
        }
    }

    // MARK: Those that wait for an answer

    /// The leader has ended: its followers are served by what it stored, share its error, or go on their own; after a
    /// cancel or a timeout of the leader, the next one leads.
    private func land(_ exchange: Exchange, _ state: HopCaching, _ result: Response, isHandedOver: Bool) {
        let key = flightKey(state.query)
        let followers = flights.land(exchange, key)
        if result.error == nil, !isHandedOver, isShareable(state) { flights.note(key, isShared: result.cached != nil) }
        for follower in followers {
            guard !follower.isEnded, let own = follower.hop.caching else { continue }
            own.isWaitingForLeader = false
            if let error = result.error, !isHandedOver {
                context.end(follower, Response(error: error))
            } else {
                own.isCollapsed = !isHandedOver
                own.isAlone = !isHandedOver
                // What the leader brought may be too large for memory.
                let loaded = Cache.Loaded(answer: result.cached, mark: cache.mark)
                context.goOn(follower) { decide(follower, own, loaded) }
            }
        }
    }

    override func abandon(_ exchange: Exchange) -> Response? {
        if let feed = exchange.hop.transfer {
            exchange.hop.transfer = nil
            return feed.cancel()
        }
        if let state = exchange.hop.caching, state.isWaitingForLeader {
            state.isWaitingForLeader = false
            flights.leave(exchange, flightKey(state.query))
        }
        return nil
    }

    private static var tooLate: NetcoreError {
        NetcoreError(.timeoutTotal, "the answer of another request to this URL did not come in time", phase: .wait)
    }

    /// A follower is under way: its total timeout runs.
    private func wait(_ exchange: Exchange, _ state: HopCaching) {
        if exchange.times.started == nil { exchange.begin(context.now) }
        state.isWaitingForLeader = true
        let end = exchange.times.end(exchange.request.options.timeouts.total, now: context.now)
        _ = context.hold(exchange, until: end, else: Self.tooLate)
    }
}

/// What the cache knows of a hop. Confined to the client's loop.
final class HopCaching {
    let query: CacheQuery
    /// The hop is on its way to the origin.
    var fetch: CacheFetch?
    /// Waits for the answer of another exchange.
    var isWaitingForLeader = false
    /// Waited for one.
    var isCollapsed = false
    /// Waits for none any more.
    var isAlone = false
    /// Of an answer that is streamed.
    var copy: BodyCopy?

    init(_ query: CacheQuery) { self.query = query }

    /// For a hedge: what it brings takes the place of what this hop would.
    var beside: HopCaching {
        let result = HopCaching(query)
        result.fetch = fetch
        result.isCollapsed = isCollapsed
        result.isAlone = isAlone
        return result
    }
}

extension NetcoreError.Code {
    var isTimeout: Bool { rawValue / 100 == 4 }
}
