import Glibc
import NetcoreHTTP
import Testing

@Suite("Domains of cookies")
struct CookieDomainTests {
    @Test(
        "a Domain covers the host that sent it and what lies below; nil: no cookie",
        arguments: [
            ("www.example.org", "example.org", "example.org"), ("www.example.org", ".example.org", "example.org"),
            ("www.example.org", "EXAMPLE.Org", "example.org"),
            ("WWW.Example.ORG", "www.example.org", "www.example.org"),
            ("example.org", "example.org", "example.org"), ("a.b.example.org", "b.example.org", "b.example.org"),
            ("www.example.org", "..example.org", nil), ("www.example.org", "example.org.", nil),
            ("www.example.org", ".example.org.", nil), ("www.example.org", "ample.org", nil),
            ("www.example.org", "other.org", nil),
            ("example.org", "www.example.org", nil), ("www.example.org", "org", nil), ("www.example.org", ".org", nil),
            ("www.example.org", "org.", nil), ("www.example.org", "example.org:80", nil),
            ("www.example.org", "*.example.org", nil),
            ("www.example.org", "example .org", nil), ("www.example.org", "\"example.org\"", nil),
            ("xexample.org", "example.org", nil),
            ("www.example.org", "..", nil), ("www.example.org", "example.örg", nil),
        ] as [(String, String, String?)])
    func domain(host: String, domain: String, expected: String?) throws {
        let found = try cookie("a=b; Domain=\(domain)", from: "http://\(host)/")
        #expect(found?.domain == expected && found?.isHostOnly != true)
    }

    @Test(
        "without a Domain, the cookie is the host's alone",
        arguments: ["", "; Domain", "; Domain=", "; Domain= ", "; Domain=.", "; Domain=example.org; Domain=."])
    func hostOnly(attributes: String) throws {
        let found = try #require(try cookie("a=b\(attributes)", from: "http://www.example.org/"))
        #expect(found.domain == "www.example.org" && found.isHostOnly)
        #expect(try sent(["a=b\(attributes)"], from: "http://www.example.org/", to: "http://x.www.example.org/") == nil)
    }

    @Test("the last Domain counts, and one without a value is not there")
    func last() throws {
        #expect(try cookie("a=b; Domain=example.org; Domain=other.org", from: "http://www.example.org/") == nil)
        #expect(try cookie("a=b; Domain=other.org; Domain=example.org", from: "http://www.example.org/") != nil)
        #expect(try cookie("a=b; Domain=example.org; Domain=", from: "http://www.example.org/")?.isHostOnly == false)
    }

    @Test(
        "a public suffix is refused, and so is what lies above one",
        arguments: [
            ("www.example.com", "com"), ("www.example.co.uk", "co.uk"), ("www.example.co.uk", "uk"),
            ("me.github.io", "github.io"),
            ("me.github.io", "io"), ("a.co.uk", "co.uk."), ("a.co.uk.", "co.uk."), ("a.co.uk.", "co.uk"),
            ("a.b.kawasaki.jp", "b.kawasaki.jp"),
            ("x.intranet", "intranet"), ("x.localhost", "localhost"), ("a.test", "test"),
            ("me.us-east-1.elasticbeanstalk.com", "us-east-1.elasticbeanstalk.com"),
            ("me.compute.amazonaws.com", "amazonaws.com"), ("xn--bcher-kva.xn--55qx5d.cn", "xn--55qx5d.cn"),
        ])
    func suffix(host: String, domain: String) throws {
        #expect(try cookie("a=b; Domain=\(domain)", from: "http://\(host)/") == nil)
        #expect(try cookie("a=b; Domain=.\(domain)", from: "http://\(host)/") == nil)
    }

    @Test(
        "a host that is a public suffix itself has cookies of its own",
        arguments: ["github.io", "co.uk", "localhost", "intranet"])
    func suffixHost(host: String) throws {
        let found = try #require(try cookie("a=b; Domain=\(host)", from: "http://\(host)/"))
        #expect(found.isHostOnly && found.domain == host)
    }

    @Test(
        "what lies below a suffix is shared among its own",
        arguments: ["example.co.uk", "me.github.io", "city.kawasaki.jp"])
    func belowSuffix(domain: String) throws {
        #expect(try sent(["a=b; Domain=\(domain)"], from: "http://x.\(domain)/", to: "http://y.\(domain)/") == "a=b")
    }

    @Test(
        "a dot at the end of the host makes no difference",
        arguments: [("example.org.", "example.org"), ("example.org", "EXAMPLE.ORG.")])
    func absoluteHost(one: String, other: String) throws {
        #expect(try sent(["a=b"], from: "http://\(one)/", to: "http://\(other)/") == "a=b")
        #expect(try sent(["a=b; Domain=example.org"], from: "http://\(one)/", to: "http://www.\(other)/") == "a=b")
        #expect(try sent(["a=b; Domain=example.org."], from: "http://\(one)/", to: "http://\(other)/") == nil)
    }

    @Test(
        "an address has cookies of its own, and no part of it is a domain",
        arguments: [
            ("127.0.0.1", "", true), ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "0.0.1", false),
            ("127.0.0.1", ".0.0.1", false),
            ("[::1]", "", true), ("[2001:DB8::1]", "", true), ("1.2.3.4", "3.4", false), ("1.2.3.4.", "", true),
        ])
    func address(host: String, domain: String, isKept: Bool) throws {
        let found = try cookie("a=b; Domain=\(domain)", from: "http://\(host)/")
        #expect((found != nil) == isKept && found?.isHostOnly != false)
        if isKept { #expect(try sent(["a=b"], from: "http://\(host)/") == "a=b") }
    }

    @Test("a port makes no difference, and neither does https")
    func portAndScheme() throws {
        #expect(try sent(["a=b"], from: "http://a.test:8080/", to: "https://a.test/") == "a=b")
    }

    @Test(
        "a name beyond ASCII is the one that IDNA makes of it"
    )
    func internationalName() throws {
        try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
        let names = try ["http://bücher.example/", "http://www.bücher.example/"].map {
            try cookie("a=b", from: $0)?.domain
        }
        #expect(names == ["xn--bcher-kva.example", "www.xn--bcher-kva.example"])
        #expect(try cookie("a=b; Domain=bücher.example", from: "http://www.bücher.example/") == nil)
    }

    @Test(
        "which paths a cookie's path covers",
        arguments: [
            ("/", "/", true), ("/", "/a", true), ("/a", "/a", true), ("/a", "/a/", true), ("/a", "/a/b", true),
            ("/a", "/a?b", true),
            ("/a/", "/a/", true), ("/a/", "/a/b", true), ("/a/", "/a", false), ("/a", "/ab", false), ("/a", "/", false),
            ("/A", "/a", false), ("/a/b", "/a", false), ("/a%2Fb", "/a/b", false), ("/a", "/b/../a", true),
            ("/b", "/b/../a", false),
        ])
    func path(cookiePath: String, path: String, isSent: Bool) throws {
        #expect(
            try (sent(["a=b; Path=\(cookiePath)"], from: "http://a.test/x", to: "http://a.test\(path)") != nil)
                == isSent)
    }
}
