internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// The form of a request that goes on the wire, kept for its next dispatch by the same client.
package final class PreparedCache: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    /// The number of the client's engine; not its address, which may be another's later.
    private var owner: UInt64 = 0
    private var wire: WireRequest?
    private var query: CacheQuery?
    /// With the client's settings as of a number of changes.
    private var built: (request: Request, generation: UInt64)?
    /// By https.
    private var upgraded: Request?

    func clear() {
        lock.withLock {
            wire = nil
            built = nil
            query = nil
            upgraded = nil
            owner = 0
        }
    }

    func wire(for engine: Engine, make: () -> WireRequest) -> WireRequest {
        lock.lock()
        defer { lock.unlock() }
        if owner == engine.number, let wire { return wire }
        let made = make()
        own(engine)
        wire = made
        return made
    }

    func built(
        for engine: Engine, _ generation: UInt64, make: () throws(NetcoreError) -> Request
    ) throws(NetcoreError) -> Request {
        lock.lock()
        defer { lock.unlock() }
        if owner == engine.number, let built, built.generation == generation { return built.request }
        let made = try make()
        own(engine)
        built = (made, generation)
        return made
    }

    func upgraded(make: () throws(NetcoreError) -> Request) throws(NetcoreError) -> Request {
        lock.lock()
        defer { lock.unlock() }
        if let upgraded { return upgraded }
        let made = try make()
        upgraded = made
        return made
    }

    func query(for engine: Engine, make: () -> CacheQuery) -> CacheQuery {
        if let query = lock.withLock({ owner == engine.number ? query : nil }) { return query }
        // Outside the lock: it may call functions of the host's, which wait for locks of the host's.
        let made = make()
        return lock.withLock {
            own(engine)
            let first = query ?? made
            query = first
            return first
        }
    }

    private func own(_ engine: Engine) {
        guard owner != engine.number else { return }
        wire = nil
        query = nil
        built = nil
        owner = engine.number
    }
}

extension Request {
    /// The first hop of a request that was built, with what the client adds.
    func wire(for engine: Engine) throws(NetcoreError) -> WireRequest {
        guard let url else { throw NetcoreError(.internal, "a request without a URL") }
        guard method != "HEAD" || content == nil || body?.count == 0 else {
            throw NetcoreError(.invalidArgument, "body: a HEAD request has none")
        }
        return prepared.wire(for: engine) { wire(for: engine, method: method, url: url, Trimming()) }
    }

    /// What a redirect takes away.
    struct Trimming {
        var dropsBody = false
        var dropsCredentials = false
    }

    /// A hop, the first one or that of a redirect.
    func wire(
        for engine: Engine, method: String, url: HTTPURL, _ trimming: Trimming, _ identity: HopIdentity = HopIdentity()
    ) -> WireRequest {
        let own = hopFields(trimming, identity)
        let added = engine.defaultFields.choice(besides: own, decodesContent: decodesContent)
        return makeWire(
            method: method, url: url, own, credentials(for: engine, own, trimming, identity), trimming,
            engine.defaultFields,
            added)
    }

    /// The fields of a hop that are not the same for all requests.
    private func hopFields(_ trimming: Trimming, _ identity: HopIdentity) -> [Field] {
        var result = ownFields(trimming)
        if let token = (identity.authentication ?? (trimming.dropsCredentials ? nil : authentication))?.field,
            !result.contains(where: { Syntax.equalsIgnoringCase($0.name, token.name) })
        {
            result.append(token)
        }
        if !identity.fields.isEmpty { result += identity.fields }
        return trimming.dropsCredentials ? result : addingCookies(result)
    }

    /// User name and password of a hop.
    private func credentials(
        for engine: Engine, _ fields: [Field], _ trimming: Trimming, _ identity: HopIdentity
    ) -> WireCredentials? {
        if let authentication = identity.authentication { return authentication.wireCredentials }
        if !trimming.dropsCredentials {
            if let authentication { return authentication.wireCredentials }
            if let given = url?.credentials { return WireCredentials(.basic, given.user, given.password) }
        }
        guard let file = engine.options.netrcFile, !isCustom,
            !fields.contains(where: { Syntax.equalsIgnoringCase($0.name, "Authorization") })
        else { return nil }
        return WireCredentials(.netrc, file, "")
    }

    private func ownFields(_ trimming: Trimming) -> [Field] {
        guard trimming.dropsBody || trimming.dropsCredentials else { return fields }
        return fields.filter { field in
            !(trimming.dropsBody && Self.contains(RedirectPolicy.bodyFields, field.name))
                && !(trimming.dropsCredentials && Self.contains(RedirectPolicy.credentialFields, field.name))
        }
    }

    private func makeWire(
        method: String, url: HTTPURL, _ fields: [Field], _ credentials: WireCredentials?, _ trimming: Trimming,
        _ defaults: DefaultFields? = nil,
        _ added: DefaultFields.Choice = .none
    ) -> WireRequest {
        let body = wireBody(method: method, drops: trimming.dropsBody)
        return WireRequest(
            method: method, url: url, credentials: credentials, body: body, timeouts: timeoutSet,
            decodesContent: decodesContent, manner: manner,
            needsOwnConnection: credentials?.scheme == .negotiate || fields.contains(where: Self.bindsToConnection)
        ) { add in
            for field in fields { Self.withLine(field, add) }
            defaults?.withLines(added, add)
            // libcurl would wait a second for a "100 Continue" that many servers never send.
            if let body, body.length != 0, !fields.contains(where: { Syntax.equalsIgnoringCase($0.name, "Expect") }) {
                add("Expect:")
            }
        }
    }

    private var manner: TransferManner {
        var result = TransferManner()
        result.rates = rates
        result.interface = allowedInterface
        result.isSentOnce = options.isSentOnce
        switch priority {
        case .low: result.streamWeight = 4
        case .default: break
        case .high: result.streamWeight = 64
        }
        return result
    }

    // MARK: For the cache

    /// What the first hop asks of the client's cache.
    func query(for engine: Engine, _ cache: Cache, url: HTTPURL) -> CacheQuery {
        if engine.hasIdentities {
            let identity = engine.identity(for: self, url, Trimming()).hop
            if !identity.isEmpty {
                return makeQuery(for: engine, cache, method: method, url: url, Trimming(), identity)
            }
        }
        return prepared.query(for: engine) { makeQuery(for: engine, cache, method: method, url: url, Trimming()) }
    }

    func makeQuery(
        for engine: Engine, _ cache: Cache, method: String, url: HTTPURL, _ trimming: Trimming,
        _ identity: HopIdentity = HopIdentity()
    ) -> CacheQuery {
        let own = hopFields(trimming, identity)
        let added = engine.defaultFields.choice(besides: own, decodesContent: decodesContent)
        let block = FieldBlock()
        for field in own + engine.defaultFields.fields(added) { field.append(to: block) }
        let credentials = credentials(for: engine, own, trimming, identity)
        let cacheable = CacheableRequest(
            method: method, url: url, fields: block, hasCredentials: credentials != nil, now: cache.now)
        return CacheQuery(
            cacheable, cacheOptions, cache.options, body: trimming.dropsBody ? nil : body,
            isBodyStreamed: hasStreamedBody && !trimming.dropsBody, credentials: credentials,
            decodesContent: decodesContent, tag: tag,
            hasIdentity: !identity.isEmpty)
    }

    /// A hop with other fields than its own: all that are to be sent.
    func wire(_ hop: WireRequest, fields: FieldBlock, _ trimming: Trimming) -> WireRequest {
        let all = (0..<fields.count).map { index in
            Field(name: String(decoding: fields.name(at: index), as: UTF8.self), value: Array(fields.value(at: index)))
        }
        return makeWire(method: hop.method, url: hop.url, all, hop.credentials, trimming)
    }

    /// Methods whose lack of a body is said, as Content-Length: 0 (RFC 9110 section 8.6).
    private static let methodsWithBody = ["POST", "PUT", "PATCH"]

    private func wireBody(method: String, drops: Bool) -> WireBody? {
        if !drops {
            switch content {
            case .bytes(let bytes) where bytes.count > 0: return .bytes(bytes)
            case .streamed(let body): return .streamed(body)
            default: break
            }
        }
        return Self.methodsWithBody.contains(method) ? .bytes(ByteBuffer()) : nil
    }

    private static func contains(_ names: [String], _ name: String) -> Bool {
        names.contains { Syntax.equalsIgnoringCase($0, name) }
    }

    /// Negotiate and NTLM authenticate a connection, not a request (RFC 4559 section 6).
    private static func bindsToConnection(_ field: Field) -> Bool {
        guard Syntax.equalsIgnoringCase(field.name, "authorization") else { return false }
        let scheme = String(decoding: field.value.prefix { $0 != 0x20 }, as: UTF8.self)
        return Syntax.equalsIgnoringCase(scheme, "negotiate") || Syntax.equalsIgnoringCase(scheme, "ntlm")
    }

    /// A header line as libcurl takes it: a semicolon in place of the colon where the value is empty.
    private static func withLine(_ field: Field, _ add: (UnsafePointer<CChar>) -> Void) {
        var line: [UInt8] = []
        line.reserveCapacity(field.name.utf8.count + field.value.count + 3)
        line += field.name.utf8
        if field.value.isEmpty {
            line.append(UInt8(ascii: ";"))
        } else {
            line.append(UInt8(ascii: ":"))
            line.append(0x20)
            line += field.value
        }
        line.append(0)
        line.withUnsafeBytes { bytes in
            if let start = bytes.bindMemory(to: CChar.self).baseAddress { add(start) }
        }
    }
}
