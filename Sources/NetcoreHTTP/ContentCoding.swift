/// A content coding (RFC 9110 section 8.4.1) that netcore decodes.
package enum ContentCoding: Sendable, Equatable {
    case gzip
    case deflate
    case brotli
    case zstd

    /// Those offered by default; servers that know deflate know gzip. Without spaces: libcurl formats a request byte by
    /// byte.
    package static let acceptEncoding = "gzip,br,zstd"

    /// Bounds the memory and work of nested codings.
    package static let maximumNesting = 4

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
