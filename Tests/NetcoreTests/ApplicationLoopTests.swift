import Glibc
import Netcore
import TestSupport
import Testing

@Suite struct ApplicationLoopTests {
    @Test("a client in loop mode does its work inside process()")
    func process() throws {
        let client = try client { $0.completions = .loop }
        let ended = Collector<Int>()
        var descriptor = pollfd(fd: try #require(client.descriptor), events: Int16(POLLIN), revents: 0)
        for _ in 0..<3 {
            try client.dispatch(Request("GET", "\(Peers.nginx)/1k")) { ended.add((try? $0.get().status) ?? 0) }
        }
        var ran = 0
        while ran < 3, poll(&descriptor, 1, 30_000) == 1 { ran += try client.process() }
        #expect(ended.wait(for: 3) == [200, 200, 200])
        #expect(try client.performBlocking(Request("GET", "\(Peers.nginx)/1k")).status == 200)
        client.destroy()
    }
}
