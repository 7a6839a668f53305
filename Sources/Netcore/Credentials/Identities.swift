internal import NetcoreHTTP
internal import Synchronization

/// What a hop carries that says who sends it, besides what the request itself says.
struct HopIdentity {
    var fields: [Request.Field] = []
    /// Of a challenge's answer.
    var authentication: Authentication?

    var isEmpty: Bool { fields.isEmpty && authentication == nil }
}

/// What a client knows of its users: tokens and cookies. For any thread.
final class Identities: Sendable {
    let settings: ClientSettings
    let cookies: CookieStore?
    let cache: Cache?
    private let hasSentCookies = Atomic<Bool>(false)

    init(_ settings: ClientSettings, _ cookies: CookieStore?, _ cache: Cache?) {
        self.settings = settings
        self.cookies = cookies
        self.cache = cache
    }

    deinit {
        if hasSentCookies.load(ordering: .relaxed) { cache?.leaveCookieClient() }
    }

    /// Whether anything of the client's may say who sends a hop.
    var areAny: Bool { settings.hasIdentities || !(cookies?.isEmpty ?? true) }

    var keepsCookies: Bool { cookies != nil }

    /// Whether a request is for an origin whose token is not there yet: it is not known yet whose stored answers it may have.
    func awaitToken(_ request: BuiltRequest) -> Bool {
        guard settings.hasIdentities, !request.options.isBare, request.form.takesToken(Hop.Trimming()),
            let source = settings.snapshot.values.tokenSources[request.url.origin]
        else { return false }
        return source.current == nil
    }

    /// What the client adds to a hop that says who sends it, as of now.
    ///
    /// - Parameter answer: to a challenge; it goes in place of a token.
    func identity(
        of request: BuiltRequest, _ target: Hop.Target, _ answer: Authentication? = nil
    ) -> (hop: HopIdentity, tokenNumber: Int?) {
        var result = HopIdentity()
        result.authentication = answer
        var number: Int?
        let form = request.form
        guard !form.options.isBare else { return (result, nil) }
        if answer == nil, form.takesToken(target.trimming),
            let token = settings.snapshot.values.tokenSources[target.url.origin]?.current
        {
            result.fields.append(Request.Field(name: "Authorization", value: Array("Bearer \(token.text)".utf8)))
            number = token.number
        }
        if form.options.usesCookies, target.trimming.dropsCredentials || !form.hasHeader("Cookie"),
            let value = cookies?.header(for: target.url)
        {
            result.fields.append(Request.Field(name: "Cookie", value: value))
            noteCookiesSent()
        }
        return (result, number)
    }

    /// What the first hop of a request asks of the client's cache, as of now.
    func query(_ request: BuiltRequest, _ cache: Cache) -> CacheQuery {
        guard areAny else { return request.query(for: cache) }
        var hop = Hop(request)
        hop.identify(identity(of: request, hop.target).hop, nil)
        return hop.query(cache)
    }

    /// The same for what a time to live keeps, of a request that has none.
    func queryForKept(_ request: BuiltRequest, _ cache: Cache) -> CacheQuery {
        let target = Hop.Target(request.form)
        return request.form.query(target, identity(of: request, target).hop, cache, isForKept: true)
    }

    /// Takes the cookies of an answer from the network.
    func receiveCookies(_ fields: FieldBlock, from url: HTTPURL) { cookies?.receive(setCookie: fields, from: url) }

    private func noteCookiesSent() {
        guard cache != nil, !hasSentCookies.load(ordering: .relaxed),
            !hasSentCookies.exchange(true, ordering: .relaxed)
        else { return }
        cache?.joinCookieClient()
    }
}
