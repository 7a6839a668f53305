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
    package static func parse(_ text: some Collection<UInt8>) -> Int64? {
        if text.elementsEqual(unlimited.utf8) { return .max }
        let pattern = "dddddddd dd:dd:dd".utf8
        guard text.count == pattern.count else { return nil }
        var digits: [Int] = []
        for (byte, expected) in zip(text, pattern) {
            if expected != UInt8(ascii: "d") {
                guard byte == expected else { return nil }
            } else {
                guard byte &- 0x30 < 10 else { return nil }
                digits.append(Int(byte &- 0x30))
            }
        }
        let number = { (range: Range<Int>) in digits[range].reduce(0) { $0 * 10 + $1 } }
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard hour < 24, minute < 60, second <= 60, 1...12 ~= number(4..<6) else { return nil }
        return HTTPDate.seconds(number(0..<4), number(4..<6), number(6..<8), hour * 3600 + minute * 60 + second)
    }
}
