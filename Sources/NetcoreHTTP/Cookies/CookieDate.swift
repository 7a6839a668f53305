/// The dates of cookies: four tokens in any order among whatever else there is (RFC 6265 section 5.1.1).
package enum CookieDate {
    /// Seconds since 1970-01-01 UTC; nil when a part is missing or the calendar has no such day.
    package static func parse(_ text: UnsafeRawBufferPointer) -> Int64? {
        var time: Int?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.split(whereSeparator: isDelimiter) {
            if time == nil, let found = timeOfDay(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found.value
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found.value < 70 ? found.value + 2000 : found.value < 100 ? found.value + 1900 : found.value
            }
        }
        guard let time, let day, let month, let year, time >= 0, year >= 1601 else { return nil }
        return HTTPDate.seconds(year, month, day, time)
    }

    private typealias Token = Slice<UnsafeRawBufferPointer>

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    /// So many digits and no more at the start of a token, and where they end.
    private static func number(_ token: Token, digits: ClosedRange<Int>) -> (value: Int, end: Int)? {
        let found = token.prefix(while: isDigit)
        guard digits ~= found.count else { return nil }
        return (found.reduce(0) { $0 * 10 + Int($1 &- 0x30) }, found.endIndex)
    }

    /// "8:49:37" in seconds since midnight; -1 for a time that no day has.
    private static func timeOfDay(_ token: Token) -> Int? {
        guard let hour = number(token, digits: 1...2), token[hour.end...].first == UInt8(ascii: ":"),
            let minute = number(token[(hour.end + 1)...], digits: 1...2),
            token[minute.end...].first == UInt8(ascii: ":"),
            let second = number(token[(minute.end + 1)...], digits: 1...2)
        else { return nil }
        guard hour.value < 24, minute.value < 60, second.value < 60 else { return -1 }
        return hour.value * 3600 + minute.value * 60 + second.value
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func monthNumber(_ token: Token) -> Int? {
        guard token.count >= 3 else { return nil }
        return months.firstIndex { $0.utf8.elementsEqual(token.prefix(3).lazy.map(Syntax.lowercased)) }.map { $0 + 1 }
    }
}
