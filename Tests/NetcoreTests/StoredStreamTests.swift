import Netcore
import TestSupport
import Testing

/// Large stored bodies that are streamed from disk.
@Suite struct StoredStreamTests {
    private static let text = "netcore "
    private static let count = 250_000

    @Test("a large body is stored as it is streamed, and then streamed and read in part from disk")
    func stored() async throws {
        let folder = ModelFolder()
        var options = Client.Options()
        var cacheOptions = Cache.Options()
        cacheOptions.folder = folder.path
        cacheOptions.writesSynchronously = true
        options.cache = Cache(cacheOptions)
        let client = try Client(options)
        defer { client.destroy() }
        let size = Self.text.utf8.count * Self.count
        let head = "HTTP/1.1 200 OK\\r\\nCache-Control: max-age=1000\\r\\nContent-Length: \(size)\\r\\n\\r\\n"
        let url = StreamTests.script("[{'send': '\(head)'}, {'repeat': '\(Self.text)', 'times': \(Self.count)}]")
        for isStored in [false, true] {
            let response = try await client.stream(Request("GET", url), window: 100_000)
            #expect((response.head.cacheResult == .hit) == isStored)
            var received: [UInt8] = []
            for try await chunk in response.bytes { received += chunk.bytes }
            #expect(received.count == size && received.starts(with: Self.text.utf8))
        }
        var part = try Request("GET", url)
        try part.setHeader("Range", "bytes=1000004-1000011")
        let response = try await client.perform(part)
        #expect(response.status == 206 && response.text == "ore netc" && response.cacheResult == .hit)
        withExtendedLifetime(folder) {}
    }
}
