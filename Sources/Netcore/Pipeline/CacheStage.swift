internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// Answers requests from the cache, and stores what comes back (RFC 9111). What is decided is in `Caching`; this acts.
final class CacheStage: Stage {
    private unowned(unsafe) let engine: Engine
    private let cache: Cache
    private let reads: DiskReads
    private var flights = Flights()
    /// The total timeouts of those that wait for another's answer.
    private var timers = Timers()

    init(engine: Engine, cache: Cache, reads: DiskReads) {
        self.engine = engine
        self.cache = cache
        self.reads = reads
    }

    // MARK: Down

    func down(_ task: RequestTask) -> Descent {
        guard let state = task.call.cache else { return .next }
        let query = state.query
        if query.options.mode == .never { cache.remove(query) }
        guard !query.options.mode.storesNothing else { return pass(state, .requested, .bypass) }
        guard query.isServable else {
            return pass(state, .passed, query.request.hasOriginCondition ? .request : .method)
        }
        if let fetch = state.fetch, fetch.isRepeated { return .next }
        state.fetch = nil
        guard let disk = cache.disk, !state.hasLookedAtDisk else { return decide(task, state) }
        // What is not read from disk will be written there: its folder is opened on another thread too.
        if query.options.mode == .reload, disk.isOpen(query.folder) != nil { return decide(task, state) }
        return lookAtMemoryFirst(task, state, disk)
    }

    private func pass(_ state: CacheState, _ reason: CacheResult, _ forward: CacheStatus.Forward) -> Descent {
        state.fetch = CacheFetch(reason, forward)
        state.fetch?.mark = cache.mark
        return .next
    }

    private func lookAtMemoryFirst(_ task: RequestTask, _ state: CacheState, _ disk: DiskLevel) -> Descent {
        let now = cache.now
        let decision = cache.lookup(now).decide(
            state.query, cache.inMemory(state.query), isRevalidation: state.isRevalidation)
        if case .serve(let serving) = decision { return serve(task, state, serving, now) }
        state.hasLookedAtDisk = true
        let read = DiskRead(engine, cache, task, state.query)
        let isAdded = disk.reader.map { reads.start(read, on: $0) }
        return isAdded ?? false ? .hold : decide(task, state)
    }

    /// The disk was looked at.
    func resume(_ task: RequestTask, _ query: CacheQuery, _ loaded: Cache.Loaded) {
        guard !task.call.isEnded, let state = task.call.cache, state.query === query else { return }
        engine.pipeline.resume(task, with: decide(task, state, loaded))
    }

    private func decide(_ task: RequestTask, _ state: CacheState, _ loaded: Cache.Loaded? = nil) -> Descent {
        let now = cache.now
        let query = state.query
        let mark = cache.mark
        let decision = cache.lookup(now).decide(
            query, cache.stored(query, loaded), wasDamaged: loaded?.wasDamaged ?? false,
            isRevalidation: state.isRevalidation)
        switch decision {
        case .serve(let serving): return serve(task, state, serving, now)
        case .unsatisfiable(let result):
            let response = Response()
            response.fillGatewayTimeout(query, result, now: now)
            return .end(response)
        case .fetch(var fetch):
            fetch.mark = mark
            return self.fetch(task, state, fetch, now)
        }
    }

    private func serve(_ task: RequestTask, _ state: CacheState, _ serving: Serving, _ now: Timestamp) -> Descent {
        let response = Response()
        var status: CacheStatus?
        if state.isCollapsed {
            status = .forwarded(.uriMiss)
            status?.isCollapsed = true
        }
        response.fill(serving, state.query, now: now, status: status)
        cache.counters.count(serving.result, bytes: response.bodyBuffer?.count ?? 0)
        if serving.isRevalidating, !flights.isLed(flightKey(state.query)) { engine.revalidate(task) }
        return .end(response)
    }

    private func fetch(_ task: RequestTask, _ state: CacheState, _ fetch: CacheFetch, _ now: Timestamp) -> Descent {
        let query = state.query
        if let provisional = fetch.provisional, !state.hasShownProvisional, !isFollowed(provisional.answer, task) {
            state.hasShownProvisional = true
            let response = Response(provisional, query, now: now)
            response.isProvisional = true
            engine.deliverEarly(task, response)
        }
        if isShareable(state), !flights.board(task, flightKey(query)) {
            wait(task, state)
            return .hold
        }
        if let validation = fetch.validation, !validation.isEmpty {
            task.call.wire = engine.wire(for: task, fields: validation.applied(to: query.request.fields))
        }
        if let stored = fetch.completed, let range = stored.parts?.rangeForRest,
            let tag = stored.variant.validators.strongTag
        {
            task.call.wire = engine.wire(
                for: task, fields: PartialRule.request(query.request.fields, range: range, ifRange: tag))
        }
        state.fetch = fetch
        return .next
    }

    /// Whether an answer is a hop on the way, not what the caller asked for.
    private func isFollowed(_ answer: CachedAnswer, _ task: RequestTask) -> Bool {
        answer.isRedirect && task.call.request?.followsRedirects ?? true
    }

    /// Whether others may wait for this one's answer. One that waited before, and could not use what came, goes alone.
    private func isShareable(_ state: CacheState) -> Bool {
        let query = state.query
        guard query.options.mode == .standard || query.options.mode == .cacheElseNetwork else { return false }
        return (query.request.isGet || query.timeToLive != nil) && query.request.range == nil
            && !query.request.isConditional && !query.request.directives.isNoStore && !state.isAlone
    }

    private func flightKey(_ query: CacheQuery) -> StoreKey {
        query.scope.isEmpty ? query.key : StoreKey("\(query.key.text)\nscope \(query.scope)")
    }

    // MARK: Up

    func up(_ task: RequestTask, _ result: Response) -> Ascent {
        guard let state = task.call.cache, let fetch = state.fetch else { return .next }
        let now = cache.now
        if !result.lacksBody, case .again = conclude(task, state, fetch, result, now) { return .again }
        state.fetch = nil
        cache.counters.count(result.cacheResult, bytes: result.bodyBuffer?.count ?? 0)
        land(task, state, result)
        return .next
    }

    private func conclude(
        _ task: RequestTask, _ state: CacheState, _ fetch: CacheFetch, _ result: Response, _ now: Timestamp
    ) -> Ascent {
        let limits = task.call.request.map(engine.limits) ?? Limits()
        var answer = OriginAnswer(
            cache: cache, query: state.query, fetch: fetch, headLimit: limits.headerBytes, now: now)
        switch answer.settle(result) {
        case .done: return .next
        case .repeatWithoutConditions:
            task.call.wire = engine.wire(for: task, fields: state.query.request.fields)
            state.fetch = fetch.withoutConditions
            return .again
        }
    }

    // MARK: Those that wait for an answer

    /// The leader has ended: its followers are served by what it stored, share its error, or go on their own; after a
    /// cancel or a timeout of the leader, the next one leads.
    private func land(_ task: RequestTask, _ state: CacheState, _ result: Response) {
        let key = flightKey(state.query)
        let followers = flights.land(task, key)
        let isHandedOver = result.error.map { $0.code == .canceled || $0.code.isTimeout } ?? false
        if result.error == nil, isShareable(state) { flights.note(key, isShared: result.cached != nil) }
        for follower in followers {
            guard !follower.call.isEnded, let own = follower.call.cache else { continue }
            stopWaiting(own)
            if let error = result.error, !isHandedOver {
                engine.pipeline.end(follower, Response(error: error))
            } else {
                own.isCollapsed = !isHandedOver
                own.isAlone = !isHandedOver
                // What the leader brought may be too large for memory.
                let loaded = Cache.Loaded(answer: result.cached, mark: cache.mark)
                engine.pipeline.resume(follower, with: decide(follower, own, loaded))
            }
        }
    }

    func abandon(_ task: RequestTask) -> Response {
        if let state = task.call.cache, state.isWaitingForLeader {
            stopWaiting(state)
            flights.leave(task, flightKey(state.query))
        }
        return Response()
    }

    /// A follower is under way: its total timeout runs.
    private func wait(_ task: RequestTask, _ state: CacheState) {
        if task.call.started == nil { engine.begin(task) }
        state.isWaitingForLeader = true
        guard let started = task.call.started, let total = task.call.request?.timeoutSet.total, total > 0 else {
            return
        }
        state.timer = timers.add(task, at: started.adding(milliseconds: total))
    }

    private func stopWaiting(_ state: CacheState) {
        state.isWaitingForLeader = false
        if let timer = state.timer { timers.remove(timer) }
        state.timer = nil
    }

    var nextDeadline: MonotonicTime { timers.next }

    /// Ends those that waited too long.
    func expire(_ now: MonotonicTime) {
        while let object = timers.popDue(now) {
            guard let task = object as? RequestTask, !task.call.isEnded else { continue }
            _ = abandon(task)
            let error = NetcoreError(
                .timeoutTotal, "the answer of another request to this URL did not come in time", phase: .wait)
            engine.pipeline.end(task, Response(error: error))
        }
    }
}

/// What the cache knows of a task on its way. Confined to the I/O thread, once the task is submitted.
final class CacheState {
    var query: CacheQuery
    /// The hop is on its way to the origin.
    var fetch: CacheFetch?
    var hasLookedAtDisk = false
    var hasShownProvisional = false
    /// Sent by the cache itself, to validate what it served stale.
    var isRevalidation = false
    /// Waits for the answer of another task.
    var isWaitingForLeader = false
    var timer: Int?
    /// Waited for one.
    var isCollapsed = false
    /// Waits for none any more.
    var isAlone = false

    init(_ query: CacheQuery) { self.query = query }

    /// The next hop of a redirect.
    func begin(_ query: CacheQuery) {
        self.query = query
        fetch = nil
        hasLookedAtDisk = false
        isCollapsed = false
        isAlone = false
    }
}

extension NetcoreError.Code {
    var isTimeout: Bool { rawValue / 100 == 4 }
}
