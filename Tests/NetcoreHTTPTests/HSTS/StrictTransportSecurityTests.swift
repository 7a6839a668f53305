import NetcoreHTTP
import Testing

/// "60", or "60 sub" where those below are meant too; nil for a field that says nothing.
private func read(_ field: String) -> String? {
    Array(field.utf8).withUnsafeBytes(StrictTransportSecurity.init).map {
        "\($0.maxAge)\($0.includesSubdomains ? " sub" : "")"
    }
}

@Suite("Reading Strict-Transport-Security")
struct StrictTransportSecurityTests {
    @Test(
        "a field of the grammar is read",
        arguments: [
            ("max-age=60", "60"), ("max-age=\"60\"", "60"), ("MAX-AGE=60", "60"), (" max-age = 60 ", "60"),
            ("max-age=60;includeSubDomains", "60 sub"), ("includesubdomains ; max-age=60", "60 sub"),
            ("max-age=0", "0"),
            ("max-age=60; preload", "60"), ("max-age=60; x=y; z=\"a;b\\\"=c\"", "60"), (";;max-age=60; ;", "60"),
            ("max-age=\"6\\0\"", "60"), ("\tmax-age=60\t;\tincludeSubDomains\t", "60 sub"), ("max-age=0060", "60"),
            ("max-age=99999999999999999999", "2147483648"),
        ])
    func valid(field: String, expected: String) { #expect(read(field) == expected) }

    @Test(
        "a field that breaks a rule says nothing (RFC 6797 section 6.1)",
        arguments: [
            "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=x", "max-age=-1", "max-age=1.5",
            "max-age=\"\"",
            "max-age=\"60", "max-age=60 60", "max-age=60, max-age=60", "max-age=60; max-age=60",
            "max-age=60; MAX-AGE=0",
            "max-age=60; x; X", "max-age=60; includeSubDomains; includeSubDomains", "max-age=60; includeSubDomains=1",
            "max-age=60; includeSubDomains=\"\"", "max-age=60; x=", "max-age=60; =x", "max-age=60; x=\"\u{1}\"",
            "max-age=60; ä",
            "max-age=\"60\"x", "max-age=60\u{0}", "max-age=' 60'",
        ])
    func invalid(field: String) { #expect(read(field) == nil) }
}
