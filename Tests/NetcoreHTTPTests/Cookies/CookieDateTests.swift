import NetcoreHTTP
import Testing

@Suite struct CookieDateTests {
    private func parse(_ text: String) -> Int64? { Array(text.utf8).withUnsafeBytes { CookieDate.parse($0) } }

    @Test(
        "four tokens in any order are a date, whatever stands between them",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "06 Nov 1994 08:49:37",
            "1994 Nov 6 8:49:37", "08:49:37 06 Nov 1994", "Nov/06/1994/08:49:37", "06 november 1994 08:49:37",
            "06 NOVxyz 94 08:49:37",
            "Sun, 6th Nov 1994 08:49:37.5 UTC", "06 Nov 1994 08:49:37 +0900", "06-Nov-1994-08:49:37",
            "x 06 y Nov z 1994 08:49:37pm",
            "06 Nov 1994AD 8:49:37", "\t06;Nov;1994;08:49:37", "06 Nov 1994 08:49:37 07 Dec 1995 09:50:38",
            "Sun 06 11 Nov 94 08:49:37 1995",
        ])
    func formats(text: String) {
        let year2011 = "Sun 06 11 Nov 94 08:49:37 1995"
        #expect(parse(text) == (text == year2011 ? parse("06 Nov 2011 08:49:37") : 784_111_777))
    }

    @Test(
        "years of two digits are those from 1970 to 2069",
        arguments: [("70", "1970"), ("99", "1999"), ("00", "2000"), ("69", "2069"), ("1601", "1601")])
    func years(short: String, long: String) {
        #expect(
            parse("01 Jan \(short) 00:00:00") == parse("01 Jan \(long) 00:00:00")
                && parse("01 Jan \(long) 00:00:00") != nil)
    }

    @Test(
        "a date without one of its parts, or that the calendar does not have, is none",
        arguments: [
            "", "0", "now", "06 Nov 1994", "Nov 1994 08:49:37", "06 1994 08:49:37", "06 Nov 08:49:37",
            "06 Nov 1994 08:49",
            "06 Nov 1994 24:00:00", "06 Nov 1994 08:60:00", "06 Nov 1994 08:49:60", "31 Nov 1994 08:49:37",
            "00 Nov 1994 08:49:37",
            "29 Feb 2023 00:00:00", "32 Jan 2024 00:00:00", "01 Jan 1600 00:00:00", "06 Nov 19944 08:49:37",
            "006 Nov 1994 08:49:37",
            "06 Nov 199 08:49:37", "06 No 1994 08:49:37", "06 Nov 1994 008:49:37", "06 Nov 1994 08:49:037",
            "06 Nov 1994 :49:37",
        ])
    func bad(text: String) { #expect(parse(text) == nil) }
}
