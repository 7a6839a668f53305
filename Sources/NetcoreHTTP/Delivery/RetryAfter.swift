internal import NetcoreSupport

/// Reads a Retry-After field (RFC 9110 section 10.2.3): seconds or a date.
package enum RetryAfter {
    /// - Parameter now: seconds since 1970.
    /// - Returns: milliseconds to wait; 0 for a date in the past; nil for what is neither digits nor a date. Saturates.
    package static func parse(_ text: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        guard let first = text.first else { return nil }
        if UInt8(ascii: "0")...UInt8(ascii: "9") ~= first { return seconds(text)?.multiplied(saturating: 1000) }
        guard let date = HTTPDate.parse(text, now: now) else { return nil }
        return max(0, date.subtracting(saturating: now)).multiplied(saturating: 1000)
    }

    private static func seconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        var value: Int64 = 0
        for byte in text {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            value = value.multiplied(saturating: 10).adding(saturating: Int64(byte - UInt8(ascii: "0")))
        }
        return value
    }
}
