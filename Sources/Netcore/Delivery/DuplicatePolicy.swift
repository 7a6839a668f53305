internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreTransport

/// What becomes of a request while an equal one of the same client is in flight: from its dispatch to its end, with all attempts and
/// redirects. Values are those of netcore/admission.h.
///
/// Only requests with a policy other than ``allow`` are compared. Two are equal if method, URL, header fields, cookies, credentials, body,
/// and the options that change the answer are equal: redirects, decoding, limits, network, ``Request/isSentOnce``, and for a client with a
/// cache ``Request/cacheOptions`` and the tags. A request whose body is read while it is sent is equal to no other.
public enum DuplicatePolicy: Int32, Sendable, CaseIterable {
    /// Both are sent.
    case allow = 0
    /// The new one is not sent, and gets the answer or error of the one in flight. It keeps its own end, cancel and total timeout; the
    /// transfer is canceled with the last task that waits for it. Streamed responses and downloads are not joined.
    case join = 1
    /// The new one ends with ``NetcoreError/Code/duplicate``.
    case dropNew = 2
    /// The one in flight ends as canceled (``NetcoreError/CancelCause/replaced``), and so does each that joined it.
    case cancelOld = 3
}

extension Request {
    /// What becomes of the request while an equal one is in flight. As a client's default ``DuplicatePolicy/join`` holds only for safe
    /// methods (RFC 9110 section 9.2.1), so that two equal orders remain two.
    public var duplicates: DuplicatePolicy {
        get { options.duplicates }
        set { set(.duplicates) { $0.duplicates = newValue } }
    }
}

extension BuiltRequest {
    /// What happens to it while an equal one is in flight.
    var duplicates: DuplicatePolicy {
        let policy = options.duplicates
        guard policy == .join else { return policy }
        let mayJoin = options.own.contains(.duplicates) || Self.safeMethods.contains(method)
        return mayJoin && !options.isStreamed ? .join : .allow
    }

    private static let safeMethods = ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"]
}

extension Identities {
    /// What is equal for requests whose answers are, as long as the same user sends them; nil for one that is equal to no other.
    func identity(of request: BuiltRequest) -> RequestKey? {
        guard let identity = request.identity(hasCache: cache != nil) else { return nil }
        guard areAny else { return identity }
        var text = RequestKeyText()
        text.add(identity)
        if let source = settings.current.tokenSources[request.url.origin] { text.add("\(ObjectIdentifier(source))") }
        for field in self.identity(of: request, Hop.Target(request.form)).hop.fields { text.add(field) }
        return text.key
    }
}

extension RequestForm {
    /// Stands for all that changes the answer: equal for requests for which that is. Nil for a body that is read while it is sent.
    ///
    /// - Parameter hasCache: what is asked of a cache counts.
    func identity(hasCache: Bool) -> RequestKey? {
        guard !hasStreamedBody else { return nil }
        var text = RequestKeyText()
        text.addNumber(flags)
        text.add(method)
        text.add(url.withoutFragment)
        let fields = hopFields(Hop.Trimming(), HopIdentity())
        text.addNumber(fields.count)
        for field in fields { text.add(field) }
        text.add(credentials(fields, Hop.Trimming(), HopIdentity()))
        if let bodyBytes { text.add(hashing: bodyBytes.bytes) }
        text.addNumber(options.droppedHeaders.count)
        for name in options.droppedHeaders { text.add(lowercasing: name) }
        text.add(options.network.interface ?? "")
        if hasLimits, let limits = options.limits { text.add(limits) }
        for filter in options.responseFilters?.network ?? [] { text.add("\(ObjectIdentifier(filter))") }
        if hasCache { text.add(options.cache, TagList.text(options.tags)) }
        return text.key
    }

    private var hasLimits: Bool { !(options.limits?.isEmpty ?? true) }

    private var flags: Int {
        let flags = [
            bodyBytes != nil, options.isBare, options.decodesContent, options.usesCookies,
            options.redirectPolicy.isFollowing, options.redirectPolicy.allowsInsecure, options.isSentOnce,
            options.allowsUncleanEnd, options.network.allowsMetered, hasLimits,
        ]
        return flags.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
}

extension RequestKeyText {
    fileprivate mutating func add(_ field: Request.Field) {
        add(lowercasing: field.name)
        add(field.value)
    }

    fileprivate mutating func add(_ limits: LimitOverrides) {
        for limit in [
            limits.headerBytes, limits.bodyBytes, limits.decodedBytes, limits.decodeRatio, limits.redirects,
        ] {
            addNumber(limit ?? -1)
        }
    }

    fileprivate mutating func add(_ credentials: WireCredentials?) {
        let parts =
            switch credentials {
            case .none: [""]
            case .basic(let user, let password): ["basic", user, password]
            case .digest(let user, let password): ["digest", user, password]
            case .negotiate: ["negotiate"]
            case .netrc(let path): ["netrc", path]
            }
        for part in parts { add(part) }
    }

    fileprivate mutating func add(_ cache: Request.CacheOptions, _ tags: String) {
        add("\(cache.mode.rawValue) \(cache.version) \(cache.keepsErrors)")
        add(cache.timeToLive.map { "\($0.components.seconds) \($0.components.attoseconds)" } ?? "")
        add(cache.scope)
        add(cache.key.map { "key \($0)" } ?? "")
        addNumber(cache.keyFields.count)
        for name in cache.keyFields { add(lowercasing: name) }
        add(tags)
    }
}
