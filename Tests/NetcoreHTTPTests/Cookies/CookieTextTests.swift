import NetcoreHTTP
import Testing

@Suite("Netscape's format")
struct CookieTextTests {
    private func decode(_ lines: String...) -> (cookies: [Cookie], badLines: Int) {
        CookieText.decode(lines.joined(separator: "\n").utf8)
    }

    @Test("cookies come back from their text as they were, in their order")
    func roundTrip() throws {
        var jar = CookieJar()
        try jar.receive(
            [
                "z=1", "a=; Secure; HttpOnly; Path=/x y", "#c=d e=\"f\"; Domain=example.org; Max-Age=60",
                "é=ü; Max-Age=99999999999999999999",
            ],
            from: "https://www.example.org/")
        try jar.receive(["n=1", "m=2; HttpOnly"], from: "http://[::1]:8080/")
        try jar.receive(["n=1"], from: "http://127.0.0.1/")
        var strange = Cookie(name: "s", value: "", domain: "a.test")
        strange.valueBytes = [0xFF, 0x80, 0x20, 0xC3]
        _ = jar.store(strange, now: noon)
        let cookies = jar.cookies(now: noon)
        #expect(cookies.count == 8)
        let found = CookieText.decode(CookieText.encode(cookies))
        #expect(found.cookies == cookies && found.badLines == 0)
    }

    @Test("the text is the one that curl reads")
    func text() {
        let cookies = [
            Cookie(name: "a", value: "b", domain: "www.example.org"),
            Cookie(
                name: "c", value: "", domain: "example.org", path: "/x", isHostOnly: false, isSecure: true,
                isHTTPOnly: true,
                expires: 1_900_000_000),
        ]
        let lines = String(decoding: CookieText.encode(cookies), as: UTF8.self).split(separator: "\n")
        #expect(lines.first == "# Netscape HTTP Cookie File")
        #expect(
            lines.suffix(2) == [
                "www.example.org\tFALSE\t/\tFALSE\t0\ta\tb", "#HttpOnly_.example.org\tTRUE\t/x\tTRUE\t1900000000\tc\t",
            ])
    }

    @Test(
        "lines that others write",
        arguments: [
            "a.test\tFALSE\t/\tFALSE\t0\tn\tv", "a.test\tFALSE\t/\tFALSE\t0\tn\tv\r",
            "A.TEST\tfalse\t/\tfalse\t0\tn\tv",
            "a.test\tFALSE\t/\tFALSE\t\tn\tv", ".a.test\tFALSE\t/\tFALSE\t0\tn\tv",
        ])
    func others(line: String) {
        #expect(decode("# x", line, "").cookies == [Cookie(name: "n", value: "v", domain: "a.test")])
    }

    @Test("an empty value may lack its tab")
    func emptyValue() {
        #expect(decode("a.test\tFALSE\t/\tFALSE\t0\tn").cookies == [Cookie(name: "n", value: "", domain: "a.test")])
    }

    @Test(
        "a bad line is skipped, and those around it are read",
        arguments: [
            "x", "\t\t\t\t\tn\tv", "a.test\tFALSE\t/\tFALSE\t0", "a.test\tMAYBE\t/\tFALSE\t0\tn\tv",
            "a.test\tFALSE\t/\t\t0\tn\tv",
            "a.test\tFALSE\tx\tFALSE\t0\tn\tv", "a.test\tFALSE\t\tFALSE\t0\tn\tv", "a.test\tFALSE\t/\tFALSE\tx\tn\tv",
            "a.test\tFALSE\t/\tFALSE\t99999999999999999999\tn\tv", "a.test\tFALSE\t/\tFALSE\t0\t\tv",
            "\tFALSE\t/\tFALSE\t0\tn\tv",
            "a.test\tFALSE\t/\tFALSE\t0\tn\tv\tw", "a.test\tFALSE\t/\tFALSE\t0\tn=\tv",
            "a.test\tFALSE\t/\tFALSE\t0\tn\tv;w",
            "a.test\tFALSE\t/\tFALSE\t0\tn\t\u{0}", "a b\tFALSE\t/\tFALSE\t0\tn\tv",
            "a.test.\tFALSE\t/\tFALSE\t0\tn\tv",
            ".co.uk\tTRUE\t/\tFALSE\t0\tn\tv", "co.uk.\tTRUE\t/\tFALSE\t0\tn\tv",
            "a.test\tFALSE\t/\tFALSE\t0\t__Secure-n\tv",
            "ä.test\tFALSE\t/\tFALSE\t0\tn\tv",
        ])
    func bad(line: String) {
        let good = "a.test\tFALSE\t/\tFALSE\t0\tgood\t1"
        let found = decode(good, line, good)
        #expect(found.cookies.map(\.name) == ["good", "good"] && found.badLines == 1)
    }

    @Test("whatever is cut off or altered, what is read is valid")
    func damage() {
        let cookies = (0..<4).map {
            Cookie(name: "n\($0)", value: "v", domain: "a\($0).test", path: "/p", isHTTPOnly: $0 == 2)
        }
        let text = CookieText.encode(cookies)
        for index in text.indices {
            #expect(CookieText.decode(text[..<index]).cookies.count <= 4)
            for bit in 0..<8 {
                var text = text
                text[index] ^= 1 << bit
                for cookie in CookieText.decode(text).cookies { #expect((try? cookie.validated()) == cookie) }
            }
        }
    }

    @Test("whatever a server sends, what is kept is valid, survives its text and makes a field without harm")
    func arbitrary() throws {
        let pieces = [
            "a", "b", "=", ";", " ", "\t", "\"", ",", "/", ".", "\r\n", "\u{0}", "é", "#", "__Host-", "Domain=",
            ".a.test",
            "co.uk", "a.test",
            "Path=", "/x", "Secure", "HttpOnly", "Max-Age=", "1", "-", "9999999999", "Expires=", "06 Nov 2094 08:49:37",
        ]
        let urls = ["https://www.a.test/x/y", "http://a.co.uk./", "http://127.0.0.1/", "https://[::1]/a;b/c"]
        var jar = CookieJar()
        var random: UInt64 = 1
        func next(_ limit: Int) -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % limit
        }
        for _ in 0..<5000 {
            let field = "n=" + (0..<next(16)).map { _ in pieces[next(pieces.count)] }.joined()
            try jar.receive([next(4) == 0 ? String(field.dropFirst(2)) : field], from: urls[next(urls.count)])
            let sent = try jar.header(for: scope(urls[next(urls.count)]), now: noon) ?? []
            #expect(sent.count <= CookieJar.fieldLimit && sent.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        }
        let cookies = jar.cookies(now: noon)
        #expect(cookies.count > 50 && CookieText.decode(CookieText.encode(cookies)).cookies == cookies)
    }
}
