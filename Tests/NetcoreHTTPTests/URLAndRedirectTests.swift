import Glibc
import NetcoreHTTP
import Testing

@Suite struct HTTPURLTests {
    @Test(
        "URLs that are taken, and what becomes of them",
        arguments: [
            ("http://a", "http://a/", "http://a:80"),
            ("https://A.Example/x", "https://A.Example/x", "https://a.example:443"),
            ("http://a:80/", "http://a:80/", "http://a:80"), ("http://u:p@a/x?q#f", "http://a/x?q#f", "http://a:80"),
            ("http://a/b c?d e", "http://a/b%20c?d%20e", "http://a:80"),
            ("http://a/é", "http://a/%c3%a9", "http://a:80"),
            ("http://[::1]:8080/", "http://[::1]:8080/", "http://[::1]:8080"),
            ("http://[FE80::1%25Eth0]/", "http://[FE80::1%25Eth0]/", "http://[fe80::1%25Eth0]:80"),
        ])
    func taken(text: String, string: String, origin: String) throws {
        let url = try HTTPURL(text)
        #expect(url.string == string && url.origin == origin)
    }

    @Test(
        "URLs that are refused",
        arguments: [
            ("", .invalidURL), ("a", .invalidURL), ("/x", .invalidURL), ("//a/x", .invalidURL),
            ("http://", .invalidURL),
            ("http:///x", .invalidURL), ("http://a b/", .invalidURL), ("http://a:99999/", .invalidURL),
            ("http://a:0/", .invalidURL), ("http://a/\r\nX: y", .invalidURL), ("http://a/\0", .invalidURL),
            ("ftp://a/", .invalidScheme), ("file:///etc/passwd", .invalidScheme), ("gopher://a", .invalidScheme),
            ("foo://a", .invalidScheme), ("http://u%0d%0a@a/", .invalidURL), ("http://[::1/", .invalidURL),
        ] as [(String, NetcoreError.Code)])
    func refused(text: String, code: NetcoreError.Code) {
        #expect { try HTTPURL(text) } throws: {
            let error = $0 as? NetcoreError
            return error?.code == code && error?.message.hasPrefix("url: ") ?? false
        }
    }

    /// libcurl takes names to be in the encoding of the process's locale.
    private static let hasLocale = setlocale(LC_CTYPE, "C.UTF-8") != nil

    @Test(
        "a host beyond ASCII is the one that is connected to, in the URL and in its origin",
        arguments: [
            ("http://straßE/x", "http://xn--strae-oqa/x"), ("http://stra%C3%9Fe/", "http://xn--strae-oqa/"),
            ("http://STRAẞE:81/", "http://strasse:81/"),
            ("http://user:secret@bücher.test/?q=%C3", "http://xn--bcher-kva.test/?q=%C3"),
            ("http://a。b/", "http://a.b/"), ("http://ａ.com/#f", "http://a.com/#f"),
            ("http://１２７.1/", "http://127.0.0.1/"),
            ("http://☃.net/", "http://xn--n3h.net/"),
        ])
    func international(text: String, string: String) throws {
        try #require(Self.hasLocale)
        let (url, ascii) = (try HTTPURL(text), try HTTPURL(string))
        #expect(url.string == string && url.origin == ascii.origin)
        #expect(url.credentials?.password == (text.contains("secret") ? "secret" : nil))
    }

    @Test(
        "a host that IDNA refuses, or makes something else than a name of, is refused",
        arguments: ["http://a／b/", "http://℀/", "http://％41/", "http://-é-..b/", "http://é\u{FFFF}/"])
    func refusedNames(text: String) throws {
        try #require(Self.hasLocale)
        #expect { try HTTPURL(text) } throws: { ($0 as? NetcoreError)?.code == .invalidURL }
        let base = try HTTPURL("http://a/")
        #expect { try resolve(base, text) } throws: { ($0 as? NetcoreError)?.code == .invalidURL }
    }

    @Test("user name and password are decoded and kept apart")
    func credentials() throws {
        #expect(try HTTPURL("http://us%40er:p%3Aw@a/").credentials.map { [$0.user, $0.password] } == ["us@er", "p:w"])
        #expect(try HTTPURL("http://user@a/").credentials.map { [$0.user, $0.password] } == ["user", ""])
        #expect(try HTTPURL("http://a/").credentials == nil)
        #expect(try HTTPURL("http://user:secret@a/p?token=1#f").display == "http://a/p")
    }

    @Test(
        "references are resolved as RFC 3986 section 5.4 says",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("https://b/x", "https://b/x"), ("", "http://a/b/c/d;p?q"), ("#s", "http://a/b/c/d;p?q#s"),
        ])
    func join(reference: String, expected: String) throws {
        let base = try HTTPURL("http://a/b/c/d;p?q")
        let joined = try resolve(base, reference)
        #expect(joined.string == expected)
    }

    @Test("a redirect passes the fragment on, unless it has its own")
    func fragment() throws {
        let base = try HTTPURL("http://a/x#old")
        #expect(try resolve(base, "/y").string == "http://a/y#old")
        #expect(try resolve(base, "/y#new").string == "http://a/y#new")
    }
}

func resolve(_ base: HTTPURL, _ reference: String) throws -> HTTPURL {
    try Array(reference.utf8).withUnsafeBytes { try base.resolving($0) }
}

@Suite struct RedirectPolicyTests {
    private func decide(
        _ policy: RedirectPolicy = RedirectPolicy(), status: Int = 302, to location: String?, method: String = "GET",
        from: String = "https://a/x", redirects: Int = 0
    ) throws -> RedirectPolicy.Decision {
        let url = try HTTPURL(from)
        guard let location else {
            return policy.decide(
                status: status, location: nil, method: method, url: url, redirects: redirects, limit: 5)
        }
        return Array(location.utf8).withUnsafeBytes {
            policy.decide(status: status, location: $0, method: method, url: url, redirects: redirects, limit: 5)
        }
    }

    @Test(
        "methods change as RFC 9110 section 15.4 says",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (307, "POST", "POST"),
            (308, "POST", "POST"),
            (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "PUT", "GET"), (303, "DELETE", "GET"),
            (303, "HEAD", "HEAD"), (301, "HEAD", "HEAD"), (302, "GET", "GET"), (307, "PATCH", "PATCH"),
        ])
    func methods(status: Int, method: String, expected: String) throws {
        guard case .follow(let step) = try decide(status: status, to: "/y", method: method) else {
            Issue.record("not followed")
            return
        }
        #expect(step.method == expected)
        #expect(step.dropsBody == (expected != method))
    }

    @Test(
        "credentials go when scheme, host or port changes",
        arguments: [
            ("/y", false), ("https://a/y", false), ("https://A:443/y", false), ("https://b/", true),
            ("https://a:444/", true), ("https://a.b/", true),
        ])
    func credentials(location: String, drops: Bool) throws {
        try check(drops, to: location)
    }

    @Test(
        "whether it is another origin is asked of the hosts that are connected to",
        arguments: [
            ("https://straße/", "https://straẞe/", true), ("https://straße/", "https://xn--strae-oqa/", false),
            ("https://xn--strae-oqa/", "https://STRASSE/", true), ("https://xn--strae-oqa/", "https://straße/", false),
            ("https://[fe80::1%25eth0]/", "https://[fe80::1%25eth1]/", true),
            ("https://[fe80::1%25eth0]/", "https://[fe80::1]/", true),
            ("https://[fe80::1%25eth0]/", "https://[fe80::1%25ETH0]/", true),
            ("https://[fe80::1%25eth0]/", "https://[FE80::1%25eth0]/", false),
        ])
    func otherNames(from: String, to: String, drops: Bool) throws {
        try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
        try check(drops, from: from, to: to)
    }

    private func check(_ drops: Bool, from: String = "https://a/x", to location: String) throws {
        guard case .follow(let step) = try decide(to: location, from: from) else {
            Issue.record("not followed")
            return
        }
        #expect(step.dropsCredentials == drops)
    }

    @Test("answers that are no redirects are delivered", arguments: [200, 300, 304, 305, 306, 399])
    func delivered(status: Int) throws {
        guard case .deliver = try decide(status: status, to: "/y") else {
            Issue.record("not delivered")
            return
        }
    }

    @Test("a redirect without Location, or with following off, is delivered")
    func off() throws {
        var policy = RedirectPolicy()
        policy.isFollowing = false
        for decision in [try decide(to: nil), try decide(policy, to: "/y")] {
            guard case .deliver = decision else {
                Issue.record("not delivered")
                return
            }
        }
    }

    @Test(
        "redirects that cannot be followed",
        arguments: [
            ("http://a/", .redirectInsecure), ("ftp://a/", .redirect), ("https://", .redirect),
            ("https://a:x/", .redirect),
            ("javascript:alert(1)", .redirect),
        ] as [(String, NetcoreError.Code)])
    func failures(location: String, code: NetcoreError.Code) throws {
        guard case .fail(let error) = try decide(to: location) else {
            Issue.record("did not fail")
            return
        }
        #expect(error.code == code)
    }

    @Test("https to http is followed where it is allowed")
    func insecure() throws {
        var policy = RedirectPolicy()
        policy.allowsInsecure = true
        guard case .follow(let step) = try decide(policy, to: "http://a/") else {
            Issue.record("not followed")
            return
        }
        #expect(step.dropsCredentials)
    }

    @Test("their number is bounded")
    func limit() throws {
        guard case .follow = try decide(to: "/y", redirects: 4),
            case .fail(let error) = try decide(to: "/y", redirects: 5)
        else {
            Issue.record("not bounded")
            return
        }
        #expect(error.code == .limitRedirects)
    }

    @Test("what becomes https is no insecure redirect, and its origin is that of https")
    func upgrade() throws {
        let url = try HTTPURL("https://a/x")
        let decision = Array("http://a:80/y#z".utf8).withUnsafeBytes {
            RedirectPolicy().decide(status: 302, location: $0, method: "GET", url: url, redirects: 0, limit: 5) {
                url throws(NetcoreError) in try url.upgraded()
            }
        }
        guard case .follow(let step) = decision else {
            Issue.record("not followed")
            return
        }
        #expect(step.url.string == "https://a/y#z" && !step.dropsCredentials)
    }
}
