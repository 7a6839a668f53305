package import NetcoreSupport

/// What an answer 200 to HEAD says of a stored answer to GET (RFC 9111 section 4.3.5).
package enum HeadRule {
    package enum Decision: Sendable {
        /// The same representation: its head is updated.
        case update
        /// Another one by now: the stored answer is stale.
        case stale
        /// Nothing: the answer is no 200.
        case ignore
    }

    /// A stored answer without Content-Length is compared only by its strong entity tag, when the new one has a length.
    package static func decide(_ variant: StoredVariant, status: Int, fields: FieldBlock, now: Timestamp) -> Decision {
        guard status == 200, variant.head.status == 200 else { return .ignore }
        let new = Validators(fields, now: now.wall / 1000)
        if fields.contains("etag"), new.etag != variant.validators.etag || new.etag == nil { return .stale }
        if fields.contains("last-modified"),
            new.lastModified != variant.validators.lastModified || new.lastModified == nil
        {
            return .stale
        }
        guard fields.contains("content-length") else { return .update }
        if variant.head.fields.contains("content-length") {
            return length(fields) == length(variant.head.fields) ? .update : .stale
        }
        return new.strongTag != nil ? .update : .stale
    }

    private static func length(_ fields: FieldBlock) -> Int? {
        fields.withFirstValue(of: "content-length") { try? HeadParser.contentLength($0) }
    }
}
