/// What filters of answers left besides fields and body.
package final class FilterTrace: Sendable {
    /// Why the answer is no success; nil if none refused it.
    package let refusal: NetcoreError?
    /// With which it is stored, besides those of the request.
    package let tags: [String]
    /// It did not pass the filters that it is to pass before it is stored.
    package let isUnfiltered: Bool

    package init(refusal: NetcoreError? = nil, tags: [String] = [], isUnfiltered: Bool = false) {
        self.refusal = refusal
        self.tags = tags
        self.isUnfiltered = isUnfiltered
    }

    /// Whether a cache may store the answer.
    package var allowsStoring: Bool { refusal == nil && !isUnfiltered }
}
