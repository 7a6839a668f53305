import NetcoreHTTP
import Testing

@Suite("The jar")
struct CookieJarTests {
    private let url = "http://www.example.org/"

    @Test("longer paths come first, then what was made earlier, whatever names and domains are")
    func order() throws {
        var jar = CookieJar()
        try jar.receive(
            ["a=1", "bb=2; Domain=example.org", "c=3; Path=/x", "dd=4", "e=5; Path=/x/y", "f=6; Path=/x/"], from: url)
        #expect(try jar.sent(to: url + "x/y") == "e=5; f=6; c=3; a=1; bb=2; dd=4")
    }

    @Test("a cookie that is set again keeps its place, and one that was removed loses it")
    func replacement() throws {
        var jar = CookieJar()
        try jar.receive(["a=1", "b=2", "c=3"], from: url)
        #expect(try jar.receive(["a=4"], from: url))
        #expect(try jar.sent(to: url) == "a=4; b=2; c=3")
        #expect(try jar.receive(["b=; Max-Age=0", "a=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT", "a=6"], from: url))
        #expect(try jar.sent(to: url) == "c=3; a=6" && jar.count == 2)
        #expect(try !jar.receive(["x=; Max-Age=0", "c=3"], from: url))
    }

    @Test("cookies of another path, another domain or the host alone are others, and case counts in names")
    func identity() throws {
        var jar = CookieJar()
        try jar.receive(
            ["a=1", "a=2; Path=/x", "a=3; Domain=www.example.org", "a=4; Domain=example.org", "A=5"], from: url)
        #expect(try jar.sent(to: url + "x") == "a=2; a=1; a=3; a=4; A=5")
        try jar.receive(["a=; Max-Age=0"], from: url)
        #expect(try jar.sent(to: url + "x") == "a=2; a=3; a=4; A=5")
    }

    @Test("a cookie ends in the second that it names")
    func expiry() throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Max-Age=10", "b=2"], from: url)
        #expect(try jar.sent(to: url, now: noon + 9) == "a=1; b=2")
        #expect(try jar.sent(to: url, now: noon + 10) == "b=2")
        #expect(jar.cookies(now: noon + 10).map(\.name) == ["b"])
        try jar.receive(["a=3"], from: url, now: noon + 10)
        #expect(try jar.sent(to: url, now: noon + 10) == "b=2; a=3" && jar.count == 2)
    }

    @Test("a secure cookie goes to https, and to this machine")
    func secure() throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Secure", "b=2"], from: "https://a.test/")
        #expect(try jar.sent(to: "http://a.test/") == "b=2")
        #expect(try jar.sent(to: "https://a.test/") == "a=1; b=2")
        for host in ["localhost", "LOCALHOST.", "127.0.0.1", "[::1]"] {
            #expect(try sent(["a=1; Secure"], from: "http://\(host):8080/") == "a=1")
        }
        #expect(try sent(["a=1; Secure"], from: "http://x.localhost/") == nil)
    }

    @Test(
        "what comes by http neither replaces a secure cookie nor hides it",
        arguments: [
            ("a=2; Path=/p", "http://www.example.org/", false), ("a=2; Path=/p/q", "http://www.example.org/", false),
            ("a=2; Path=/p; Domain=example.org", "http://www.example.org/", false),
            ("a=; Path=/p; Max-Age=0", "http://www.example.org/", false),
            ("a=2; Path=/p", "http://example.org/", false), ("a=2; Path=/p", "http://x.www.example.org/", false),
            ("a=2; Path=/", "http://www.example.org/", true), ("a=2; Path=/px", "http://www.example.org/", true),
            ("A=2; Path=/p", "http://www.example.org/", true), ("a=2; Path=/p", "http://ftp.example.org/", true),
            ("a=2; Path=/p", "https://www.example.org/", true),
        ])
    func leftAlone(field: String, from url: String, isKept: Bool) throws {
        var jar = CookieJar()
        try jar.receive(["a=1; Secure; Path=/p; Domain=www.example.org"], from: "https://www.example.org/")
        #expect(try jar.receive([field], from: url) == isKept)
        if !isKept { #expect(try jar.sent(to: "https://www.example.org/p") == "a=1") }
    }

    @Test("of one site at most 180 are kept: expired ones go first, then the one not used for longest")
    func siteLimit() throws {
        var jar = CookieJar()
        try jar.receive(["first=1; Path=/used", "second=1; Path=/not", "third=1; Max-Age=5"], from: url)
        try jar.receive((0..<177).map { "n\($0)=1; Domain=example.org" }, from: url)
        #expect(jar.count == 180)
        try jar.receive(["more=1"], from: "http://ftp.example.org/", now: noon + 5)
        #expect(jar.count == 180 && jar.cookies(now: noon).allSatisfy { $0.name != "third" })
        _ = try jar.sent(to: url + "used")
        try jar.receive(["last=1; Path=/last"], from: url)
        let names = jar.cookies(now: noon).map(\.name)
        #expect(names.count == 180 && names.first == "first" && !names.contains("second") && names.last == "last")
    }

    @Test("in all at most 3000 are kept, and no site pays for itself alone")
    func limit() throws {
        var jar = CookieJar()
        for number in 0..<3000 { try jar.receive(["a=\(number)"], from: "http://host\(number).test/") }
        _ = try jar.sent(to: "http://host0.test/")
        try jar.receive(["a=b"], from: "http://new.test/")
        #expect(jar.count == 3000)
        #expect(try jar.sent(to: "http://host0.test/") == "a=0" && jar.sent(to: "http://new.test/") == "a=b")
        #expect(try jar.sent(to: "http://host1.test/") == nil && jar.sent(to: "http://host2.test/") == "a=2")
    }

    @Test("the field has at most 8190 bytes")
    func fieldLimit() throws {
        var jar = CookieJar()
        let value = String(repeating: "v", count: 4000)
        try jar.receive(["a=\(value)", "b=\(value)", "c=\(value)", "d=1"], from: url)
        #expect(try jar.sent(to: url) == "a=\(value); b=\(value)")
    }

    @Test("cookies are listed in the order in which they were made, and removed by a rule")
    func listing() throws {
        var jar = CookieJar()
        try jar.receive(["a=1", "b=2; Max-Age=9"], from: "http://z.test/")
        try jar.receive(["c=3"], from: "http://a.test/")
        #expect(jar.cookies(now: noon).map(\.name) == ["a", "b", "c"])
        #expect(jar.removeAll { $0.expires == nil } == 2)
        #expect(jar.cookies(now: noon).map(\.name) == ["b"] && jar.count == 1)
        #expect(try jar.sent(to: "http://a.test/") == nil)
    }
}
