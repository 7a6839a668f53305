/// The times in files of curl's: "20251231 23:59:59" in UTC, or "unlimited".
package enum CurlDate {
    private static let unlimited = "unlimited"
    /// The first second of the year 10000.
    private static let limit: Int64 = 253_402_300_800

    /// - Parameter seconds: since 1970; not before.
    package static func format(_ seconds: Int64) -> String {
        guard seconds < limit else { return unlimited }
        let (year, month, day) = HTTPDate.civil(fromDays: seconds / 86_400)
        let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { HTTPDate.two(Int($0)) }
        return "\(HTTPDate.four(year))\(HTTPDate.two(month))\(HTTPDate.two(day)) \(parts.joined(separator: ":"))"
    }

    /// Seconds since 1970; the largest number for a time without end; nil for what is no time.
    package static func parse(_ text: ArraySlice<UInt8>) -> Int64? {
        text.withUnsafeBytes { text in
            if text.elementsEqual(unlimited.utf8) { return .max }
            guard text.count == 17, text[8] == 0x20, text[11] == UInt8(ascii: ":"), text[14] == UInt8(ascii: ":"),
                let year = number(text, 0, 4), let month = number(text, 4, 2), let day = number(text, 6, 2),
                let hour = number(text, 9, 2), let minute = number(text, 12, 2), let second = number(text, 15, 2),
                hour < 24, minute < 60, second <= 60, 1...12 ~= month
            else { return nil }
            return HTTPDate.seconds(year, month, day, hour * 3600 + minute * 60 + second)
        }
    }

    /// A number of so many digits; at most four.
    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
        var result = 0
        for byte in text[start..<start + count] {
            guard byte &- 0x30 < 10 else { return nil }
            result = result * 10 + Int(byte &- 0x30)
        }
        return result
    }
}
