/// The Alt-Svc fields of an answer, read (RFC 7838 section 3). A field that does not follow the grammar says nothing; services of
/// other protocols than netcore speaks are left out.
package struct AltSvcField: Sendable {
    /// In the origin's order of preference, the first few. Empty when it takes back what it said before.
    package let services: [AlternativeService]

    package static let limit = 8
    private static let day: Int64 = 86_400

    /// - Parameter now: in seconds since 1970.
    /// - Returns: nil when nothing is said.
    package init?(_ fields: FieldBlock, from origin: Origin, now: Int64) {
        guard let text = fields.joinedValue(of: "Alt-Svc") else { return nil }
        let read = text.withUnsafeBytes { Self.read($0, origin, now) }
        guard let read else { return nil }
        services = read
    }

    private static func read(_ text: UnsafeRawBufferPointer, _ origin: Origin, _ now: Int64) -> [AlternativeService]? {
        var scanner = FieldScanner(text)
        var services: [AlternativeService] = []
        var isCleared = false
        var isEmpty = true
        repeat {
            scanner.skipWhitespace()
            guard let name = scanner.token() else { continue }
            isEmpty = false
            if scanner.take("=") {
                guard let authority = scanner.quotedString(), let (lifetime, persists) = parameters(&scanner) else {
                    return nil
                }
                guard let speaksHTTP2 = speaksHTTP2(name), let place = place(authority, origin) else { continue }
                services.append(
                    AlternativeService(
                        speaksHTTP2: speaksHTTP2, host: place.host, port: place.port, expires: end(lifetime, now),
                        persists: persists))
            } else {
                // It counts before all that stands beside it.
                guard name.elementsEqual("clear".utf8) else { return nil }
                isCleared = true
                scanner.skipWhitespace()
            }
        } while scanner.take(",")
        guard scanner.isAtEnd, !isEmpty else { return nil }
        return isCleared ? [] : Array(services.prefix(limit))
    }

    /// Rounded down by up to a hundredth of the time, so that it does not move on with each answer that says the same.
    private static func end(_ lifetime: Int64, _ now: Int64) -> Int64 {
        let step = max(lifetime / 100, 1)
        return (now + lifetime) / step * step
    }

    /// Reads on to the end of the service. Nil where something else stands.
    private static func parameters(_ scanner: inout FieldScanner) -> (lifetime: Int64, persists: Bool)? {
        var result = (lifetime: day, persists: false)
        scanner.skipWhitespace()
        while scanner.take(";") {
            scanner.skipWhitespace()
            guard let name = scanner.token()?.loweredText, scanner.take("="), let value = scanner.tokenOrQuotedString()
            else {
                return nil
            }
            if name == "ma" {
                guard let seconds = value.seconds else { return nil }
                result.lifetime = seconds
            }
            if name == "persist" { result.persists = value.elementsEqual("1".utf8) }
            scanner.skipWhitespace()
        }
        return result
    }

    /// By the protocol's name in TLS, percent-encoded. Nil for others.
    private static func speaksHTTP2(_ name: [UInt8]) -> Bool? {
        if name.elementsEqual("h2".utf8) { return true }
        return name.elementsEqual("http%2F1.1".utf8) ? false : nil
    }

    /// "host:port", where no host is that of the origin.
    private static func place(_ authority: [UInt8], _ origin: Origin) -> Origin? {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            let port = UInt16(String(decoding: authority[(colon + 1)...], as: UTF8.self)), port > 0
        else { return nil }
        guard colon > 0 else { return Origin(host: origin.host, port: port) }
        let host = HostName.canonical(String(decoding: authority[..<colon], as: UTF8.self)[...].utf8)
        return HostName.isCanonical(host) ? Origin(host: host, port: port) : nil
    }
}
