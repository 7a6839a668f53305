import Netcore

/// Requests at random.
extension ModelRun {
    mutating func ask() -> ModelAsk {
        var ask = ModelAsk()
        if theme == .parts, random.chance(80) { return partsAsk() }
        if theme == .slowness, random.chance(80) { return plainAsk() }
        if theme == .change, random.chance(90) { return changeAsk() }
        ask.resource = random.below(3)
        ask.fields["Accept-Language"] = random.maybe(60, ["en", "de", "EN"])
        ask.fields["X-Kind"] = random.maybe(40, ["a", "b"])
        if random.chance(10) { ask.method = random.pick(["POST", "DELETE", "HEAD", "HEAD"]) }
        if random.chance(15) { ask.authorization = random.pick(["Basic one", "Basic two"]) }
        if random.chance(25) { ask.scope = random.pick(["user 1", "user 2"]) }
        if random.chance(4) { ask.version = 1 }
        if random.chance(22) { ask.mode = random.pick(CacheMode.allCases) }
        if random.chance(6) {
            // What the caller does not count to its key does not matter to it.
            ask.timeToLive = random.pick([1, 30, 500])
            ask.fields["Accept-Language"] = nil
        }
        guard ask.method != "POST", ask.method != "DELETE" else { return ask }
        if random.chance(10) {
            let first = random.pick([0, 10, 20, 40, 500])
            ask.range = (first, first + random.pick([0, 9, 30, 1000]))
            if random.chance(30) { ask.ifRange = random.pick(knownTags) }
        } else if random.chance(6) {
            ask.ifNoneMatch = random.pick(knownTags)
        }
        if random.chance(25) { direct(&ask) }
        return ask
    }

    private mutating func partsAsk() -> ModelAsk {
        var ask = ModelAsk()
        guard random.chance(85) else { return ask }
        let first = random.pick([0, 5, 10, 15, 20, 25, 30])
        ask.range = (first, first + random.pick([0, 4, 9, 30]))
        return ask
    }

    private mutating func plainAsk() -> ModelAsk {
        var ask = ModelAsk()
        if random.chance(50) { ask.mode = .reload }
        return ask
    }

    private mutating func changeAsk() -> ModelAsk {
        var ask = ModelAsk()
        ask.fields["Accept-Language"] = random.maybe(50, ["en"])
        ask.method = random.chance(15) ? "HEAD" : "GET"
        if random.chance(40) { ask.isNoCache = true }
        if random.chance(10) { ask.mode = .cacheOnly }
        return ask
    }

    private var knownTags: [String] {
        let tags = reference.answers.values.sorted { $0.serial < $1.serial }.map(\.representation.tag)
        return tags.isEmpty ? ["\"none\""] : tags
    }

    private mutating func direct(_ ask: inout ModelAsk) {
        switch random.below(8) {
        case 0: ask.isNoStore = true
        case 1: ask.isNoCache = true
        case 2: ask.isOnlyIfCached = true
        case 3: ask.maxAge = random.pick([0, 5, 100])
        case 4: ask.minFresh = random.pick([5, 30])
        case 5: ask.maxStale = random.pick([-1, 5, 100])
        case 6: ask.staleIfError = random.pick([0, 10, 1000])
        default:
            ask.isOnlyIfCached = true
            ask.maxStale = -1
        }
    }
}
