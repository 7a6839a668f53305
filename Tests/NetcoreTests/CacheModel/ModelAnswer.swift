import Netcore
import NetcoreHTTP
import NetcoreSupport

/// What an origin sent once, as the model remembers it. Its number stands in the field Content-Location, which an update by
/// a 304 writes into what is stored: so each answer that comes out of a cache says which one its head is from.
struct ModelAnswer {
    var serial = 0
    var ask: ModelAsk
    var status = 200
    var version: ModelVersion
    /// What the answer is about; the bytes of a 304 and of an answer to HEAD are these too.
    var representation: ModelRepresentation
    /// The bytes of it that were sent; nil for all.
    var range: Range<Int>?

    // What its fields say.
    var maxAge: Int64 = 0
    var isNoStore = false
    var isNoCache = false
    var isPrivate = false
    var isPublic = false
    var mustRevalidate = false
    var staleWhileRevalidate: Int64 = 0
    var staleIfError: Int64 = 0
    var date: Int64?
    var age: Int64 = 0
    var expires: Int64 = 0
    var clearsSite = false
    var location: String?
    var ownLocation: String?

    // When it was asked for and came: on the cache's clock, and in the order of events.
    var requestTime = Timestamp(wall: 0, uptime: 0, boot: 0)
    var responseTime = Timestamp(wall: 0, uptime: 0, boot: 0)
    var begin = 0
    /// The caller was told that it is stored.
    var isStored = false

    /// Of two that were asked for in the same millisecond none is.
    func isNewer(than other: ModelAnswer) -> Bool {
        begin > other.begin
            && (requestTime.uptime != other.requestTime.uptime || requestTime.boot != other.requestTime.boot)
    }

    var cacheControl: String? {
        guard version.lifetime == .maxAge else { return nil }
        var parts = ["max-age=\(maxAge)"]
        if isNoStore { parts.append("no-store") }
        if isNoCache { parts.append("no-cache") }
        if isPrivate { parts.append("private") }
        if isPublic { parts.append("public") }
        if mustRevalidate { parts.append("must-revalidate") }
        if staleWhileRevalidate > 0 { parts.append("stale-while-revalidate=\(staleWhileRevalidate)") }
        if staleIfError > 0 { parts.append("stale-if-error=\(staleIfError)") }
        return parts.joined(separator: ", ")
    }

    var contentLocation: String { ownLocation ?? "/serial/\(serial)" }

    var body: [UInt8] {
        let bytes = representation.bytes
        return range.map { Array(bytes[$0]) } ?? bytes
    }

    var fields: [(name: String, value: String)] {
        var fields = [("Content-Location", contentLocation), ("X-Serial", "\(serial)")]
        fields += [("Connection", "X-Hop"), ("X-Hop", "\(serial)")]
        if let cacheControl { fields.append(("Cache-Control", cacheControl)) }
        if version.lifetime == .expires { fields.append(("Expires", HTTPDate.format(expires))) }
        if let date { fields.append(("Date", HTTPDate.format(date))) }
        if age > 0 { fields.append(("Age", "\(age)")) }
        if representation.occasion == 0, version.status == 200 {
            if version.hasTag {
                fields.append(("ETag", (version.isTagWeak ? "W/" : "") + representation.tag))
            }
            if let modified = version.lastModified { fields.append(("Last-Modified", HTTPDate.format(modified))) }
        }
        if version.isVaryAny { fields.append(("Vary", "*")) }
        if !version.vary.isEmpty { fields.append(("Vary", version.vary.joined(separator: ", "))) }
        if clearsSite { fields.append(("Clear-Site-Data", "\"cache\"")) }
        if let location { fields.append(("Location", location)) }
        if let range {
            fields.append(
                ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(representation.bytes.count)"))
        }
        if status != 304 {
            fields.append(("Content-Length", "\(body.count)"))
            // Of a 200 alone: an update by a 304 must keep it.
            fields.append(("X-Whole", "\(representation.version).\(representation.occasion)"))
        }
        return fields
    }

    var response: Response {
        let response = Response()
        response.status = status
        response.version = .http1_1
        let block = FieldBlock()
        for (name, value) in fields { block.append(name, value) }
        response.fieldBlock = block
        if status != 304, ask.method != "HEAD" {
            response.bodyBuffer = body.withUnsafeBytes { ByteBuffer(copying: $0) }
        }
        response.attempts = 1
        return response
    }
}
