/// A Strict-Transport-Security field value, read (RFC 6797 section 6.1). One that does not follow the grammar, that has a
/// directive twice, or no max-age, says nothing at all; directives that are not known are passed over.
package struct StrictTransportSecurity: Sendable, Equatable {
    /// How many seconds it holds; 0 takes back what was said before.
    package let maxAge: Int64
    package let includesSubdomains: Bool

    package init?(_ field: UnsafeRawBufferPointer) {
        var scanner = FieldScanner(field)
        var directives: [String: [UInt8]?] = [:]
        repeat {
            scanner.skipWhitespace()
            guard let name = scanner.token()?.loweredText else { continue }
            guard directives[name] == nil else { return nil }
            scanner.skipWhitespace()
            var value: [UInt8]?
            if scanner.take("=") {
                scanner.skipWhitespace()
                value = scanner.tokenOrQuotedString()
                guard value != nil else { return nil }
                scanner.skipWhitespace()
            }
            directives.updateValue(value, forKey: name)
        } while scanner.take(";")
        guard scanner.isAtEnd, let maxAge = directives["max-age"]??.seconds else { return nil }
        self.maxAge = maxAge
        switch directives["includesubdomains"] {
        case .none: includesSubdomains = false
        case .some(.none): includesSubdomains = true
        case .some(.some): return nil
        }
    }
}
