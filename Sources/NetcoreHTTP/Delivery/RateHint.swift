/// What an answer says of its server's rate limit: the fields of draft-ietf-httpapi-ratelimit-headers in its forms so far, and
/// `X-RateLimit-Remaining` with `X-RateLimit-Reset`.
package struct RateHint: Equatable, Sendable {
    /// Requests that may still be sent.
    package let remaining: Int
    /// Seconds until there are more.
    package let reset: Int

    /// Nil where nothing is said, or what is said cannot be read.
    ///
    /// - Parameters:
    ///   - fields: gives the value of a field by its name.
    ///   - now: seconds since 1970.
    package static func parse(_ fields: (String) -> String?, now: Int64) -> RateHint? {
        if let text = fields("ratelimit") {
            return parse(text, remaining: "r", reset: "t") ?? parse(text, remaining: "remaining", reset: "reset")
        }
        for prefix in ["ratelimit-", "x-ratelimit-", "x-rate-limit-"] {
            guard let remaining = fields(prefix + "remaining").flatMap(number),
                let reset = fields(prefix + "reset").flatMap(number)
            else { continue }
            return RateHint(remaining: remaining, reset: seconds(reset, now: now))
        }
        return nil
    }

    /// Of several policies, the one with the fewest requests left.
    private static func parse(_ text: String, remaining: String, reset: String) -> RateHint? {
        var found: RateHint?
        let policies = remaining == "r" ? text.split(separator: ",") : [Substring(text)]
        for policy in policies {
            var values: [String: Int] = [:]
            for part in policy.split(whereSeparator: { $0 == ";" || $0 == "," }) {
                let pair = part.split(separator: "=", maxSplits: 1)
                guard pair.count == 2, let value = number(String(pair[1])) else { continue }
                values[pair[0].filter { !$0.isWhitespace }.lowercased()] = value
            }
            guard let left = values[remaining], let wait = values[reset] else { continue }
            if left < found?.remaining ?? .max { found = RateHint(remaining: left, reset: wait) }
        }
        return found
    }

    private static func number(_ text: String) -> Int? {
        let digits = text.filter { !$0.isWhitespace }.prefix { $0 != ";" && $0 != "," }
        guard !digits.isEmpty, digits.count <= 15, digits.utf8.allSatisfy({ (48...57).contains($0) }) else {
            return nil
        }
        return Int(digits)
    }

    /// Some servers say seconds to wait, some seconds since 1970: nobody waits thirty years.
    private static func seconds(_ value: Int, now: Int64) -> Int {
        value < 1_000_000_000 ? value : max(value - Int(now), 0)
    }
}
