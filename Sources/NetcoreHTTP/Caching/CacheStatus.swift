/// What the cache did with a request, as a member of the field Cache-Status (RFC 9211).
package struct CacheStatus: Sendable, Equatable {
    /// Why a request went on to the origin (RFC 9211 section 2.2).
    package enum Forward: String, Sendable {
        /// The cache was told not to handle it.
        case bypass
        /// The method must be forwarded.
        case method
        /// Nothing is stored for the URL.
        case uriMiss = "uri-miss"
        /// Nothing that is stored for the URL matches the request's fields.
        case varyMiss = "vary-miss"
        /// Nothing that could be used is stored, for a reason that is not told.
        case miss
        /// A directive of the request asked for it.
        case request
        /// What is stored is stale.
        case stale
        /// Only a part of it is stored.
        case partial
    }

    /// Whether the answer came from the cache without a request to the origin.
    package var isHit = false
    package var forward: Forward?
    /// The status with which the origin answered; told when it is another one than the answer's own.
    package var forwardStatus: Int?
    /// The seconds for which the answer stays fresh, below 0 when it is stale.
    package var timeToLive: Int64?
    package var isStored = false
    /// Whether the request waited for another one's answer.
    package var isCollapsed = false
    /// More about it, such as a reason for not storing.
    package var detail: String?

    package init() {}

    package static func hit(timeToLive: Int64) -> CacheStatus {
        var result = CacheStatus()
        result.isHit = true
        result.timeToLive = timeToLive
        return result
    }

    package static func forwarded(_ forward: Forward) -> CacheStatus {
        var result = CacheStatus()
        result.forward = forward
        return result
    }

    /// Why a request goes on to the origin when nothing stored answers it.
    ///
    /// - Parameters:
    ///   - hasStored: whether anything is stored for the URL.
    ///   - hasMatching: whether any of that matches the request's fields.
    package static func reason(_ request: CacheableRequest, hasStored: Bool, hasMatching: Bool) -> Forward {
        guard request.isGet || request.isHead else { return .method }
        guard !request.hasOriginCondition else { return .request }
        return hasMatching ? .miss : hasStored ? .varyMiss : .uriMiss
    }

    /// The member, such as "netcore; hit; ttl=54".
    package var text: String {
        var text = "netcore"
        if isHit { text += "; hit" }
        if let forward {
            text += "; fwd="
            text += forward.rawValue
        }
        if let forwardStatus { text += "; fwd-status=\(forwardStatus)" }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        if isStored { text += "; stored" }
        if isCollapsed { text += "; collapsed" }
        if let detail { text += "; detail=\(Self.quoted(detail))" }
        return text
    }

    /// A String of RFC 8941 section 3.3.3: what is not ASCII becomes "?".
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += "\\\(Character(UnicodeScalar(byte)))"
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(byte))
            default: result += "?"
            }
        }
        return result + "\""
    }
}
