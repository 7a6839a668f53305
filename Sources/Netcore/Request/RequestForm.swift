internal import NetcoreHTTP
internal import NetcoreStorage
internal import NetcoreSupport
internal import NetcoreTransport

/// What a client sends of a request: the hops that it takes are made of this.
struct RequestForm: Sendable {
    let method: String
    var url: HTTPURL
    let fields: [Request.Field]
    let content: Request.Content?
    let options: RequestOptions
    let additions: ClientAdditions
    let retryRule: RetryRule?
    let breaker: BreakerRule?
    let hedging: HedgeTerms?
    /// Nil without a policy of failover.
    var route: ServiceRoute?

    /// A hop, with what the client adds that says who sends it.
    func wire(_ target: Hop.Target, _ identity: HopIdentity = HopIdentity()) -> WireRequest {
        let own = hopFields(target.trimming, identity)
        let added = additions.defaultFields.choice(besides: own, options)
        return wire(target, own, credentials(own, target.trimming, identity), adding: added)
    }

    /// A hop with other fields than its own: all that are to be sent.
    func wire(
        _ target: Hop.Target, _ identity: HopIdentity, fields: FieldBlock, besides: [Request.Field]
    ) -> WireRequest {
        let all = (0..<fields.count).map { index in
            Request.Field(
                name: String(decoding: fields.name(at: index), as: UTF8.self), value: Array(fields.value(at: index)))
        }
        let own = hopFields(target.trimming, identity)
        return wire(target, all + besides, credentials(own, target.trimming, identity), adding: .none)
    }

    /// What a hop asks of the client's cache.
    ///
    /// - Parameter isForKept: it looks for what a time to live keeps, though it may have none.
    func query(
        _ target: Hop.Target, _ identity: HopIdentity, _ cache: Cache, isForKept: Bool = false
    ) -> CacheQuery {
        let own = hopFields(target.trimming, identity)
        let added = additions.defaultFields.choice(besides: own, options)
        let block = FieldBlock()
        for field in own + additions.defaultFields.fields(added) { field.append(to: block) }
        let credentials = credentials(own, target.trimming, identity)
        let cacheable = CacheableRequest(
            method: target.method, url: target.url, fields: block, hasCredentials: credentials != nil, now: cache.now)
        return CacheQuery(
            cacheable, options.cache, cache.options, body: target.trimming.dropsBody ? nil : bodyBytes,
            isBodyStreamed: hasStreamedBody && !target.trimming.dropsBody, credentials: credentials,
            decodesContent: options.decodesContent, tag: TagList.text(options.tags),
            isForKept: isForKept)
    }

    /// Whether a hop has no credentials of its own, so that a token of the client's may go with it.
    func takesToken(_ trimming: Hop.Trimming) -> Bool {
        trimming.dropsCredentials
            || options.authentication == nil && url.credentials == nil && !hasHeader("Authorization")
    }

    func hasHeader(_ name: String) -> Bool { fields.contains { Syntax.equalsIgnoringCase($0.name, name) } }

    // MARK: Fields and credentials of a hop

    /// The fields of a hop that are not the same for all requests.
    func hopFields(_ trimming: Hop.Trimming, _ identity: HopIdentity) -> [Request.Field] {
        var result = ownFields(trimming)
        if let token = (identity.authentication ?? (trimming.dropsCredentials ? nil : options.authentication))?.field,
            !result.contains(where: { Syntax.equalsIgnoringCase($0.name, token.name) })
        {
            result.append(token)
        }
        if !identity.fields.isEmpty { result += identity.fields }
        return trimming.dropsCredentials ? result : addingCookies(result)
    }

    private func ownFields(_ trimming: Hop.Trimming) -> [Request.Field] {
        guard trimming.dropsBody || trimming.dropsCredentials else { return fields }
        return fields.filter { field in
            !(trimming.dropsBody && Self.contains(RedirectPolicy.bodyFields, field.name))
                && !(trimming.dropsCredentials && Self.contains(RedirectPolicy.credentialFields, field.name))
        }
    }

    /// The fields with the request's own cookies in them.
    private func addingCookies(_ fields: [Request.Field]) -> [Request.Field] {
        guard !options.cookies.isEmpty, !hasHeader("Cookie") else { return fields }
        var result = fields
        var kept: [ArraySlice<UInt8>] = []
        if let index = fields.firstIndex(where: { Syntax.equalsIgnoringCase($0.name, "Cookie") }) {
            kept = result.remove(at: index).value.split(separator: UInt8(ascii: ";")).map {
                $0.drop(while: Syntax.isWhitespace)
            }
        }
        let own = options.cookies.map { Array("\($0.name)=\($0.value)".utf8)[...] }
        let names = Set(options.cookies.map { Array($0.name.utf8) })
        let others = kept.filter { !names.contains(Array($0.prefix { $0 != UInt8(ascii: "=") })) }
        let value = Array((others + own).joined(separator: [UInt8(ascii: ";"), 0x20]))
        result.append(Request.Field(name: "Cookie", value: value))
        return result
    }

    /// User name and password of a hop.
    func credentials(
        _ fields: [Request.Field], _ trimming: Hop.Trimming, _ identity: HopIdentity
    ) -> WireCredentials? {
        if let authentication = identity.authentication { return authentication.wireCredentials }
        if !trimming.dropsCredentials {
            if let authentication = options.authentication { return authentication.wireCredentials }
            if let given = url.credentials { return .basic(user: given.user, password: given.password) }
        }
        guard let file = additions.netrcFile, !options.isBare,
            !fields.contains(where: { Syntax.equalsIgnoringCase($0.name, "Authorization") })
        else { return nil }
        return .netrc(path: file)
    }

    private static func contains(_ names: [String], _ name: String) -> Bool {
        names.contains { Syntax.equalsIgnoringCase($0, name) }
    }

    // MARK: The body

    var bodyBytes: ByteBuffer? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    var hasStreamedBody: Bool {
        switch content {
        case .none, .bytes: false
        case .file, .stream, .parts, .streamed: true
        }
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

    // MARK: On the wire

    private func wire(
        _ target: Hop.Target, _ fields: [Request.Field], _ credentials: WireCredentials?,
        adding added: DefaultFields.Choice
    ) -> WireRequest {
        let body = wireBody(method: target.method, drops: target.trimming.dropsBody)
        return WireRequest(
            method: target.method, url: target.url, credentials: credentials, body: body, timeouts: options.timeouts,
            decodesContent: options.decodesContent, manner: manner,
            needsOwnConnection: credentials == .negotiate || fields.contains(where: Self.bindsToConnection)
        ) { add in
            for field in fields { Self.withLine(field, add) }
            additions.defaultFields.withLines(added, add)
            // libcurl would wait a second for a "100 Continue" that many servers never send.
            if options.expectTimeout == 0, let body, body.length != 0,
                !fields.contains(where: { Syntax.equalsIgnoringCase($0.name, "Expect") })
            {
                add("Expect:")
            }
        }
    }

    private var manner: TransferManner {
        var result = TransferManner()
        result.rates = options.rates
        result.interface = options.network.interface
        result.isSentOnce = options.isSentOnce
        if options.expectTimeout > 0 { result.expectTimeout = options.expectTimeout }
        result.allowsUncleanEnd = options.allowsUncleanEnd
        result.isStreamed = options.isStreamed
        switch options.priority {
        case .low: result.streamWeight = 4
        case .default: break
        case .high: result.streamWeight = 64
        }
        return result
    }

    /// Negotiate and NTLM authenticate a connection, not a request (RFC 4559 section 6).
    private static func bindsToConnection(_ field: Request.Field) -> Bool {
        guard Syntax.equalsIgnoringCase(field.name, "authorization") else { return false }
        let scheme = String(decoding: field.value.prefix { $0 != 0x20 }, as: UTF8.self)
        return Syntax.equalsIgnoringCase(scheme, "negotiate") || Syntax.equalsIgnoringCase(scheme, "ntlm")
    }

    /// A header line as libcurl takes it: a semicolon in place of the colon where the value is empty.
    private static func withLine(_ field: Request.Field, _ add: (UnsafePointer<CChar>) -> Void) {
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
