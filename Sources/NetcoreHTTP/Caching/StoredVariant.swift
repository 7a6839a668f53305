/// One of the answers stored for a URL, with all that the rules read of it computed once.
package struct StoredVariant: Sendable {
    package let head: StoredHead
    package let policy: StoredPolicy
    package let vary: Vary
    /// The key of the request that brought it (``Vary/key(_:)``).
    package let key: String
    package let validators: Validators
    /// Whether only parts of the body are there.
    package let isPartial: Bool

    /// - Parameter ignoresVary: whether it answers whatever the request's fields are: the application says so.
    package init(
        _ head: StoredHead, key: String, isSecure: Bool, isPartial: Bool = false, ignoresVary: Bool = false,
        settings: CacheSettings
    ) {
        self.head = head
        self.key = key
        self.isPartial = isPartial
        validators = Validators(head.fields, now: head.responseTime.wall / 1000)
        policy = StoredPolicy(head, validators, isSecure: isSecure, settings: settings)
        vary = ignoresVary ? Vary() : Vary(head.fields)
    }
}

/// Chooses among the answers stored for a URL (RFC 9111 section 4.1).
package enum VariantSelection {
    /// The indices of those that match a request, the one to use first: those that have a Vary before those without,
    /// which may be an origin's mistake, and the most recent first.
    package static func matches(_ variants: [StoredVariant], _ request: FieldBlock) -> [Int] {
        var found = variants.indices.filter { variants[$0].vary.matches(variants[$0].key, request) }
        if found.count > 1 { found.sort { isPreferred(variants[$0], variants[$1]) } }
        return found
    }

    private static func isPreferred(_ left: StoredVariant, _ right: StoredVariant) -> Bool {
        guard left.vary.names.isEmpty == right.vary.names.isEmpty else { return right.vary.names.isEmpty }
        return isMoreRecent(left, right)
    }

    /// By Date, and then by when it came (RFC 9111 section 4).
    package static func isMoreRecent(_ left: StoredVariant, _ right: StoredVariant) -> Bool {
        (left.policy.date, left.policy.responseTime.wall) > (right.policy.date, right.policy.responseTime.wall)
    }
}
