internal import NetcoreHTTP
internal import NetcoreSupport

extension Response {
    /// The response of a stored answer to a request: whole, a range of it, or 304 to a condition of the caller's.
    convenience init(_ serving: Serving, _ query: CacheQuery, now: Timestamp) {
        self.init()
        fill(serving, query, now: now)
    }

    /// Becomes the response of a stored answer.
    func fill(_ serving: Serving, _ query: CacheQuery, now: Timestamp, status: CacheStatus? = nil) {
        let answer = serving.answer
        let policy = answer.variant.policy
        error = nil
        verdict = nil
        filterTrace = nil
        trailerBlock = nil
        cacheResult = serving.result
        version = answer.variant.head.version
        cached = answer.body.buffer == nil ? nil : answer
        let timeToLive =
            query.timeToLive(of: answer).map { ($0 - min(policy.elapsed(at: now), 1 << 50)) / 1000 }
            ?? policy.timeToLive(at: now)
        let fields =
            if let status {
                answer.served.fields(age: serving.age, status)
            } else {
                answer.served.hitFields(age: serving.age, timeToLive: timeToLive)
            }
        self.status = answer.variant.head.status
        fieldBlock = fields
        bodyBuffer = query.request.isHead ? nil : answer.body.buffer
        unreadBody = query.request.isHead ? nil : answer.unread(0..<answer.body.count, query)
        guard !query.isPlain || answer.parts != nil else { return }
        if case .notModified = PreconditionRule.evaluate(query.request, answer.variant) {
            self.status = 304
            fieldBlock = PreconditionRule.fields(of: fields)
            bodyBuffer = nil
            unreadBody = nil
        } else {
            serveRange(answer, query, fields)
        }
    }

    private func serveRange(_ answer: CachedAnswer, _ query: CacheQuery, _ fields: FieldBlock) {
        let outcome =
            if let parts = answer.parts {
                RangeRule.satisfy(query.request, answer.variant, parts: parts)
            } else {
                RangeRule.satisfy(
                    query.request, answer.variant, length: Int64(answer.body.count),
                    isBodyDecoded: answer.isBodyDecoded(for: query))
            }
        switch outcome {
        case .whole, .forward: return
        case .unsatisfiable(let length):
            status = 416
            fieldBlock = RangeRule.unsatisfiableFields(of: fields, length)
            bodyBuffer = nil
            unreadBody = nil
        case .part(let range):
            status = 206
            fieldBlock = RangeRule.fields(of: fields, range)
            bodyBuffer = answer.bytes(range.bytes)
            unreadBody = answer.unread(Int(range.bytes.lowerBound)..<Int(range.bytes.upperBound), query)
        }
    }

    /// The cache's own 504 (RFC 9111 section 5.2.1.7).
    func fillGatewayTimeout(_ query: CacheQuery, _ result: CacheResult, now: Timestamp) {
        var status = CacheStatus()
        status.detail = "\(result)"
        error = nil
        self.status = ServedHead.gatewayTimeout
        version = nil
        fieldBlock = ServedHead.gatewayTimeoutFields(status, now: now.wall / 1000)
        trailerBlock = nil
        bodyBuffer = nil
        cacheResult = .unsatisfiable
    }
}

extension CachedAnswer {
    /// Some bytes of a body in a file; nil for one in memory.
    fileprivate func unread(_ range: Range<Int>, _ query: CacheQuery) -> BodyRun? {
        guard case .file(let file) = body else { return nil }
        return BodyRun(file, range, of: self, in: query.folder)
    }

    /// A run of the whole representation's bytes, which are there.
    fileprivate func bytes(_ range: Range<Int64>) -> ByteBuffer? {
        guard let body = body.buffer else { return nil }
        if let parts { return PartialBody.bytes(range, of: parts, body) }
        return PartialBody.copy(body, range.lowerBound, range.upperBound - range.lowerBound)
    }
}

extension Response {
    /// What the cache did for it.
    public internal(set) var cacheResult: CacheResult {
        get { CacheResult(rawValue: cacheCode) ?? .none }
        set { cacheCode = newValue.rawValue }
    }

    /// Attaches to the stored answer that this response came from a value that was decoded from its body, so that the next hit need
    /// not decode it again. Memory keeps it as long as the answer; `size`, in bytes as estimated, counts against its limit.
    /// False: the response was neither stored nor served by a cache.
    @discardableResult
    public func setCachedValue(_ value: some Sendable, size: Int) -> Bool {
        attach(DecodedValue(value, cost: size))
    }

    /// Where values that are attached to the stored answer that it came from are released; nil where there is none.
    package var sideThread: SideThread? { cached?.cache?.sideThread }

    /// The value attached to the stored answer, if it is of this type.
    public func cachedValue<Value: Sendable>(_ type: Value.Type = Value.self) -> Value? {
        cached?.decoded?.object as? Value
    }

    /// Whether a value of any type is attached to the stored answer.
    package var hasCachedValue: Bool { cached?.decoded != nil }

    package func attach(_ value: DecodedValue) -> Bool {
        guard let cached, let cache = cached.cache else { return false }
        cache.attach(value, to: cached)
        return true
    }

    /// The stored answer that it came from.
    package internal(set) var cached: CachedAnswer? {
        get { cachedObject as? CachedAnswer }
        set { cachedObject = newValue }
    }
}
