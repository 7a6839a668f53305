internal import NetcoreHTTP
internal import NetcoreTransport

/// One request on the wire: the first of an attempt, or the next one after a redirect. What it sends and what it asks of the cache
/// is made once, when it is asked for.
struct Hop {
    /// What a redirect takes away.
    struct Trimming {
        var dropsBody = false
        var dropsCredentials = false
    }

    /// What of a request goes where.
    struct Target {
        let method: String
        let url: HTTPURL
        let trimming: Trimming

        /// The first one.
        init(_ form: RequestForm) {
            method = form.method
            url = form.url
            trimming = Trimming()
        }

        init(method: String, url: HTTPURL, trimming: Trimming) {
            self.method = method
            self.url = url
            self.trimming = trimming
        }
    }

    let request: BuiltRequest
    let target: Target
    /// It goes out again, with another token than the one that was refused.
    var hasAnotherToken = false
    /// Which of a source's tokens it carries.
    private(set) var tokenNumber: Int?
    private(set) var identity = HopIdentity()
    /// What the cache knows of it. Nil if no cache takes part, and before stage *cache*.
    var caching: HopCaching?
    /// Libcurl moving it.
    var transfer: (any TransferToken)?
    /// Where its connection goes in place of the host.
    var alternative: AlternativeService?
    private var fields: FieldBlock?
    /// What was added to these.
    private var fieldsBesides: [Request.Field] = []
    private var madeWire: WireRequest?
    /// Is sent in its place, this time.
    private var replacement: WireRequest?
    private var madeQuery: CacheQuery?

    var url: HTTPURL { target.url }

    /// The hop that a redirect leads to.
    func following(_ step: RedirectPolicy.Step) -> Hop {
        let trimming = Trimming(
            dropsBody: target.trimming.dropsBody || step.dropsBody,
            dropsCredentials: target.trimming.dropsCredentials || step.dropsCredentials)
        return Hop(request, Target(method: step.method, url: step.url, trimming: trimming))
    }

    /// The same for another URL, before anything was made of it.
    func going(to url: HTTPURL) throws(NetcoreError) -> Hop {
        var result =
            self.url === request.url
            ? Hop(try request.upgraded())
            : Hop(request, Target(method: target.method, url: url, trimming: target.trimming))
        result.hasAnotherToken = hasAnotherToken
        return result
    }

    /// The first hop of a request as functions of the application's left it.
    func sending(_ request: BuiltRequest) -> Hop {
        var result = Hop(request)
        result.hasAnotherToken = hasAnotherToken
        return result
    }

    /// The same once more. Who sends it is found out anew.
    var again: Hop { url === request.url ? Hop(request) : Hop(request, target) }

    /// The same once more, just as it is.
    var repeated: Hop {
        var result = self
        result.transfer = nil
        result.alternative = nil
        result.replacement = nil
        return result
    }

    /// The same once more, just as it is, while this one is under way.
    var beside: Hop {
        var result = repeated
        result.caching = caching?.beside
        return result
    }

    /// The same once more, with its own fields in place of those that it was sent with.
    var withOwnFields: Hop {
        var result = repeated
        result.fields = nil
        result.fieldsBesides = []
        result.madeWire = nil
        return result
    }

    /// Adds what says who sends it. Before anything else is made of it.
    mutating func identify(_ identity: HopIdentity, _ tokenNumber: Int?) {
        self.tokenNumber = tokenNumber
        guard !identity.isEmpty else { return }
        self.identity = identity
        madeWire = nil
        madeQuery = nil
    }

    /// Adds a field that the client sends besides the request's own.
    mutating func add(_ field: Request.Field) {
        identity.fields.append(field)
        if fields != nil { fieldsBesides.append(field) }
        madeWire = nil
    }

    /// Whether the client sends a field of this name besides the request's own.
    func addsField(_ name: String) -> Bool { identity.fields.contains { Syntax.equalsIgnoringCase($0.name, name) } }

    /// Sends these fields in place of its own: all that are to be sent, except what is added later.
    mutating func send(_ fields: FieldBlock) {
        self.fields = fields
        fieldsBesides = []
        madeWire = nil
    }

    /// Sends it with another value of a field, or without it, whatever it has.
    mutating func set(_ name: String, _ value: String?) { replacement = wire().setting(name, value) }

    /// As it goes on the wire, with what was set for this time.
    mutating func sentWire() -> WireRequest { replacement ?? wire() }

    /// As it goes on the wire, each time.
    mutating func wire() -> WireRequest {
        if let madeWire { return madeWire }
        let made =
            if let fields {
                request.form.wire(target, identity, fields: fields, besides: fieldsBesides)
            } else {
                request.form.wire(target, identity)
            }
        // The transport knows the host by now, if it does.
        if url === request.url { made.host = request.wire.host }
        madeWire = made
        return made
    }

    /// What it asks of a cache.
    mutating func query(_ cache: Cache) -> CacheQuery {
        if let madeQuery { return madeQuery }
        let isPlain = identity.isEmpty && url === request.url
        let made = isPlain ? request.query(for: cache) : request.form.query(target, identity, cache)
        madeQuery = made
        return made
    }
}

// In an extension, which leaves the struct its memberwise initializer: one that sets property after property copies the whole hop at
// its end.
extension Hop {
    /// The first hop of a request.
    init(_ request: BuiltRequest) {
        self.init(request: request, target: Target(request.form), madeWire: request.wire)
    }

    init(_ request: BuiltRequest, _ target: Target) { self.init(request: request, target: target) }
}
