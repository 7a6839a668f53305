package import NetcoreSupport

/// Which stored answers an answer 304 is about (RFC 9111 section 4.3.4).
package enum Freshening: Sendable, Equatable {
    /// Updates these; the first of them serves the request.
    case update([Int])
    /// Serves one that was stored for other request fields, and stores it, updated, for those of this request as well
    /// (RFC 9111 section 4.1: the tags of all variants are sent so that the origin can name one).
    case adopt(Int)
    /// Serves this one, which the 304 confirmed by weak comparison, but updates none: it brought a strong entity tag, and
    /// no stored answer has that.
    case serve(Int)
    /// None is meant. A caller that sent conditions of its own gets the 304; else the request is sent again without any.
    case none
}

package enum FresheningRule {
    /// - Parameters:
    ///   - fields: of the 304.
    ///   - variants: all that is stored for the URL.
    ///   - matching: the indices of those that match the request, the preferred one first.
    ///   - sent: the condition that the 304 answers.
    package static func select(
        _ fields: FieldBlock, _ variants: [StoredVariant], matching: [Int], sent: ValidationFields, now: Timestamp
    ) -> Freshening {
        let new = Validators(fields, now: now.wall / 1000)
        let own = matching.filter { !variants[$0].isPartial }
        if let tag = new.etag {
            let others = variants.indices.filter { !variants[$0].isPartial && !matching.contains($0) }
            return tag.isWeak ? selectWeak(tag, variants, own, others) : selectStrong(tag, variants, own, others)
        }
        if let modified = new.lastModified {
            let equal = own.filter { variants[$0].validators.lastModified == modified }
            return mostRecent(equal, variants).map { .update([$0]) } ?? .none
        }
        // Without any validator it can only mean the single one that was asked about.
        return own.count == 1 && sent.areOwn && sent.storedTags.count <= 1 ? .update(own) : .none
    }

    private static func selectWeak(
        _ tag: EntityTag, _ variants: [StoredVariant], _ own: [Int], _ others: [Int]
    ) -> Freshening {
        func equals(_ index: Int) -> Bool { variants[index].validators.etag.map(tag.weaklyEquals) ?? false }
        if let found = mostRecent(own.filter(equals), variants) { return .update([found]) }
        return mostRecent(others.filter(equals), variants).map(Freshening.adopt) ?? .none
    }

    private static func selectStrong(
        _ tag: EntityTag, _ variants: [StoredVariant], _ own: [Int], _ others: [Int]
    ) -> Freshening {
        func equals(_ index: Int) -> Bool { variants[index].validators.etag.map(tag.stronglyEquals) ?? false }
        let equal = own.filter(equals)
        if !equal.isEmpty { return .update(equal) }
        if let found = mostRecent(others.filter(equals), variants) { return .adopt(found) }
        let confirmed = own.filter { variants[$0].validators.etag.map(tag.weaklyEquals) ?? false }
        return mostRecent(confirmed, variants).map(Freshening.serve) ?? .none
    }

    private static func mostRecent(_ indices: [Int], _ variants: [StoredVariant]) -> Int? {
        indices.min { VariantSelection.isMoreRecent(variants[$0], variants[$1]) }
    }
}
