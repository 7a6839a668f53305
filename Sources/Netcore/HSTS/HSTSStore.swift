package import NetcoreHTTP
internal import NetcoreSupport

/// The hosts that a client speaks to only by https, in memory or with a file. Any thread may use it.
package final class HSTSStore: Sendable {
    private let kept: Kept<HSTSHosts>

    /// - Parameter path: the file; empty for none.
    package init(
        file path: String, writeDelay: Int = 200, clock: @escaping @Sendable () -> Int64 = { Timestamp.now.wall / 1000 }
    ) throws(NetcoreError) {
        kept = try Kept(file: path.isEmpty ? nil : path, writeDelay: writeDelay, clock: clock)
    }

    /// Whether a URL is to be ``HTTPURL/upgraded()`` (RFC 6797 section 8.3).
    package func upgrades(_ url: HTTPURL) -> Bool {
        guard !url.isSecure, !kept.isEmpty else { return false }
        let host = HostName.of(url)
        return kept.use { hosts, now in hosts.cover(host, now: now) } ?? false
    }

    /// Takes what an answer by https says, whose certificate was checked. Of several fields the first one counts.
    package func receive(_ fields: FieldBlock, from url: HTTPURL) {
        guard url.isSecure,
            let field = fields.withFirstValue(of: "Strict-Transport-Security", StrictTransportSecurity.init)
        else {
            return
        }
        let host = HostName.of(url)
        kept.change { hosts, now in hosts.receive(field, from: host, now: now) ? 1 : 0 }
    }

    /// Writes what is not in the file yet. Later changes stay in memory.
    package func close() { kept.close() }
}

extension HSTSHosts: Keepable {
    package static let option = "hsts_file"
    package static let noun = "HSTS hosts"
    package static let sizeLimit = 8 << 20

    package var isEmpty: Bool { count == 0 }

    package func text(now: Int64) -> [UInt8] { encoded(now: now) }

    package mutating func read(_ text: [UInt8], now: Int64) -> Bool { decode(text, now: now) }
}

extension HSTSStore? {
    /// Where a request goes: by https if the host asked this client for that. The one place that decides it; who sends is the stage
    /// *upgrade*, and who judges a target before it is sent asks here, too.
    func upgraded(_ url: HTTPURL) throws(NetcoreError) -> HTTPURL {
        guard let self, self.upgrades(url) else { return url }
        return try url.upgraded()
    }

    func upgraded(_ request: BuiltRequest) throws(NetcoreError) -> BuiltRequest {
        guard let self, self.upgrades(request.url) else { return request }
        return try request.upgraded()
    }
}
