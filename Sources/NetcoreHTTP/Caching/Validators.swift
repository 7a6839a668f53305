/// The validators of an answer, read once (RFC 9110 section 8.8).
package struct Validators: Sendable, Hashable {
    package var etag: EntityTag?
    /// In seconds since 1970; nil when absent or not a date.
    package var lastModified: Int64?
    /// Whether Last-Modified lies at least a second before Date, so that no second change fits in (RFC 9110 section
    /// 8.8.2.2).
    package var isLastModifiedStrong = false

    package init() {}

    /// - Parameter now: seconds since 1970, for the century of dates with a two-digit year.
    package init(_ fields: FieldBlock, now: Int64) {
        etag = fields.withFirstValue(of: "etag") { EntityTag($0) }
        lastModified = fields.date("last-modified", now: now).seconds
        if let lastModified, let date = fields.date("date", now: now).seconds {
            isLastModifiedStrong = lastModified < date
        }
    }

    package var isEmpty: Bool { etag == nil && lastModified == nil }

    package var strongTag: EntityTag? { etag.flatMap { $0.isWeak ? nil : $0 } }
}
