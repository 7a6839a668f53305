@testable import NetcoreTransport
import Testing

@Suite struct TransportPolicyTests {
    @Test("the first shard with room takes the transfer")
    func shards() {
        let full = ShardPolicy.capacity
        #expect(ShardPolicy.firstWithRoom([0, 0]) == 0)
        #expect(ShardPolicy.firstWithRoom([full, full - 1]) == 1)
        #expect(ShardPolicy.firstWithRoom([full, full]) == nil)
        #expect(ShardPolicy.firstWithRoom([]) == nil)
    }

    @Test("transfers stay together where connections carry many, or may turn out to")
    func together() {
        #expect(ShardPolicy.keepsTogether(isSecure: true, allowsHTTP2: true, speaksHTTP2: nil))
        #expect(ShardPolicy.keepsTogether(isSecure: true, allowsHTTP2: true, speaksHTTP2: true))
        #expect(!ShardPolicy.keepsTogether(isSecure: true, allowsHTTP2: true, speaksHTTP2: false))
        #expect(!ShardPolicy.keepsTogether(isSecure: true, allowsHTTP2: false, speaksHTTP2: nil))
        #expect(!ShardPolicy.keepsTogether(isSecure: false, allowsHTTP2: true, speaksHTTP2: nil))
    }

    @Test("the receive buffer follows the last body, and shrinks with the number of transfers")
    func buffers() {
        #expect(BufferPolicy.size(active: 0, lastBodySize: nil) == BufferPolicy.large)
        #expect(BufferPolicy.size(active: 10, lastBodySize: nil) == BufferPolicy.medium)
        #expect(BufferPolicy.size(active: 0, lastBodySize: 100) == BufferPolicy.medium)
        #expect(BufferPolicy.size(active: 0, lastBodySize: 100, isStreamed: true) == BufferPolicy.large)
        #expect(BufferPolicy.size(active: 100, lastBodySize: 100, isStreamed: true) == BufferPolicy.medium)
        #expect(BufferPolicy.size(active: 10, lastBodySize: 10 << 20) == BufferPolicy.large)
        #expect(BufferPolicy.size(active: 100, lastBodySize: 10 << 20) == BufferPolicy.medium)
        #expect(BufferPolicy.size(active: 10_000, lastBodySize: 10 << 20) == BufferPolicy.small)
        // libcurl 7.88 waits for ever for the rest of a header section of HTTP/2 that is larger than the buffer.
        for active in [0, 100, 10_000] {
            let size = BufferPolicy.size(active: active, lastBodySize: 100, mayMultiplex: true, rate: 1000)
            #expect(size == BufferPolicy.large)
        }
    }

    @Test("the environment's proxies are read by the usual names")
    func environment() {
        func settings(_ variables: [String: String], proxy: String? = nil, bypass: String? = nil) -> ProxySettings {
            ProxySettings(proxy: proxy, bypass: bypass) { variables[$0] }
        }
        let both = settings(["http_proxy": "http://a:1", "HTTPS_PROXY": "http://b:2", "NO_PROXY": "x"])
        #expect(both.http == "http://a:1" && both.https == "http://b:2" && both.bypass == "x")
        #expect(settings(["HTTP_PROXY": "http://a:1"]).http == nil)
        let all = settings(["ALL_PROXY": "socks5://c:3", "no_proxy": "y"])
        #expect(all.http == "socks5://c:3" && all.https == "socks5://c:3" && all.bypass == "y")
        #expect(settings(["http_proxy": "http://a:1"], proxy: "").proxy(for: "http://h:80").isEmpty)
        let given = settings(["http_proxy": "http://a:1", "no_proxy": "y"], proxy: "http://d:4", bypass: "z")
        #expect(given.proxy(for: "https://h:443") == "http://d:4" && given.bypass == "z")
        #expect(given.proxy(for: "https://z:443").isEmpty)
    }

    @Test("what is no proxy is refused, without being quoted")
    func refused() {
        for proxy in ["ftp://a", "http://user:secret@", "http://a:99999"] {
            #expect { try ProxySettings.check(proxy) } throws: { !"\($0)".contains("secret") }
        }
        for proxy in ["http://a:1", "https://a", "socks5h://u:p@a:1", "a:3128"] {
            #expect(throws: Never.self) { try ProxySettings.check(proxy) }
        }
    }
}
