package import NetcoreHTTP
internal import NetcoreSupport

/// The alternative services that origins named to a client, in memory or with a file. Any thread may use it.
package final class AlternativeStore: Sendable {
    private let kept: Kept<Alternatives>
    private let allowsHTTP2: Bool

    /// - Parameter path: the file; empty for none.
    package init(
        file path: String, allowsHTTP2: Bool, writeDelay: Int = 200,
        clock: @escaping @Sendable () -> Int64 = { Timestamp.now.wall / 1000 }
    ) throws(NetcoreError) {
        self.allowsHTTP2 = allowsHTTP2
        kept = try Kept(file: path.isEmpty ? nil : path, writeDelay: writeDelay, clock: clock)
    }

    /// Where connections for a URL are to go; nil for its own host.
    package func service(for url: HTTPURL) -> AlternativeService? {
        guard !kept.isEmpty, let origin = Origin(url) else { return nil }
        return kept.use { [allowsHTTP2] value, now in value.service(for: origin, allowsHTTP2: allowsHTTP2, now: now) }
            ?? nil
    }

    /// Takes what an answer by https says, whose certificate was checked. An answer 421 has no say (RFC 7838 section 6).
    package func receive(_ fields: FieldBlock, status: Int, from url: HTTPURL) {
        guard status != 421, fields.contains("Alt-Svc"), let origin = Origin(url),
            let field = AltSvcField(fields, from: origin, now: kept.now)
        else { return }
        kept.change { value, _ in value.set(field.services, of: origin) ? 1 : 0 }
    }

    /// A service could not be reached.
    ///
    /// - Parameter isRefused: it said that it does not answer for the origin.
    package func noteFailure(of service: AlternativeService, for url: HTTPURL, isRefused: Bool) {
        guard let origin = Origin(url) else { return }
        kept.change { value, now in
            value.leaveAlone(service, of: origin, now: now)
            return isRefused && value.remove(service, of: origin) ? 1 : 0
        }
    }

    package func noteOtherNetwork() { kept.change { value, _ in value.changeNetwork() ? 1 : 0 } }

    /// Writes what is not in the file yet. Later changes stay in memory.
    package func close() { kept.close() }
}

extension Alternatives: Keepable {
    package static let option = "alt_svc_file"
    package static let noun = "alternative services"
    package static let sizeLimit = 8 << 20

    package var isEmpty: Bool { count == 0 }

    package func text(now: Int64) -> [UInt8] { encoded(now: now) }

    package mutating func read(_ text: [UInt8], now: Int64) -> Bool { decode(text, now: now) }
}
