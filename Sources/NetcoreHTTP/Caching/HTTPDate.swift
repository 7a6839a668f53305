/// The three date formats of HTTP and their calendar, in seconds since 1970-01-01 UTC (RFC 9110 section 5.6.7).
///
/// Read strictly: every digit and space in its place, days that the calendar has, "GMT" and nothing else. Names and "GMT"
/// are read in any case, as caches should (RFC 9111 section 4.2). The name of the day must be one of the seven; whether it is the right one is not judged. A second 60 counts as
/// the next minute's first.
package enum HTTPDate {
    /// Reads a date. `now`, in the same unit, settles the century of a two-digit year: one that would be more than 50
    /// years ahead lies in the past.
    package static func parse(_ text: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        guard text.count >= 24 else { return nil }
        if text[3] == UInt8(ascii: ",") { return parseFixed(text) }
        if text[3] == UInt8(ascii: " ") { return parseAsctime(text) }
        return parseRFC850(text, now: now)
    }

    /// Writes an IMF-fixdate, such as "Sun, 06 Nov 1994 08:49:37 GMT"; years 0 to 9999.
    package static func format(_ seconds: Int64) -> String {
        let days = floorDivide(seconds, 86_400)
        let (year, month, day) = civil(fromDays: days)
        let rest = seconds - days * 86_400
        let weekday = Int(((days + 4) % 7 + 7) % 7)
        return "\(shortDays[weekday]), \(two(day)) \(months[month - 1]) \(four(year)) "
            + "\(two(Int(rest / 3600))):\(two(Int(rest / 60 % 60))):\(two(Int(rest % 60))) GMT"
    }

    // MARK: Formats

    /// "Sun, 06 Nov 1994 08:49:37 GMT"
    private static func parseFixed(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 29, isShortDay(text, 0), matches(text, 4, " "),
            let day = number(text, 5, 2), matches(text, 7, " "), let month = month(text, 8),
            matches(text, 11, " "), let year = number(text, 12, 4), matches(text, 16, " "),
            let time = time(text, 17), endsInGMT(text, 25)
        else { return nil }
        return seconds(year, month, day, time)
    }

    /// "Sunday, 06-Nov-94 08:49:37 GMT"
    private static func parseRFC850(_ text: UnsafeRawBufferPointer, now: Int64) -> Int64? {
        guard let comma = text.firstIndex(of: UInt8(ascii: ",")), text.count == comma + 24,
            longDays.contains(where: { Syntax.equalsIgnoringCase(UnsafeRawBufferPointer(rebasing: text[..<comma]), $0) }
            ),
            matches(text, comma + 1, " ")
        else { return nil }
        let start = comma + 2
        guard let day = number(text, start, 2), matches(text, start + 2, "-"),
            let month = month(text, start + 3), matches(text, start + 6, "-"),
            let short = number(text, start + 7, 2), matches(text, start + 9, " "), let time = time(text, start + 10),
            endsInGMT(text, start + 18)
        else { return nil }
        let (thisYear, _, _) = civil(fromDays: floorDivide(now, 86_400))
        var year = thisYear - thisYear % 100 + short
        if year + 50 < thisYear { year += 100 }
        guard let found = seconds(year, month, day, time) else { return nil }
        return year > thisYear + 50 || (year == thisYear + 50 && found > sameMoment(now, yearsLater: 50))
            ? seconds(year - 100, month, day, time) : found
    }

    /// "Sun Nov  6 08:49:37 1994"
    private static func parseAsctime(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == 24, isShortDay(text, 0), let month = month(text, 4), matches(text, 7, " "),
            let day = matches(text, 8, " ") ? number(text, 9, 1) : number(text, 8, 2), matches(text, 10, " "),
            let time = time(text, 11), matches(text, 19, " "), let year = number(text, 20, 4)
        else { return nil }
        return seconds(year, month, day, time)
    }

    // MARK: Pieces

    private static let shortDays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let longDays: [StaticString] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func matches(_ text: UnsafeRawBufferPointer, _ start: Int, _ expected: StaticString) -> Bool {
        guard start + expected.utf8CodeUnitCount <= text.count else { return false }
        for offset in 0..<expected.utf8CodeUnitCount where text[start + offset] != expected.utf8Start[offset] {
            return false
        }
        return true
    }

    /// Whether a text ends there, after a space and "GMT" in any case.
    private static func endsInGMT(_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        start + 4 == text.count && text[start] == UInt8(ascii: " ") && letters(text, start + 1) == letters("GMT")
    }

    /// Three letters in lower case as one number: dates are read for each answer that is stored.
    private static func letters(_ text: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
        guard start + 3 <= text.count else { return 0 }
        return UInt32(Syntax.lowercased(text[start])) << 16 | UInt32(Syntax.lowercased(text[start + 1])) << 8
            | UInt32(Syntax.lowercased(text[start + 2]))
    }

    private static func letters(_ name: String) -> UInt32 {
        name.utf8.reduce(0) { $0 << 8 | UInt32(Syntax.lowercased($1)) }
    }

    private static let shortDayLetters = shortDays.map { letters($0) }
    private static let monthLetters = months.map { letters($0) }

    private static func isShortDay(_ text: UnsafeRawBufferPointer, _ start: Int) -> Bool {
        shortDayLetters.contains(letters(text, start))
    }

    /// Which month's name stands there, from 1.
    private static func month(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        monthLetters.firstIndex(of: letters(text, start)).map { $0 + 1 }
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
        guard start + count <= text.count else { return nil }
        var result = 0
        for byte in text[start..<start + count] {
            guard byte &- 0x30 < 10 else { return nil }
            result = result * 10 + Int(byte &- 0x30)
        }
        return result
    }

    /// "08:49:37" in seconds since midnight.
    private static func time(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int? {
        guard let hour = number(text, start, 2), matches(text, start + 2, ":"), let minute = number(text, start + 3, 2),
            matches(text, start + 5, ":"), let second = number(text, start + 6, 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    // MARK: Calendar

    /// A day of the calendar and the seconds since its midnight; nil when there is no such day.
    static func seconds(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> Int64? {
        guard day >= 1, day <= daysIn(month, year) else { return nil }
        return days(year, month, day) * 86_400 + Int64(time)
    }

    /// The same day and time of a later year.
    private static func sameMoment(_ seconds: Int64, yearsLater: Int) -> Int64 {
        let day = floorDivide(seconds, 86_400)
        let (year, month, dayOfMonth) = civil(fromDays: day)
        return days(year + yearsLater, month, dayOfMonth) * 86_400 + seconds - day * 86_400
    }

    private static func daysIn(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970-01-01. A year is taken to begin in March, so that the leap day is its last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
        let shifted = Int64(month > 2 ? year : year - 1)
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    static func civil(fromDays days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        value >= 0 ? value / divisor : (value + 1) / divisor - 1
    }

    static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

    static func four(_ value: Int) -> String {
        let digits = "\(max(value, 0))"
        return String(repeating: "0", count: max(4 - digits.utf8.count, 0)) + digits
    }
}
