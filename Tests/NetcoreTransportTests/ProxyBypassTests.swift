import Glibc
import NetcoreHTTP
@testable import NetcoreTransport
import Testing

@Suite("the hosts reached without a proxy") struct ProxyBypassTests {
    @Test(
        "names, addresses, blocks and ports",
        arguments: [
            ("", "a:80", false), (" , ", "a:80", false), ("*", "a:80", true), ("b, *", "a:80", true),
            ("a.test", "a.test:80", true), ("A.Test.", "a.test:80", true), ("a.test", "a.test.:80", true),
            ("a.test", "b.a.test:80", true), (".a.test", "a.test:80", true), (".a.test", "b.a.test:80", true),
            ("a.test", "ba.test:80", false), ("a.test", "test:80", false), ("x y", "y:80", true), (".", "a:80", false),
            ("a:80", "a:80", true), ("a:81", "a:80", false), ("a:81,a", "a:80", true), ("test:80", "a.test:80", true),
            ("1.2.3.4", "1.2.3.4:80", true), ("1.2.3.4:80", "1.2.3.4:80", true), ("1.2.3.4:8", "1.2.3.4:80", false),
            ("3.4", "1.2.3.4:80", false), ("1.2.3.0/24", "1.2.3.4:80", true), ("1.2.3.0/30", "1.2.3.4:80", false),
            ("0.0.0.0/0", "1.2.3.4:80", true), ("1.2.3.4/33", "1.2.3.4:80", false), ("1.2.3.4/", "1.2.3.4:80", false),
            ("1.2.3.4/-1", "1.2.3.4:80", false), ("::1", "[::1]:80", true), ("0:0::1", "[::1]:80", true),
            ("[::1]", "[::1]:80", true), ("[::1]:80", "[::1]:80", true), ("[::1]:81", "[::1]:80", false),
            ("fe80::/10", "[fe80::7]:80", true), ("fe80::/10", "[::1]:80", false), ("0.0.0.0/0", "[::1]:80", false),
            ("::/0", "1.2.3.4:80", false), ("1", "[::1]:80", false), ("fe80::/10", "[fe80::7%25eth0]:80", true),
        ])
    func covers(list: String, place: String, expected: Bool) {
        var settings = ProxySettings(proxy: "http://p:1", bypass: list) { _ in nil }
        #expect(settings.proxy(for: "http://\(place)").isEmpty == expected)
        settings.https = nil
        #expect(settings.proxy(for: "https://\(place)").isEmpty)
    }

    @Test("hosts beyond ASCII are the ones that are connected to, here and where keys are pinned")
    func international() throws {
        try #require(setlocale(LC_CTYPE, "C.UTF-8") != nil)
        let settings = ProxySettings(proxy: "http://p:1", bypass: ".bücher.test") { _ in nil }
        #expect(settings.proxy(for: "http://a.xn--bcher-kva.test:80").isEmpty)
        var keys = PinnedKeys()
        let key = "sha256//\(String(repeating: "A", count: 43))="
        try keys.add(host: "*.Bücher.test", keys: key, "pinned_keys")
        try keys.add(host: "straße.test", keys: key, "pinned_keys")
        #expect(keys.keys(for: "a.xn--bcher-kva.test") == key && keys.keys(for: "xn--strae-oqa.test") == key)
        #expect(keys.keys(for: "strasse.test") == nil)
        #expect(throws: NetcoreError.self) { try keys.add(host: "é\u{FFFF}", keys: key, "pinned_keys") }
    }
}
