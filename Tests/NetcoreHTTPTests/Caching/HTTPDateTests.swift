import NetcoreHTTP
import Testing

@Suite struct HTTPDateTests {
    private func parse(_ text: String, now: Int64 = noon) -> Int64? {
        Array(text.utf8).withUnsafeBytes { HTTPDate.parse($0, now: now) }
    }

    @Test(
        "the three formats of RFC 9110 name the same second",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ])
    func formats(text: String) { #expect(parse(text) == 784_111_777) }

    @Test(
        "dates of the calendar",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400),
            ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Tue, 19 Jan 2038 03:14:08 GMT", 2_147_483_648),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Sun Nov 16 08:49:37 1994", 784_975_777),
            ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ] as [(String, Int64)])
    func calendar(text: String, seconds: Int64) { #expect(parse(text) == seconds) }

    @Test(
        "what is not exactly one of the formats is no date",
        arguments: [
            "", "0", "-1", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT", "Sun,  06 Nov 1994 08:49:37 GMT",
            "Sun 06 Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Wed, 29 Feb 2023 00:00:00 GMT",
            "Thu, 29 Feb 1900 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37 GMT+1",
            "Sun, 06 Nov 1994 08:49:37 +0000", "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 94 08:49:37 GMT", "Sun Nov 06 08:49:37 1994 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 94", "1994-11-06T08:49:37Z",
            "Thu, 18 Aug 2050 02:01:18 AEST",
        ])
    func strict(text: String) { #expect(parse(text) == nil) }

    @Test(
        "names and GMT are read in any case",
        arguments: [
            "SUN, 06 Nov 1994 08:49:37 GMT", "Sun, 06 NOV 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 gMT",
            "sun, 06 nov 1994 08:49:37 gmt", "SUNDAY, 06-nov-94 08:49:37 Gmt", "sUN nOV  6 08:49:37 1994",
        ])
    func anyCase(text: String) { #expect(parse(text) == 784_111_777) }

    @Test(
        "a two-digit year that would be more than 50 years ahead lies in the past",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
            ("Friday, 15-Jun-75 12:00:00 GMT", "Sat, 15 Jun 2075 12:00:00 GMT"),
            ("Friday, 15-Jun-75 12:00:01 GMT", "Sun, 15 Jun 1975 12:00:01 GMT"),
            ("Monday, 01-Jan-76 00:00:00 GMT", "Thu, 01 Jan 1976 00:00:00 GMT"),
            ("Monday, 01-Jan-24 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00 GMT"),
        ])
    func century(text: String, meaning: String) { #expect(parse(text) == parse(meaning) && parse(text) != nil) }

    @Test(
        "dates are written as IMF-fixdate",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (noon, "Sun, 15 Jun 2025 12:00:00 GMT"),
        ])
    func written(seconds: Int64, text: String) { #expect(HTTPDate.format(seconds) == text) }

    @Test("what is written is read as the same second")
    func roundTrip() {
        for seconds in stride(from: Int64(-40_000_000_000), to: 200_000_000_000, by: 86_399 * 997) {
            #expect(parse(HTTPDate.format(seconds)) == seconds)
        }
    }
}
