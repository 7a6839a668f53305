@testable import Netcore
import NetcoreHTTP

/// What a caller asks for.
struct ModelAsk {
    var method = "GET"
    var resource = 0
    /// Accept-Language and X-Kind.
    var fields: [String: String] = [:]
    var authorization: String?
    var scope = ""
    var version: UInt32 = 0
    var mode = CacheMode.standard
    /// In seconds.
    var timeToLive: Int64?
    /// A range of bytes, the second one included; with a condition on a tag or not.
    var range: (first: Int, last: Int)?
    var ifRange: String?
    var ifNoneMatch: String?
    var isRevalidation = false

    // Directives.
    var isNoStore = false
    var isNoCache = false
    var isOnlyIfCached = false
    var maxAge: Int64?
    var minFresh: Int64?
    /// -1: any.
    var maxStale: Int64?
    var staleIfError: Int64?

    static let resources = ["https://one.test/0", "https://one.test/1?b=2&a=1", "https://two.test/2"]

    var url: String { Self.resources[resource] }

    /// To whom an answer belongs that differs by owner.
    var owner: String { scope.isEmpty ? authorization ?? "" : scope }

    /// To whom the stored answer belongs: what is served to one is never served to another.
    func scope(isShared: Bool) -> String {
        scope.isEmpty && !isShared ? authorization.map { "by \($0)" } ?? "" : scope
    }

    private var cacheControl: String? {
        var parts: [String] = []
        if isNoStore { parts.append("no-store") }
        if isNoCache { parts.append("no-cache") }
        if isOnlyIfCached { parts.append("only-if-cached") }
        if let maxAge { parts.append("max-age=\(maxAge)") }
        if let minFresh { parts.append("min-fresh=\(minFresh)") }
        if let maxStale { parts.append(maxStale < 0 ? "max-stale" : "max-stale=\(maxStale)") }
        if let staleIfError { parts.append("stale-if-error=\(staleIfError)") }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    func query(_ cache: Cache) throws -> CacheQuery {
        let block = FieldBlock()
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) { block.append(name, value) }
        if let authorization { block.append("Authorization", authorization) }
        if let cacheControl { block.append("Cache-Control", cacheControl) }
        if let range { block.append("Range", "bytes=\(range.first)-\(range.last)") }
        if let ifRange { block.append("If-Range", ifRange) }
        if let ifNoneMatch { block.append("If-None-Match", ifNoneMatch) }
        var options = Request.CacheOptions()
        options.mode = mode
        options.scope = scope
        options.version = version
        options.timeToLive = timeToLive.map { .seconds($0) }
        options.keyFields = ["X-Kind"]
        let request = CacheableRequest(method: method, url: try HTTPURL(url), fields: block, now: cache.now)
        return CacheQuery(
            request, options, cache.options, body: nil, isBodyStreamed: false, credentials: nil, decodesContent: false,
            tag: "tag\(resource)")
    }
}

extension ModelAsk: CustomStringConvertible {
    var description: String {
        var parts = [method, url, "\(fields)"]
        if let authorization { parts.append(authorization) }
        if !scope.isEmpty { parts.append("scope \(scope)") }
        if version > 0 { parts.append("version \(version)") }
        if mode != .standard { parts.append("mode \(mode)") }
        if let timeToLive { parts.append("ttl \(timeToLive)") }
        if let range { parts.append("range \(range.first)-\(range.last) \(ifRange ?? "")") }
        if let ifNoneMatch { parts.append("If-None-Match \(ifNoneMatch)") }
        if isRevalidation { parts.append("in the background") }
        if let cacheControl { parts.append(cacheControl) }
        return parts.joined(separator: ", ")
    }
}
