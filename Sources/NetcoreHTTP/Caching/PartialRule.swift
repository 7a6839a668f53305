package import NetcoreSupport

/// Getting the missing parts of a representation, and putting them together (RFC 9111 sections 3.3 and 3.4).
package enum PartialRule {
    /// A request's fields with a range to ask for, on the condition that the representation is still the same; it is sent
    /// whole otherwise.
    package static func request(_ fields: FieldBlock, range: String, ifRange tag: EntityTag) -> FieldBlock {
        let result = FieldBlock()
        result.append(fields) { name in
            switch name.count {
            case 5: !Syntax.equalsIgnoringCase(name, "range")
            case 8: !Syntax.equalsIgnoringCase(name, "if-range")
            case 13: !Syntax.equalsIgnoringCase(name, "if-none-match")
            case 17: !Syntax.equalsIgnoringCase(name, "if-modified-since")
            default: true
            }
        }
        result.append("Range", range)
        result.append("If-Range", tag.bytes)
        return result
    }

    /// The head of the parts together, after a further one came: the new one's fields in place of those stored, status 200
    /// and the whole length when nothing is missing any more.
    package static func combined(
        _ head: StoredHead, with fields: FieldBlock, _ parts: PartialContent, requestTime: Timestamp,
        responseTime: Timestamp, settings: CacheSettings
    ) -> StoredHead {
        var result = StoredHeadUpdate.updated(
            head, with: fields, requestTime: requestTime, responseTime: responseTime, settings: settings)
        let kept = FieldBlock()
        kept.append(result.fields) {
            !Syntax.equalsIgnoringCase($0, "content-range") && !Syntax.equalsIgnoringCase($0, "content-length")
        }
        if parts.isComplete, let length = parts.completeLength { kept.append("Content-Length", "\(length)") }
        result.status = parts.isComplete ? 200 : 206
        result.fields = kept
        return result
    }
}
