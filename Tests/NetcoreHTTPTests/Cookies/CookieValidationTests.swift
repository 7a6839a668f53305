import NetcoreHTTP
import Testing

@Suite("Cookies of the caller")
struct CookieValidationTests {
    @Test("a domain is taken in any form that names it")
    func domain() throws {
        #expect(
            try Cookie(name: "n", value: "v", domain: ".Example.ORG", isHostOnly: false).validated().domain
                == "example.org")
        #expect(try Cookie(name: "n", value: "v", domain: "[::1]", isHostOnly: false).validated().isHostOnly)
        #expect(try Cookie(name: "n", value: "v", domain: "::1").validated().domain == "::1")
    }

    @Test(
        "what no server could set is refused, and the message names what is wrong",
        arguments: [
            (Cookie(name: "", value: "v", domain: "a.test"), "name"),
            (Cookie(name: "a=b", value: "v", domain: "a.test"), "name"),
            (Cookie(name: "a;b", value: "v", domain: "a.test"), "name"),
            (Cookie(name: "a\r\nb", value: "v", domain: "a.test"), "name"),
            (Cookie(name: " a", value: "v", domain: "a.test"), "name"),
            (Cookie(name: "a", value: "v ", domain: "a.test"), "value"),
            (Cookie(name: "a", value: "v; b=c", domain: "a.test"), "value"),
            (Cookie(name: "a", value: "v\nw", domain: "a.test"), "value"),
            (Cookie(name: "a", value: String(repeating: "v", count: 4096), domain: "a.test"), "value"),
            (Cookie(name: "a", value: "v", domain: ""), "domain"),
            (Cookie(name: "a", value: "v", domain: "."), "domain"),
            (Cookie(name: "a", value: "v", domain: "a.test."), "domain"),
            (Cookie(name: "a", value: "v", domain: "ä.test"), "domain"),
            (Cookie(name: "a", value: "v", domain: "a.test/x"), "domain"),
            (Cookie(name: "a", value: "v", domain: "a\tb"), "domain"),
            (Cookie(name: "a", value: "v", domain: "co.uk", isHostOnly: false), "domain"),
            (Cookie(name: "a", value: "v", domain: "a.test", path: ""), "path"),
            (Cookie(name: "a", value: "v", domain: "a.test", path: "x"), "path"),
            (Cookie(name: "a", value: "v", domain: "a.test", path: "/\n"), "path"),
            (Cookie(name: "__Host-a", value: "v", domain: "a.test"), "name"),
        ])
    func refused(cookie: Cookie, member: String) {
        #expect {
            _ = try cookie.validated()
        } throws: { error in
            let error = error as? NetcoreError
            return error?.code == .invalidArgument && error?.message.hasPrefix("\(member): ") == true
        }
    }
}
