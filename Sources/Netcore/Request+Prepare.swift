internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// The form of a request that goes on the wire, kept for its next dispatch by the same client.
package final class PreparedCache: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var owner: UInt64 = 0
    private var wire: WireRequest?
    private var query: CacheQuery?

    func clear() {
        lock.withLock {
            wire = nil
            query = nil
        }
    }

    func wire(for engine: Engine, make: () -> WireRequest) -> WireRequest {
        lock.withLock {
            begin(engine)
            let result = wire ?? make()
            wire = result
            return result
        }
    }

    func query(for engine: Engine, make: () -> CacheQuery) -> CacheQuery {
        lock.withLock {
            begin(engine)
            let result = query ?? make()
            query = result
            return result
        }
    }

    /// Forgets what was prepared for another client.
    private func begin(_ engine: Engine) {
        guard owner != engine.number else { return }
        wire = nil
        query = nil
        owner = engine.number
    }
}

extension Request {
    /// The first hop, with what the client adds.
    func wire(for engine: Engine) -> WireRequest {
        prepared.wire(for: engine) {
            makeWire(userAgent: engine.options.userAgent, method: method, url: url, Trimming())
        }
    }

    /// What a redirect takes away.
    struct Trimming {
        var dropsBody = false
        var dropsCredentials = false
    }

    /// The next hop of a redirect.
    func wire(for engine: Engine, method: String, url: HTTPURL, _ trimming: Trimming) -> WireRequest {
        makeWire(userAgent: engine.options.userAgent, method: method, url: url, trimming)
    }

    /// The fields of a hop: the caller's, and those that the client adds.
    private func hopFields(userAgent: String, _ trimming: Trimming) -> (own: [Field], added: [Field]) {
        var kept = fields
        if trimming.dropsBody { kept.removeAll { Self.contains(RedirectPolicy.bodyFields, $0.name) } }
        if trimming.dropsCredentials { kept.removeAll { Self.contains(RedirectPolicy.credentialFields, $0.name) } }
        var added: [Field] = []
        func add(_ name: String, _ value: String) {
            guard !kept.contains(where: { Syntax.equalsIgnoringCase($0.name, name) }) else { return }
            added.append(Field(name: name, value: Array(value.utf8)))
        }
        if !userAgent.isEmpty { add("User-Agent", userAgent) }
        if decodesContent { add("Accept-Encoding", ContentCoding.acceptEncoding) }
        return (kept, added)
    }

    private func makeWire(userAgent: String, method: String, url: HTTPURL, _ trimming: Trimming) -> WireRequest {
        let (own, added) = hopFields(userAgent: userAgent, trimming)
        return makeWire(method: method, url: url, own, added, trimming)
    }

    private func makeWire(
        method: String, url: HTTPURL, _ own: [Field], _ added: [Field], _ trimming: Trimming
    ) -> WireRequest {
        let body = wireBody(method: method, drops: trimming.dropsBody)
        return WireRequest(
            method: method, url: url, credentials: trimming.dropsCredentials ? nil : self.url.credentials, body: body,
            timeouts: timeoutSet, decodesContent: decodesContent,
            needsOwnConnection: own.contains(where: Self.bindsToConnection)
        ) { add in
            for field in own { Self.withLine(field, add) }
            // In one piece: libcurl searches its list some twenty times for each request.
            let lines = added.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" }
            if !lines.isEmpty { add(lines.joined(separator: "\r\n")) }
            // libcurl would wait a second for a "100 Continue" that many servers never send.
            if let body, body.count > 0, !own.contains(where: { Syntax.equalsIgnoringCase($0.name, "Expect") }) {
                add("Expect:")
            }
        }
    }

    // MARK: For the cache

    /// What the first hop asks of the client's cache.
    func query(for engine: Engine, _ cache: Cache) -> CacheQuery {
        prepared.query(for: engine) { makeQuery(for: engine, cache, method: method, url: url, Trimming()) }
    }

    func makeQuery(
        for engine: Engine, _ cache: Cache, method: String, url: HTTPURL, _ trimming: Trimming
    ) -> CacheQuery {
        let (own, added) = hopFields(userAgent: engine.options.userAgent, trimming)
        let block = FieldBlock()
        for field in own + added {
            var name = field.name
            name.withUTF8 { name in
                field.value.withUnsafeBytes { _ = block.append(name: UnsafeRawBufferPointer(name), value: $0) }
            }
        }
        let credentials = trimming.dropsCredentials ? nil : self.url.credentials
        let cacheable = CacheableRequest(
            method: method, url: url, fields: block, hasCredentials: credentials != nil, now: cache.now)
        return CacheQuery(
            cacheable, cacheOptions, cache.options, body: trimming.dropsBody ? nil : body, credentials: credentials,
            decodesContent: decodesContent, tag: tag)
    }

    /// A hop with other fields than its own: all that are to be sent.
    func wire(method: String, url: HTTPURL, fields: FieldBlock, _ trimming: Trimming) -> WireRequest {
        let all = (0..<fields.count).map { index in
            Field(name: String(decoding: fields.name(at: index), as: UTF8.self), value: Array(fields.value(at: index)))
        }
        return makeWire(method: method, url: url, all, [], trimming)
    }

    /// Methods whose lack of a body is said, as Content-Length: 0 (RFC 9110 section 8.6).
    private static let methodsWithBody = ["POST", "PUT", "PATCH"]

    private func wireBody(method: String, drops: Bool) -> ByteBuffer? {
        if !drops, let body, body.count > 0 { return body }
        return Self.methodsWithBody.contains(method) ? ByteBuffer() : nil
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
        var line = Array(field.name.utf8)
        line += field.value.isEmpty ? [UInt8(ascii: ";")] : [UInt8(ascii: ":"), 0x20] + field.value
        line.append(0)
        line.withUnsafeBytes { bytes in
            if let start = bytes.bindMemory(to: CChar.self).baseAddress { add(start) }
        }
    }
}
