/// How a cache applies the rules of RFC 9111 where they leave a choice.
package struct CacheSettings: Sendable {
    /// Whether answers go to more than one user (RFC 9111 section 1.2); a private cache otherwise.
    package var isShared = false
    /// The status codes whose caching rules are implemented, for must-understand (RFC 9111 section 5.2.2.3): the final
    /// ones of RFC 9110.
    package var understoodStatuses: Set<Int> = Set(
        Array(200...206) + Array(300...305) + [307, 308] + Array(400...417) + [421, 422, 426] + Array(500...505))
    /// The part of the time since the last modification that counts as fresh when the answer does not say (RFC 9111
    /// section 4.2.2), in percent; 0 turns that off.
    package var heuristicPercent: Int64 = 10
    /// The longest such lifetime, in seconds.
    package var heuristicLimit: Int64 = 7 * 86_400
    /// Whether a stale answer may be served without its permission when the origin is out of reach (RFC 9111 section
    /// 4.2.4, "disconnected").
    package var servesStaleWhenDisconnected = false

    package init() {}
}
