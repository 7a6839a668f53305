/// A content coding (RFC 9110 section 8.4.1) that netcore decodes.
package enum ContentCoding: Sendable, Equatable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// How many codings of one body are undone. Servers apply one, and two where a proxy packs what was packed; each
    /// more would only multiply what a few bytes can cost.
    package static let maximumNesting = 2

    /// Whether a value of Accept-Encoding (RFC 9110 section 12.5.3) names only what can be decoded.
    package static func canDecode(accepted list: String) -> Bool {
        var list = list
        return list.withUTF8 { bytes in
            var scanner = FieldScanner(UnsafeRawBufferPointer(bytes))
            repeat {
                scanner.skipWhitespace()
                let isKnown = scanner.token()?.withUnsafeBytes { name in
                    ContentCoding(name) != nil || Syntax.equalsIgnoringCase(name, "identity")
                }
                scanner.skipWhitespace()
                guard isKnown ?? false, !scanner.take(";") || isWeight(&scanner) else { return false }
                scanner.skipWhitespace()
            } while scanner.take(",")
            return scanner.isAtEnd
        }
    }

    /// Whether "q=" and a number from 0 to 1 stand here (RFC 9110 section 12.4.2).
    private static func isWeight(_ scanner: inout FieldScanner) -> Bool {
        scanner.skipWhitespace()
        guard scanner.token()?.loweredText == "q", scanner.take("="), let weight = scanner.token() else { return false }
        let digits = weight.dropFirst(2)
        guard weight.count <= 5, weight.count == 1 || weight[1] == UInt8(ascii: ".") else { return false }
        return switch weight[0] {
        case UInt8(ascii: "0"): digits.allSatisfy { $0 &- 0x30 < 10 }
        case UInt8(ascii: "1"): digits.allSatisfy { $0 == 0x30 }
        default: false
        }
    }

    /// Reads the Content-Encoding fields of an answer, in the order in which they were applied; "identity" is none.
    package static func parse(_ value: UnsafeRawBufferPointer) throws(NetcoreError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for element in Syntax.listElements(value) {
            if Syntax.equalsIgnoringCase(element, "identity") { continue }
            guard let coding = ContentCoding(element) else {
                throw NetcoreError(.contentCoding, "the answer has an unknown content coding", phase: .receive)
            }
            codings.append(coding)
        }
        return codings
    }

    private init?(_ name: UnsafeRawBufferPointer) {
        if Syntax.equalsIgnoringCase(name, "gzip") || Syntax.equalsIgnoringCase(name, "x-gzip") {
            self = .gzip
        } else if Syntax.equalsIgnoringCase(name, "deflate") {
            self = .deflate
        } else if Syntax.equalsIgnoringCase(name, "br") {
            self = .brotli
        } else if Syntax.equalsIgnoringCase(name, "zstd") {
            self = .zstd
        } else {
            return nil
        }
    }
}
