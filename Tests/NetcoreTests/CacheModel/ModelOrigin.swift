import NetcoreHTTP

/// An origin whose resources change at random, and which answers as RFC 9110 says.
struct ModelOrigin {
    /// What comes of a request: an answer, or none.
    enum Outcome {
        case answer(ModelAnswer)
        case failure(NetcoreError.Code)
    }

    let clock: ModelClock
    private var resources: [ModelVersion] = []
    private var lastSerial = 0

    init(clock: ModelClock, _ random: inout ModelRandom) {
        self.clock = clock
        for _ in ModelAsk.resources {
            resources.append(ModelVersion(number: 0))
            change(resources.count - 1, &random)
        }
    }

    /// A new version of a resource, a second later at least, so that its date of modification is another one.
    mutating func change(_ resource: Int, _ random: inout ModelRandom) {
        clock.advance(2000)
        let old = resources[resource]
        var new = ModelVersion(number: old.number + 1)
        if random.chance(12) { new.status = random.pick([404, 301, 410, 302]) }
        new.lifetime = random.pick([.maxAge, .maxAge, .maxAge, .maxAge, .expires, .heuristic])
        // What belongs to one user says so.
        if resource == 2 { new.lifetime = .maxAge }
        new.hasTag = random.chance(70)
        new.isTagWeak = random.chance(20)
        if random.chance(60) {
            let oldest = (old.lastModified ?? clock.rightSeconds - 100_000) + 1
            new.lastModified = max(oldest, clock.rightSeconds - Int64(random.below(5000)))
        }
        if random.chance(40) {
            new.vary = random.pick([["Accept-Language"], ["X-Kind"], ["Accept-Language", "X-Kind"]])
        }
        new.isVaryAny = random.chance(3)
        resources[resource] = new
    }

    /// Answers a request that has these conditions on the wire.
    mutating func receive(
        _ ask: ModelAsk, ifNoneMatch: String?, ifModifiedSince: String?, isShared: Bool, _ random: inout ModelRandom
    ) -> Outcome {
        if random.chance(7) {
            return .failure(random.pick([.connect, .timeoutTotal, .truncated, .canceled, .resolve]))
        }
        lastSerial += 1
        if ask.method == "POST" || ask.method == "DELETE" { return .answer(change(by: ask, &random)) }
        var answer = answer(to: ask, &random)
        answer.clearsSite = random.chance(1)
        if random.chance(6) { return .answer(failed(answer, &random)) }
        guard answer.version.status == 200 else { return .answer(answer) }
        if isConfirmed(answer, ifNoneMatch, ifModifiedSince) {
            answer.status = 304
        } else if let range = ask.range, ask.method == "GET", isSame(ask.ifRange, answer) {
            select(range, &answer)
        }
        return .answer(answer)
    }

    /// The answer that brings the current version, whole.
    private mutating func answer(to ask: ModelAsk, _ random: inout ModelRandom) -> ModelAnswer {
        let version = resources[ask.resource]
        var answer = ModelAnswer(
            ask: ask, version: version,
            representation: ModelRepresentation(
                resource: ask.resource, version: version.number, variant: version.variant(ask.fields),
                owner: ask.resource == 2 ? ask.owner : "",
                padding: version.hasTag || version.lastModified != nil ? 0 : 100 * version.number))
        answer.serial = lastSerial
        answer.status = version.status
        let right = clock.rightSeconds
        if random.chance(15) { answer.age = Int64(1 + random.below(60)) }
        if random.chance(80) { answer.date = right - answer.age }
        if version.lifetime == .maxAge { decorate(&answer, &random) }
        answer.expires = (answer.date ?? right) + random.pick([-10, 0, 5, 60, 1000])
        return answer
    }

    private func decorate(_ answer: inout ModelAnswer, _ random: inout ModelRandom) {
        answer.maxAge = random.pick([0, 1, 5, 60, 60, 1000])
        answer.isNoStore = random.chance(answer.ask.method == "HEAD" ? 25 : 6)
        answer.isNoCache = random.chance(6)
        answer.mustRevalidate = random.chance(15)
        answer.isPrivate = answer.ask.resource == 2 || random.chance(8)
        answer.isPublic = random.chance(10)
        if random.chance(15) { answer.staleWhileRevalidate = random.pick([5, 60]) }
        if random.chance(20) { answer.staleIfError = random.pick([5, 60, 1000]) }
    }

    /// An error instead, which may say that it can be stored.
    private func failed(_ answer: ModelAnswer, _ random: inout ModelRandom) -> ModelAnswer {
        var answer = answer
        answer.status = random.pick([500, 502, 503, 504, 404])
        answer.representation.occasion = answer.serial
        return answer
    }

    private func isConfirmed(_ answer: ModelAnswer, _ ifNoneMatch: String?, _ ifModifiedSince: String?) -> Bool {
        if let ifNoneMatch {
            guard answer.version.hasTag else { return false }
            return ifNoneMatch.split(separator: ", ").contains { $0.trimmingPrefix("W/") == answer.representation.tag }
        }
        guard let ifModifiedSince, let modified = answer.version.lastModified else { return false }
        return HTTPDate.format(modified) == ifModifiedSince
    }

    private func isSame(_ ifRange: String?, _ answer: ModelAnswer) -> Bool {
        ifRange == nil || answer.version.hasTag && !answer.version.isTagWeak && ifRange == answer.representation.tag
    }

    private func select(_ range: (first: Int, last: Int), _ answer: inout ModelAnswer) {
        let count = answer.representation.bytes.count
        guard range.first < count else {
            answer.status = 416
            answer.representation.occasion = answer.serial
            return
        }
        answer.status = 206
        answer.range = range.first..<(min(range.last, count - 1) + 1)
    }

    /// An unsafe method: mostly it changes its resource, and says where else something changed.
    private mutating func change(by ask: ModelAsk, _ random: inout ModelRandom) -> ModelAnswer {
        let fails = random.chance(20)
        if !fails { change(ask.resource, &random) }
        var answer = answer(to: ask, &random)
        if !fails, ask.method == "POST", ask.timeToLive == nil, answer.version.status == 200, random.chance(30) {
            // The answer is what a GET would bring, and says so (RFC 9110 section 9.3.3).
            answer.ownLocation = ask.url
            return answer
        }
        answer.status = fails ? random.pick([400, 404, 500, 503]) : random.pick([200, 201, 204, 303])
        answer.representation.occasion = answer.serial
        answer.version.lifetime = .maxAge
        if !fails, random.chance(30) { answer.location = random.pick(ModelAsk.resources) }
        return answer
    }
}
