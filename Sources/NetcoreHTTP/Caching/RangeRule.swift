/// Serves a Range request from a stored answer (RFC 9110 section 14, RFC 9111 sections 3.3 and 3.4).
package enum RangeRule {
    package enum Outcome: Sendable, Equatable {
        /// 200 with the whole body: no Range, one that is to be ignored, several ranges, or If-Range named another
        /// representation.
        case whole
        /// 206 with these bytes of the body.
        case part(ContentRange)
        /// 416: no byte of the range is there; the length of the whole.
        case unsatisfiable(Int64)
        /// The cache does not have it: the origin must answer.
        case forward
    }

    /// - Parameters:
    ///   - length: of the stored body.
    ///   - isBodyDecoded: whether a content coding was undone: its bytes are not those that a range counts.
    package static func satisfy(
        _ request: CacheableRequest, _ variant: StoredVariant, length: Int64, isBodyDecoded: Bool
    ) -> Outcome {
        guard let range = applicableRange(request, variant), variant.head.status == 200 else { return .whole }
        guard !isBodyDecoded else { return .forward }
        guard let bytes = range.bytes(of: length) else { return .unsatisfiable(length) }
        return .part(ContentRange(bytes: bytes, completeLength: length))
    }

    /// The same from stored parts. A request for the whole, or for bytes that are missing, goes on to the origin.
    package static func satisfy(
        _ request: CacheableRequest, _ variant: StoredVariant, parts: PartialContent
    ) -> Outcome {
        guard let range = applicableRange(request, variant), let bytes = parts.bytes(of: range) else { return .forward }
        guard parts.contains(bytes) else { return .forward }
        return .part(ContentRange(bytes: bytes, completeLength: parts.completeLength))
    }

    private static func applicableRange(_ request: CacheableRequest, _ variant: StoredVariant) -> RangeRequest? {
        guard let range = request.range, range != .several else { return nil }
        guard request.ifRange?.holds(for: variant.validators) ?? true else { return nil }
        return range
    }

    /// The fields of a 206 (RFC 9110 section 15.3.7): the stored ones, with the part's range and length.
    package static func fields(of stored: FieldBlock, _ range: ContentRange) -> FieldBlock {
        let result = FieldBlock()
        result.append(stored) { name in
            !Syntax.equalsIgnoringCase(name, "content-length") && !Syntax.equalsIgnoringCase(name, "content-range")
        }
        result.append("Content-Range", range.text)
        result.append("Content-Length", "\(range.bytes.count)")
        return result
    }

    /// The fields of a 416 (RFC 9110 section 15.5.17): those that guide a cache, and the length of the whole.
    package static func unsatisfiableFields(of stored: FieldBlock, _ length: Int64) -> FieldBlock {
        let result = PreconditionRule.fields(of: stored)
        result.append("Content-Range", ContentRange.unsatisfied(length))
        result.append("Content-Length", "0")
        return result
    }
}
