/// Judges the caller's own conditions against a stored answer that may be served (RFC 9111 section 4.3.2, in the order of
/// RFC 9110 section 13.2.2).
package enum PreconditionRule {
    package enum Outcome: Sendable {
        /// The stored answer, whole or the range that was asked for.
        case serve
        /// 304 with ``fields(of:)``.
        case notModified
        /// The origin must judge: If-Match or If-Unmodified-Since.
        case forward
    }

    package static func evaluate(_ request: CacheableRequest, _ variant: StoredVariant) -> Outcome {
        guard !request.hasOriginCondition else { return .forward }
        // Conditions count only where the answer would be a success without them (RFC 9110 section 13.2.1).
        guard (200..<300).contains(variant.head.status), request.isGet || request.isHead else { return .serve }
        if let ifNoneMatch = request.ifNoneMatch {
            return ifNoneMatch.matches(variant.validators.etag) ? .notModified : .serve
        }
        guard let since = request.ifModifiedSince else { return .serve }
        return (variant.validators.lastModified ?? variant.policy.date) <= since ? .notModified : .serve
    }

    /// The fields of a 304 made from a stored answer (RFC 9110 section 15.4.5): those that guide a cache, and
    /// Last-Modified where no entity tag does.
    package static func fields(of stored: FieldBlock) -> FieldBlock {
        let result = FieldBlock()
        let hasTag = stored.contains("etag")
        result.append(stored) { name in
            switch name.count {
            case 3: Syntax.equalsIgnoringCase(name, "age")
            case 4:
                Syntax.equalsIgnoringCase(name, "etag") || Syntax.equalsIgnoringCase(name, "date")
                    || Syntax.equalsIgnoringCase(name, "vary")
            case 7: Syntax.equalsIgnoringCase(name, "expires")
            case 12: Syntax.equalsIgnoringCase(name, "cache-status")
            case 13:
                Syntax.equalsIgnoringCase(name, "cache-control")
                    || (!hasTag && Syntax.equalsIgnoringCase(name, "last-modified"))
            case 16: Syntax.equalsIgnoringCase(name, "content-location")
            default: false
            }
        }
        return result
    }
}
