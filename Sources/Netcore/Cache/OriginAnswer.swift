internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport

/// What an origin's answer does to the cache, and to the response that the caller gets.
struct OriginAnswer {
    enum Outcome {
        case done
        /// A 304 that nothing stored can answer, or bytes that complete nothing stored; the caller asked for neither.
        case repeatWithoutConditions
    }

    let cache: Cache
    let query: CacheQuery
    private(set) var fetch: CacheFetch
    let now: Timestamp
    /// The bytes that the header section of an answer may have, and what is stored of several.
    let headLimit: Int
    /// The body of an answer that was streamed; nil if it was not copied.
    private let copy: StoredBody?

    init(
        cache: Cache, query: CacheQuery, fetch: CacheFetch, headLimit: Int, now: Timestamp, copy: StoredBody? = nil
    ) {
        self.headLimit = headLimit
        self.copy = copy
        self.cache = cache
        self.query = query
        self.fetch = fetch
        self.now = now
    }

    func conclude(_ result: Response, _ fields: FieldBlock) -> Outcome {
        guard !query.storesNothing else {
            tell(result, fields)
            return .done
        }
        if result.status == 304, let validation = fetch.validation, !validation.isEmpty {
            return conclude304(result, fields, validation)
        }
        if query.request.isHead {
            updateByHead(result.status, fields)
            tell(result, fields)
            return .done
        }
        if let stored = fetch.completed, result.status == 206 || result.status == 416 {
            return complete(stored, result, fields) ? .done : .repeatWithoutConditions
        }
        store(result, fields)
        return .done
    }

    // MARK: Invalidation (RFC 9111 section 4.4)

    mutating func invalidate(_ status: Int, _ fields: FieldBlock) {
        let request = query.request
        for url in InvalidationRule.targets(request.method, request.url, status: status, fields: fields) {
            if query.timeToLive != nil, url.withoutFragment == request.url.withoutFragment { continue }
            fetch.mark.own.append(cache.forget(.url(url.withoutFragment)).change)
        }
        if InvalidationRule.clearsOrigin(request.url, fields: fields) {
            fetch.mark.own.append(cache.forget(.prefix(request.url.rootPrefix)).change)
        }
    }

    // MARK: Validation (RFC 9111 section 4.3)

    private func conclude304(_ result: Response, _ fields: FieldBlock, _ validation: ValidationFields) -> Outcome {
        let variants = fetch.answers.map(\.variant)
        let selection = FresheningRule.select(fields, variants, matching: fetch.matching, sent: validation, now: now)
        let mayUpdate = StoreRule.allowsUpdate(
            by: query.request, ResponseDirectives(fields), settings: cache.settings)
        var served: CachedAnswer
        var isStored = false
        switch selection {
        case .none:
            guard query.request.isConditional, !validation.areOwn else { return .repeatWithoutConditions }
            tell(result, fields)
            return .done
        case .serve(let index): served = fetch.answers[index]
        case .update(let indices):
            guard let first = indices.first else { return .repeatWithoutConditions }
            served = updated(fetch.answers[first], fields)
            for index in indices {
                let old = fetch.answers[index]
                let new = index == first ? served : updated(old, fields)
                guard mayUpdate, fits(new) else {
                    cache.remove(old, query)
                    continue
                }
                if cache.update(old, new, query, since: fetch.mark) { isStored = true }
            }
            if isStored { supersede(served, besides: indices) }
        case .adopt(let index):
            served = updated(fetch.answers[index], fields, keepsIdentity: false)
            if mayUpdate, fits(served) { isStored = cache.store(served, query, since: fetch.mark) }
            if isStored { supersede(served) }
        }
        var status = CacheStatus.forwarded(fetch.forward)
        status.forwardStatus = 304
        status.isStored = isStored
        let age = served.variant.policy.age(at: now) / 1000
        result.fill(Serving(answer: served, age: age, result: .revalidated), query, now: now, status: status)
        return .done
    }

    private func fits(_ answer: CachedAnswer) -> Bool { StoredHeadUpdate.fits(answer.variant.head, limit: headLimit) }

    /// The stored answer with the fields of a 304, and with the value that was decoded from the body, which is the same.
    private func updated(_ old: CachedAnswer, _ fields: FieldBlock, keepsIdentity: Bool = true) -> CachedAnswer {
        let head = StoredHeadUpdate.updated(
            old.variant.head, with: fields, requestTime: fetch.requestTime, responseTime: now, settings: cache.settings)
        let variant = variant(head, isPartial: old.parts != nil)
        let answer = CachedAnswer(
            variant, body: old.body, parts: old.parts, application: old.application,
            url: old.url, tag: old.tag, key: query.key, cache: cache, order: fetch.requestTime.wall,
            freshUntil: query.freshUntil(variant.policy), identity: keepsIdentity ? old.identity : BodyIdentity.next())
        _ = answer.exchange(old.decoded)
        return answer
    }

    /// Updates what is stored for GET by an answer to HEAD (RFC 9111 section 4.3.5).
    private func updateByHead(_ status: Int, _ fields: FieldBlock) {
        let mayUpdate = StoreRule.allowsUpdate(
            by: query.request, ResponseDirectives(fields), settings: cache.settings)
        for index in fetch.matching {
            let old = fetch.answers[index]
            switch HeadRule.decide(old.variant, status: status, fields: fields, now: now) {
            case .update where !mayUpdate: cache.remove(old, query)
            case .update:
                let new = updated(old, fields)
                if fits(new) { cache.update(old, new, query, since: fetch.mark) } else { cache.remove(old, query) }
            case .stale: cache.remove(old, query)
            case .ignore: continue
            }
        }
    }

    // MARK: Storing (RFC 9111 section 3)

    private func store(_ result: Response, _ fields: FieldBlock) {
        // An incomplete close leaves an answer incomplete (RFC 9112 section 9.8): it is for the request that takes it.
        guard !result.endsUncleanly, !result.isStreamed || copy != nil else {
            dropOutdated(result.status)
            return tell(result, fields)
        }
        // What the request rejects does not take the place of anything.
        guard result.verdict?.error == nil, result.filterTrace?.allowsStoring ?? true else {
            return tell(result, fields)
        }
        let directives = ResponseDirectives(fields)
        if query.timeToLive != nil, result.status >= 400 { return keepError(result, fields, directives) }
        switch decision(result.status, fields, directives) {
        case .store: keep(result, fields, directives, parts: nil)
        case .storePartial(let range): keepPart(result, fields, directives, range)
        case .refuse(let refusal):
            if query.timeToLive != nil, mayBeKeptByTimeToLive(result.status, directives) {
                keep(result, fields, directives, parts: nil, isOnlyByTimeToLive: true)
            } else {
                dropOutdated(result.status)
                tell(result, fields, detail: refusal.rawValue)
            }
        }
    }

    /// Whether the head of an answer lets the whole be stored.
    func mayStore(_ head: Response, _ fields: FieldBlock) -> Bool {
        guard !query.storesNothing else { return false }
        let directives = ResponseDirectives(fields)
        if query.timeToLive != nil, mayBeKeptByTimeToLive(head.status, directives) {
            return head.status < 400 || query.options.keepsErrors
        }
        switch decision(head.status, fields, directives) {
        case .store: return variant(storedHead(head, fields, directives), isPartial: false).policy.isUseful
        case .storePartial: return true
        case .refuse: return false
        }
    }

    private func decision(
        _ status: Int, _ fields: FieldBlock, _ directives: ResponseDirectives
    ) -> StoreRule.Decision {
        StoreRule.decide(
            request: query.request, status: status, fields: fields, directives: directives, settings: cache.settings)
    }

    private func body(of result: Response) -> StoredBody? {
        result.isStreamed ? copy : result.bodyBuffer.map { .memory($0) }
    }

    /// A time to live keeps no error, whatever HTTP's rules say, unless the request asks for that: it would outlast its cause.
    private func keepError(_ result: Response, _ fields: FieldBlock, _ directives: ResponseDirectives) {
        guard query.options.keepsErrors, mayBeKeptByTimeToLive(result.status, directives) else {
            return tell(result, fields, detail: StoreRule.Refusal.status.rawValue)
        }
        keep(result, fields, directives, parts: nil, isOnlyByTimeToLive: true)
    }

    /// With a time to live of its own, any final answer is worth keeping, except a part and what answers conditions or
    /// ranges; in a shared cache not one user's own, unless the request says whose it is.
    private func mayBeKeptByTimeToLive(_ status: Int, _ directives: ResponseDirectives) -> Bool {
        guard (200...599).contains(status), ![206, 304, 412, 416].contains(status) else { return false }
        let isOneUsers = directives.isPrivate || query.request.hasAuthorization
        return !(cache.settings.isShared && query.scope.isEmpty && isOneUsers)
    }

    /// A newer answer that may not be stored takes the place of what is stored all the same (RFC 9111 section 4).
    private func dropOutdated(_ status: Int) {
        guard query.request.isGet, (200..<300).contains(status), status != 206, let old = fetch.selected else { return }
        cache.remove(old, query)
    }

    /// An answer that depends on other request fields than those stored before does not take their place; they go all the same.
    private func supersede(_ new: CachedAnswer, besides confirmed: [Int] = []) {
        cache.removeOutdone(
            by: new, query, known: fetch.matching.map { fetch.answers[$0] },
            besides: confirmed.map { fetch.answers[$0] })
    }

    private func keep(
        _ result: Response, _ fields: FieldBlock, _ directives: ResponseDirectives, parts: PartialContent?,
        isOnlyByTimeToLive: Bool = false
    ) {
        let head = storedHead(result, fields, directives)
        let variant = variant(head, isPartial: parts != nil)
        guard isOnlyByTimeToLive || variant.policy.isUseful || query.timeToLive != nil else {
            dropOutdated(result.status)
            return tell(result, fields)
        }
        let answer = CachedAnswer(
            variant, body: body(of: result) ?? .memory(ByteBuffer()), parts: parts,
            application: application(isOnlyByTimeToLive),
            url: query.url, tag: tag(of: result), key: query.key, cache: cache,
            order: fetch.requestTime.wall, freshUntil: query.freshUntil(variant.policy))
        let isStored = cache.store(answer, query, since: fetch.mark)
        if isStored {
            if answer.body.buffer != nil { result.cached = answer }
            supersede(answer)
        }
        tell(result, fields, isStored: isStored)
    }

    /// Puts a part together with those of the same representation (RFC 9111 section 3.4).
    private func keepPart(
        _ result: Response, _ fields: FieldBlock, _ directives: ResponseDirectives, _ range: ContentRange
    ) {
        let new = Validators(fields, now: now.wall / 1000)
        let other = fetch.matching.lazy.map { fetch.answers[$0] }.first {
            $0.parts != nil && PartialContent.areCombinable($0.variant.validators, new)
        }
        guard let body = body(of: result)?.buffer, Int64(body.count) == Int64(range.bytes.count), !decodes(fields)
        else {
            return tell(result, fields, detail: StoreRule.Refusal.partial.rawValue)
        }
        // A whole is worth more than a part, of the same representation and of one that no tag names.
        let hasWhole = fetch.answers.indices.contains { index in
            let answer = fetch.answers[index]
            return answer.parts == nil
                && (PartialContent.areCombinable(answer.variant.validators, new)
                    || new.strongTag == nil && fetch.matching.contains(index))
        }
        if hasWhole { return tell(result, fields) }
        guard let other, let answer = joined(other, fields, range, body) else {
            return keep(result, fields, directives, parts: PartialContent(range))
        }
        tell(result, fields, isStored: cache.store(answer, query, since: fetch.mark))
    }

    /// A stored answer with one more part; nil when the two do not fit together, or when its head would be too large.
    private func joined(
        _ other: CachedAnswer, _ fields: FieldBlock, _ range: ContentRange, _ body: ByteBuffer
    ) -> CachedAnswer? {
        guard let old = other.parts, var parts = other.parts, parts.add(range), let oldBytes = other.body.buffer,
            let joined = PartialBody.joined(old, oldBytes, range.bytes, body, into: parts)
        else { return nil }
        let head = PartialRule.combined(
            other.variant.head, with: fields, parts, requestTime: fetch.requestTime, responseTime: now,
            settings: cache.settings)
        guard StoredHeadUpdate.fits(head, limit: headLimit) else { return nil }
        let whole = parts.isComplete
        let variant = variant(head, isPartial: !whole)
        return CachedAnswer(
            variant, body: .memory(joined), parts: whole ? nil : parts, application: other.application,
            url: other.url, tag: other.tag, key: query.key, cache: cache, order: fetch.requestTime.wall,
            freshUntil: query.freshUntil(variant.policy))
    }

    /// Gives the caller the whole, of what was stored and the bytes that came. False when they are not of one
    /// representation, or when that is still not the whole.
    private func complete(_ stored: CachedAnswer, _ result: Response, _ fields: FieldBlock) -> Bool {
        guard case .storePartial(let range) = decision(result.status, fields, ResponseDirectives(fields)),
            let body = result.bodyBuffer,
            Int64(body.count) == Int64(range.bytes.count), !decodes(fields),
            PartialContent.areCombinable(stored.variant.validators, Validators(fields, now: now.wall / 1000)),
            let whole = joined(stored, fields, range, body), whole.parts == nil
        else { return false }
        var status = CacheStatus.forwarded(fetch.forward)
        status.forwardStatus = result.status
        status.isStored = cache.store(whole, query, since: fetch.mark)
        let age = whole.variant.policy.age(at: now) / 1000
        result.fill(Serving(answer: whole, age: age, result: fetch.reason), query, now: now, status: status)
        return true
    }

    private func decodes(_ fields: FieldBlock) -> Bool { query.decodesContent && fields.contains("content-encoding") }

    private func storedHead(_ result: Response, _ fields: FieldBlock, _ directives: ResponseDirectives) -> StoredHead {
        let storage = FieldStorage(fields, directives, isShared: cache.settings.isShared)
        return StoredHead(
            status: result.status, version: result.version,
            fields: storage.filtered(fields, receivedAt: now.wall / 1000), requestTime: fetch.requestTime,
            responseTime: now)
    }

    private func variant(_ head: StoredHead, isPartial: Bool) -> Variant {
        Variant(
            head, key: query.timeToLive == nil ? Vary(head.fields).key(query.request.fields) : "",
            isSecure: query.request.url.isSecure, isPartial: isPartial, ignoresVary: query.timeToLive != nil,
            settings: cache.settings)
    }

    /// The tags of the request, and those that filters added.
    private func tag(of result: Response) -> String {
        guard let tags = result.filterTrace?.tags, !tags.isEmpty else { return query.tag }
        let own = TagList.tags(query.tag)
        return TagList.text(own + tags.filter { !own.contains($0) })
    }

    private func application(_ isOnlyByTimeToLive: Bool) -> CachedAnswer.Application {
        CachedAnswer.Application(
            scope: query.scope, version: query.options.version,
            applicationVersion: cache.options.applicationVersion, isOnlyByTimeToLive: isOnlyByTimeToLive)
    }

    // MARK: What the caller gets

    private func tell(_ result: Response, _ fields: FieldBlock, isStored: Bool = false, detail: String? = nil) {
        var status = CacheStatus.forwarded(fetch.forward)
        status.isStored = isStored
        status.detail = detail
        result.fieldBlock = ServedHead.adding(status, to: fields)
        result.cacheResult = fetch.reason
    }
}

extension HTTPURL {
    /// What all URLs of its origin begin with.
    var rootPrefix: String {
        let root = try? [UInt8(ascii: "/")].withUnsafeBytes { try resolving($0) }
        return root?.withoutFragment ?? withoutFragment
    }
}
