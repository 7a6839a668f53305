/// The condition that a validating request carries (RFC 9111 section 4.3.1): If-None-Match with the entity tags of all
/// answers stored for the URL, and If-Modified-Since when a single one is validated.
///
/// The caller's own tags are added (RFC 9111 section 4.3.2): the caller's If-None-Match and If-Modified-Since are replaced
/// by these. A request whose conditions are the origin's to judge (``CacheableRequest/hasOriginCondition``) gets none.
package struct ValidationFields: Sendable, Equatable {
    /// The value of If-None-Match; nil for none.
    package private(set) var ifNoneMatch: [UInt8]?
    /// The value of If-Modified-Since; nil for none.
    package private(set) var ifModifiedSince: [UInt8]?
    /// The tags of stored answers that are in it.
    package private(set) var storedTags: [EntityTag] = []
    /// Whether only stored answers are asked about, so that a 304 can mean nothing else.
    package private(set) var areOwn = false

    package var isEmpty: Bool { ifNoneMatch == nil && ifModifiedSince == nil }

    /// - Parameters:
    ///   - variants: all that is stored for the URL, whatever their Vary.
    ///   - selected: the one that matches the request, if any.
    package init(_ variants: [StoredVariant], selected: Int?, request: CacheableRequest) {
        guard !request.hasOriginCondition else { return }
        // A part of a representation must not be confirmed as the whole.
        for variant in variants where !variant.isPartial {
            guard let tag = variant.validators.etag, !storedTags.contains(tag) else { continue }
            storedTags.append(tag)
        }
        var tags = storedTags
        var known = Set(storedTags)
        for tag in request.ifNoneMatch?.tags ?? [] where known.insert(tag).inserted { tags.append(tag) }
        if request.ifNoneMatch == .any {
            ifNoneMatch = Array("*".utf8)
        } else if !tags.isEmpty {
            ifNoneMatch = Array(tags.map(\.bytes).joined(separator: [0x2C, 0x20]))
        }
        let isSingle = tags.count == storedTags.count && request.ifNoneMatch != .any
        if isSingle, request.range == nil, let selected { addLastModified(variants[selected]) }
        areOwn = isSingle && !isEmpty
    }

    /// If-Modified-Since, where no other answer than this one is validated.
    private mutating func addLastModified(_ variant: StoredVariant) {
        guard !variant.isPartial, variant.validators.lastModified != nil else { return }
        guard storedTags.allSatisfy({ $0 == variant.validators.etag }) else { return }
        ifModifiedSince = variant.head.fields.joinedValue(of: "last-modified")
    }

    /// A request's fields with these conditions instead of the caller's. Fields that stay keep their order. With nothing
    /// to validate by, the caller's own stay as they are.
    package func applied(to fields: FieldBlock) -> FieldBlock {
        let result = FieldBlock()
        guard !isEmpty else {
            result.append(fields) { _ in true }
            return result
        }
        result.append(fields) { name in
            !Syntax.equalsIgnoringCase(name, "if-none-match") && !Syntax.equalsIgnoringCase(name, "if-modified-since")
        }
        if let ifNoneMatch { result.append("If-None-Match", ifNoneMatch) }
        if let ifModifiedSince { result.append("If-Modified-Since", ifModifiedSince) }
        return result
    }
}
