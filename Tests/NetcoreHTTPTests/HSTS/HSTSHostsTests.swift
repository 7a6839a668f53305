import NetcoreHTTP
import Testing

private let now: Int64 = 1_749_988_800  // 2025-06-15 12:00:00

extension HSTSHosts {
    fileprivate mutating func hear(_ field: String, from host: String, at time: Int64 = now) -> Bool {
        guard let field = Array(field.utf8).withUnsafeBytes(StrictTransportSecurity.init) else { return false }
        return receive(field, from: host, now: time)
    }

    fileprivate var text: [String] {
        String(decoding: encoded(now: now), as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
            String($0)
        }
    }
}

@Suite("Hosts that ask for https")
struct HSTSHostsTests {
    @Test(
        "a host is meant alone, or with those below",
        arguments: [
            ("a.test", true), ("b.a.test", false), ("b.test", true), ("x.b.test", true), ("y.x.b.test", true),
            ("xb.test", false),
            ("test", false), ("", false), (".b.test", true), ("c.test", false),
        ])
    func match(host: String, isCovered: Bool) {
        var hosts = HSTSHosts()
        #expect(hosts.hear("max-age=60", from: "a.test") && hosts.hear("max-age=60; includeSubDomains", from: "b.test"))
        #expect(hosts.cover(host, now: now) == isCovered)
    }

    @Test("a host stays its own beside one above it, and its end is no end of the other")
    func beside() {
        var hosts = HSTSHosts()
        _ = hosts.hear("max-age=60; includeSubDomains", from: "a.test")
        _ = hosts.hear("max-age=600", from: "b.a.test")
        #expect(hosts.hear("max-age=0", from: "b.a.test") && hosts.cover("b.a.test", now: now))
        _ = hosts.hear("max-age=600", from: "b.a.test")
        #expect(
            hosts.hear("max-age=0", from: "a.test") && hosts.cover("b.a.test", now: now)
                && !hosts.cover("a.test", now: now))
        let isNews = hosts.hear("max-age=0", from: "a.test")
        #expect(!isNews)
    }

    @Test("it ends at the second, and each answer moves the end")
    func end() {
        var hosts = HSTSHosts()
        _ = hosts.hear("max-age=100", from: "a.test")
        #expect(hosts.cover("a.test", now: now + 99) && !hosts.cover("a.test", now: now + 100))
        let isNews = hosts.hear("max-age=100", from: "a.test", at: now + 1)
        #expect(!isNews && hosts.cover("a.test", now: now + 100))
        #expect(hosts.hear("max-age=100", from: "a.test", at: now + 2) && hosts.cover("a.test", now: now + 101))
        #expect(hosts.hear("max-age=1; includeSubDomains", from: "a.test") && !hosts.cover("a.test", now: now + 1))
    }

    @Test("a clock before 1970 and an end that never comes go together")
    func extremes() {
        var hosts = HSTSHosts()
        for time in [now, -10_000_000_000, .min / 1000, .max / 1000] as [Int64] {
            let isRead = hosts.decode(Array("a.test \"unlimited\"\n.b.test \"00010101 00:00:00\"".utf8), now: time)
            let isNews = hosts.hear("max-age=99999999999999999999", from: "a.test", at: time)
            #expect(isRead && isNews && hosts.cover("a.test", now: time))
            _ = hosts.hear("max-age=1", from: "a.test", at: time)
            #expect(hosts.encoded(now: time).count > 100)
        }
    }

    @Test(
        "addresses, and what is no name of a host, have no say",
        arguments: ["127.0.0.1", "::1", "", "a b", "ä.test", "a.test."])
    func addresses(host: String) {
        var hosts = HSTSHosts()
        let isNews = hosts.hear("max-age=60; includeSubDomains", from: host)
        #expect(!isNews && hosts.count == 0)
    }

    @Test("a site with very many hosts loses its own, that which ends first")
    func limit() {
        var hosts = HSTSHosts()
        _ = hosts.hear("max-age=5", from: "a.example.com")
        for number in 0...HSTSHosts.siteLimit {
            _ = hosts.hear("max-age=\(1000 - number)", from: "\(number).example.org")
        }
        #expect(hosts.count == HSTSHosts.siteLimit + 1 && hosts.cover("a.example.com", now: now))
        #expect(hosts.cover("0.example.org", now: now) && !hosts.cover("\(HSTSHosts.siteLimit).example.org", now: now))
    }

    // MARK: Text

    @Test("what is written is read again, in the format of curl")
    func text() {
        var hosts = HSTSHosts()
        _ = hosts.hear("max-age=31536000", from: "b.test")
        _ = hosts.hear("max-age=60; includeSubDomains", from: "a.test")
        #expect(hosts.text == [".a.test \"20250615 12:01:00\"", "b.test \"20260615 12:00:00\""])
        var other = HSTSHosts()
        #expect(other.decode(hosts.encoded(now: now), now: now) && other.text == hosts.text)
        #expect(hosts.encoded(now: now + 60).count < hosts.encoded(now: now).count)
    }

    @Test(
        "lines of curl's are read",
        arguments: [
            ("a.test \"20991231 23:59:59\"", ["a.test \"20991231 23:59:59\""]),
            ("a.test \"unlimited\"", ["a.test \"unlimited\""]),
            ("  .A.Test. \"20991231 00:00:00\" \r\n", [".a.test \"20991231 00:00:00\""]), ("# a.test\n\n", []),
            ("a.test \"20000101 00:00:00\"", []),
            ("a.test \"20980101 00:00:00\"\n.a.test \"20970101 00:00:00\"", [".a.test \"20980101 00:00:00\""]),
        ])
    func lines(text: String, expected: [String]) {
        var hosts = HSTSHosts()
        #expect(hosts.decode(Array(text.utf8), now: now) && hosts.text == expected)
    }

    @Test(
        "lines that are none are passed over, and a text of them alone is refused",
        arguments: [
            "a.test", "a.test 20991231 23:59:59", "a.test \"20991231 23:59:59", "a.test \"2099-12-31 23:59:59\"",
            "a.test \"20991331 23:59:59\"", "a.test \"20990231 23:59:59\"", "a.test \"20991231 24:00:00\"",
            "a.test \"\"",
            "127.0.0.1 \"20991231 23:59:59\"", "::1 \"20991231 23:59:59\"", "ä.test \"20991231 23:59:59\"",
            ". \"unlimited\"",
            "a.test \"20991231 23:59:59\" x", "a.test \"unlimited \"", "\"unlimited\"",
        ])
    func badLines(line: String) {
        var hosts = HSTSHosts()
        let isAnyGood = hosts.decode(Array(line.utf8), now: now)
        #expect(!isAnyGood && hosts.count == 0)
        #expect(hosts.decode(Array("b.test \"unlimited\"\n\(line)\n".utf8), now: now) && hosts.count == 1)
    }
}
