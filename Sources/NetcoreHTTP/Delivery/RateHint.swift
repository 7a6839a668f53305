/// What an answer says of its server's rate limit, by the first of these that says something: `Retry-After` of a 429 or 503 (RFC 9110
/// section 10.2.3), `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers), `RateLimit-Remaining` with
/// `RateLimit-Reset` (its drafts up to 06), `X-RateLimit-Remaining` with `X-RateLimit-Reset`.
package struct RateHint: Equatable, Sendable {
    /// Requests that may still be sent.
    package let remaining: Int
    /// Seconds until there are more.
    package let reset: Int

    package init(remaining: Int, reset: Int) {
        self.remaining = remaining
        self.reset = reset
    }

    /// Nil where nothing is said, or what is said cannot be read.
    ///
    /// - Parameters:
    ///   - fields: gives the value of a field by its name.
    ///   - now: seconds since 1970.
    package static func parse(status: Int, _ fields: (String) -> String?, now: Int64) -> RateHint? {
        if status == 429 || status == 503, var text = fields("retry-after"),
            let wait = text.withUTF8({ RetryAfter.parse(UnsafeRawBufferPointer($0), now: now) })
        {
            return RateHint(remaining: 0, reset: Int(clamping: wait.adding(saturating: 999) / 1000))
        }
        if let text = fields("ratelimit") {
            return least(RateLimits(text), policies: fields("ratelimit-policy").map { RateLimits($0) })
        }
        for prefix in ["ratelimit-", "x-ratelimit-", "x-rate-limit-"] {
            guard let remaining = fields(prefix + "remaining").flatMap(number),
                let reset = fields(prefix + "reset").flatMap(number)
            else { continue }
            return RateHint(remaining: remaining, reset: seconds(reset, now: now))
        }
        return nil
    }

    /// Of several limits, the one with the fewest requests left, and of these the one that lasts longest. One without a time lasts for
    /// the window of its policy; one that does not count requests is none.
    private static func least(_ limits: RateLimits, policies: RateLimits?) -> RateHint? {
        if let left = limits.pairs["remaining"].flatMap(number), let reset = limits.pairs["reset"].flatMap(number) {
            return RateHint(remaining: left, reset: reset)
        }
        var found: RateHint?
        for limit in limits.members {
            let policy = policies?.members.first { $0.name == limit.name }?.parameters ?? [:]
            guard policy["qu", default: "requests"] == "requests", let left = limit.parameters["r"].flatMap(number),
                let reset = (limit.parameters["t"] ?? policy["w"]).flatMap(number)
            else { continue }
            if let least = found, (left, -reset) >= (least.remaining, -least.reset) { continue }
            found = RateHint(remaining: left, reset: reset)
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

    /// Some servers say seconds to wait, some seconds since 1970: no limit lasts thirty years.
    private static func seconds(_ value: Int, now: Int64) -> Int {
        value < 1_000_000_000 ? value : max(value - Int(now), 0)
    }
}

/// A list of named limits with parameters (RFC 9651 section 3.1), or of pairs as in earlier drafts. What cannot be read ends it.
private struct RateLimits {
    private(set) var members: [(name: String, parameters: [String: String])] = []
    private(set) var pairs: [String: String] = [:]

    init(_ text: String) {
        var text = text
        text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer) {
        var scanner = FieldScanner(bytes)
        repeat {
            scanner.skipWhitespace()
            guard let name = scanner.tokenOrQuotedString() else { return }
            if scanner.take("=") {
                guard let value = scanner.token() else { return }
                pairs[name.loweredText] = String(decoding: value, as: UTF8.self)
            } else {
                let parameters = Self.parameters(&scanner)
                members.append((String(decoding: name, as: UTF8.self), parameters))
            }
            scanner.skipWhitespace()
        } while scanner.take(",")
    }

    private static func parameters(_ scanner: inout FieldScanner) -> [String: String] {
        var result: [String: String] = [:]
        scanner.skipWhitespace()
        while scanner.take(";") {
            scanner.skipWhitespace()
            guard let name = scanner.token() else { return result }
            if scanner.take("="), let value = scanner.tokenOrQuotedString() ?? scanner.byteSequence() {
                result[name.loweredText] = String(decoding: value, as: UTF8.self)
            }
            scanner.skipWhitespace()
        }
        return result
    }
}

extension FieldScanner {
    /// Bytes in base64 between colons (RFC 9651 section 3.3.5), as they stand; nil when none stand here.
    fileprivate mutating func byteSequence() -> [UInt8]? {
        guard take(":") else { return nil }
        var content: [UInt8] = []
        while !take(":") {
            if let part = token() {
                content += part
            } else if take("/") || take("=") {
                continue
            } else {
                return nil
            }
        }
        return content
    }
}
