internal import NetcoreHTTP
internal import NetcoreSupport
internal import NetcoreTransport

/// The form of a request that goes on the wire, kept for its next dispatch by the same client.
package final class PreparedCache: @unchecked Sendable {  // under `lock`
    private let lock = Lock()
    private var owner: ObjectIdentifier?
    private var wire: WireRequest?

    func clear() {
        lock.withLock {
            wire = nil
            owner = nil
        }
    }

    func wire(for owner: AnyObject, make: () -> WireRequest) -> WireRequest {
        lock.lock()
        defer { lock.unlock() }
        if let wire, self.owner == ObjectIdentifier(owner) { return wire }
        let made = make()
        wire = made
        self.owner = ObjectIdentifier(owner)
        return made
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

    private func makeWire(userAgent: String, method: String, url: HTTPURL, _ trimming: Trimming) -> WireRequest {
        var kept = fields
        if trimming.dropsBody { kept.removeAll { Self.contains(RedirectPolicy.bodyFields, $0.name) } }
        if trimming.dropsCredentials { kept.removeAll { Self.contains(RedirectPolicy.credentialFields, $0.name) } }
        let has = { (name: String) in kept.contains { Syntax.equalsIgnoringCase($0.name, name) } }
        let body = wireBody(method: method, drops: trimming.dropsBody)
        return WireRequest(
            method: method, url: url, credentials: trimming.dropsCredentials ? nil : self.url.credentials, body: body,
            timeouts: timeoutSet, decodesContent: decodesContent,
            needsOwnConnection: kept.contains(where: Self.bindsToConnection)
        ) { add in
            for field in kept { Self.withLine(field, add) }
            // In one piece: libcurl searches its list some twenty times for each request.
            var defaults: [String] = []
            if !has("User-Agent"), !userAgent.isEmpty { defaults.append("User-Agent: \(userAgent)") }
            if decodesContent, !has("Accept-Encoding") {
                defaults.append("Accept-Encoding: \(ContentCoding.acceptEncoding)")
            }
            if !defaults.isEmpty { add(defaults.joined(separator: "\r\n")) }
            // libcurl would wait a second for a "100 Continue" that many servers never send.
            if let body, body.count > 0, !has("Expect") { add("Expect:") }
        }
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
