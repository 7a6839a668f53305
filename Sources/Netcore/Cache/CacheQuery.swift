internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import NetcoreTransport

/// What a hop asks of the cache: computed once, with the request's form on the wire. Immutable.
package final class CacheQuery: Sendable {
    let key: StoreKey
    /// Without its fragment.
    let url: String
    let request: CacheableRequest
    let options: Request.CacheOptions
    /// The request's own time to live in milliseconds.
    let timeToLive: Int64?
    /// It reads what a time to live keeps, has none itself, and so stores nothing.
    let isForKept: Bool
    let decodesContent: Bool
    /// All of them, as a ``TagList``.
    let tag: String
    /// To whom the answer belongs. By default: to those who send the same credentials, in a private cache.
    let scope: String
    /// The folder of the disk level; nil for the cache's own.
    let folder: String?
    /// A GET whose stored answer can be handed out as it is: no condition, no range, no mode.
    let isPlain: Bool

    init(
        _ request: CacheableRequest, _ given: Request.CacheOptions, _ cache: Cache.Options, body: ByteBuffer?,
        isBodyStreamed: Bool, credentials: WireCredentials?, decodesContent: Bool, tag: String, isForKept: Bool = false
    ) {
        var options = given
        url = request.url.withoutFragment
        // What is read while it is sent cannot be told from another body: such an answer is for this request alone.
        options.timeToLive =
            isBodyStreamed ? nil : given.timeToLive ?? cache.rules.first { [url] in $0.matches(url) }?.timeToLive
        let readsKept = options.timeToLive == nil && !isBodyStreamed && (isForKept || !cache.followsHTTP)
        self.isForKept = readsKept && (isForKept || options.mode.usesKept)
        if options.timeToLive == nil, !self.isForKept, !cache.followsHTTP { options.mode = .ignore }
        if cache.keyForRequest != nil || cache.folderForRequest != nil {
            let description = Cache.RequestDescription(
                method: request.method, url: url, headers: Headers(request.fields), bodyBuffer: body)
            options.key = given.key ?? cache.keyForRequest?(description)
            folder = cache.folderForRequest?(description)
        } else {
            folder = nil
        }
        self.request = request
        self.options = options
        self.decodesContent = decodesContent
        self.tag = tag
        scope =
            options.scope.isEmpty && !cache.isShared
            ? CacheKey.credentials(request, credentials) : options.scope
        timeToLive = options.timeToLive.map(Self.milliseconds)
        key = CacheKey.make(
            request, url, options, isHTTP: timeToLive == nil && !self.isForKept, body: body,
            decodesContent: decodesContent, folder: folder)
        isPlain =
            options.mode == .standard && request.isServable && request.isGet && !request.isConditional
            && request.range == nil
    }

    /// That of a value of the application's, which no request asks for.
    init(value url: String, now: Timestamp) throws(NetcoreError) {
        self.url = url
        key = StoreKey(url)
        request = CacheableRequest(
            method: "GET", url: try HTTPURL("http://value.invalid/"), fields: FieldBlock(), now: now)
        options = Request.CacheOptions()
        timeToLive = nil
        isForKept = true
        decodesContent = true
        tag = ""
        scope = ""
        folder = nil
        isPlain = false
    }

    /// Whether a stored answer may serve this request: a GET or HEAD, or any method with a time to live.
    var isServable: Bool { request.isServable || isApplications && !request.hasOriginCondition }

    /// Whether answers are stored under a key of the application's, which HTTP's rules do not read.
    var isApplications: Bool { timeToLive != nil || isForKept }

    var storesNothing: Bool { options.mode.storesNothing || isForKept }

    /// How long an answer is fresh from when it came, in milliseconds, whatever its fields say; nil leaves that to them.
    func timeToLive(of answer: CachedAnswer) -> Int64? {
        guard isForKept else { return timeToLive }
        return max(answer.freshUntil.subtracting(saturating: answer.variant.policy.responseTime.wall), 0)
    }

    /// Until when an answer is fresh, in milliseconds of the wall clock.
    func freshUntil(_ policy: StoredPolicy) -> Int64 {
        timeToLive.map { policy.responseTime.wall.adding(saturating: $0) } ?? policy.freshUntil
    }

    /// Whether it is a GET of the whole, on no condition and whatever is stored.
    var isWholeWanted: Bool {
        request.isGet && request.isServable && !request.isConditional && request.range == nil
            && request.directives.isPlain && !isApplications
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds.multiplied(saturating: 1000).adding(saturating: attoseconds / 1_000_000_000_000_000)
        return min(max(milliseconds, 0), 1 << 50)
    }
}

/// What answers are stored under.
enum CacheKey {
    /// By HTTP: the URL, for GET and HEAD (RFC 9111 section 2). With a time to live: method, URL with its parameters in
    /// order of their names, chosen fields, and a digest of the body. Bodies that were decoded, and those left as they were
    /// transferred, are different things.
    static func make(
        _ request: CacheableRequest, _ url: String, _ options: Request.CacheOptions, isHTTP: Bool, body: ByteBuffer?,
        decodesContent: Bool, folder: String?
    ) -> StoreKey {
        let form = (folder.map { "in \($0) " } ?? "") + (decodesContent ? "decoded" : "coded")
        if let own = options.key { return StoreKey("\(form) own \(own)") }
        guard !isHTTP else { return StoreKey(form + " GET " + url) }
        let method = request.isHead ? "GET" : request.method
        var text = "\(form) application \(method) \(sortingQuery(url))"
        for name in options.keyFields.map({ $0.lowercased() }).sorted() {
            let values = request.fields.joined(name) ?? "-"
            text += "\n\(name): \(values)"
        }
        if let body, body.count > 0 { text += "\n\(Digest.sha256(body.bytes))" }
        return StoreKey(text)
    }

    /// A digest of the credentials that a request carries; empty for none.
    static func credentials(_ request: CacheableRequest, _ given: WireCredentials?) -> String {
        guard request.hasAuthorization else { return "" }
        let text = request.fields.joined("authorization") ?? given.map(FileAccess.identity) ?? ""
        return "credentials \(Array(text.utf8).withUnsafeBytes { Digest.sha256($0) })"
    }

    /// A URL with its parameters in the order of their names; those of one name keep theirs.
    static func sortingQuery(_ url: String) -> String {
        guard url.utf8.contains(UInt8(ascii: "&")), let mark = url.firstIndex(of: "?") else { return url }
        let parameters = url[url.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
        let sorted = parameters.enumerated().sorted { left, right in
            let names = (left.element.prefix { $0 != "=" }, right.element.prefix { $0 != "=" })
            return names.0 == names.1 ? left.offset < right.offset : names.0 < names.1
        }
        return url[...mark] + sorted.map(\.element).joined(separator: "&")
    }
}

extension FieldBlock {
    /// The values of all fields of a name, joined; nil when there is none.
    func joined(_ name: String) -> String? { Headers(self)[name] }
}
