internal import NetcoreHTTP

/// Removes from the cache what the application said a successful request changes. It stands at the very top: what a request does not
/// accept is no success.
final class InvalidationStage: Stage {
    private let cache: Cache

    init(_ cache: Cache) { self.cache = cache }

    override func up(_ exchange: Exchange, _ result: Response) -> Ascent {
        let tags = exchange.request.options.invalidatedTags
        guard !tags.isEmpty, result.error == nil, 200..<400 ~= result.status else { return .next }
        for tag in tags { cache.clear(.tag(tag)) }
        return .next
    }
}
