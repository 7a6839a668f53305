import Glibc
import Netcore
import NetcoreHTTP
import Synchronization
import TestSupport
import Testing

@Suite struct DownloadTests {
    private func path() -> String { "/tmp/netcore-download-\(getpid())-\(UInt64.random(in: 0 ... .max))" }

    @Test("a download is the server's file, and tells how far it has come")
    func whole() async throws {
        let client = try Client()
        let target = path()
        defer { unlink(target) }
        let last = Mutex(DownloadProgress())
        var options = DownloadOptions()
        options.makesSHA256 = true
        let info = try await client.download(
            Request("GET", Peers.origin + "/bytes/3000000"), to: target, options: options
        ) { progress in last.withLock { $0 = progress } }
        #expect(info.isComplete && info.size == 3_000_000 && info.sha256.count == 64)
        #expect(last.withLock { $0.size } == 3_000_000)
        var expecting = DownloadOptions()
        expecting.expectedSHA256 = info.sha256
        expecting.replacesFile = true
        _ = try await client.download(
            Request("GET", Peers.origin + "/bytes/3000000"), to: target, options: expecting)
        client.destroy()
    }

    @Test("a download by segments is the server's file, by several requests")
    func segments() async throws {
        let client = try Client()
        let target = path()
        defer { unlink(target) }
        var options = DownloadOptions()
        options.segments = 4
        options.segmentSize = 1 << 20
        options.makesSHA256 = true
        let url = Peers.nginx + "/10m"
        let info = try await client.download(Request("GET", url), to: target, options: options)
        #expect(info.isComplete && info.size == 10 << 20 && info.requests >= 4)
        options = DownloadOptions()
        options.expectedSHA256 = info.sha256
        options.replacesFile = true
        #expect(try await client.download(Request("GET", url), to: target, options: options).requests == 1)
        options.segments = 17
        await #expect { try await client.download(Request("GET", url), to: target, options: options) } throws: {
            ($0 as? NetcoreError)?.argument == "segments"
        }
        options.segments = 1
        options.segmentSize = 0
        await #expect { try await client.download(Request("GET", url), to: target, options: options) } throws: {
            ($0 as? NetcoreError)?.argument == "segmentSize"
        }
        client.destroy()
    }

    @Test("canceling the surrounding task leaves a part, which can be removed")
    func cancel() async throws {
        let client = try Client()
        let target = path()
        let steps = "[{'send':'HTTP/1.1 200 OK\\r\\nContent-Length: 200\\r\\n\\r\\nabc'},{'stall':true}]"
        let url = StreamTests.script(steps)
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await client.download(Request("GET", url), to: target) { _ in signal.yield() }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try DownloadPart.all(in: "/tmp").contains { $0.path == target && $0.size == 3 && !$0.isBusy })
        #expect(try DownloadPart.remove(of: target))
        #expect(try !DownloadPart.remove(of: target))
        client.destroy()
    }

    @Test("an answer without a file, and a file that is there, are errors")
    func errors() async throws {
        let client = try Client()
        let target = path()
        await #expect { try await client.download(Request("GET", Peers.origin + "/status/404"), to: target) } throws: {
            ($0 as? NetcoreError)?.code == .httpStatus
        }
        await #expect { try await client.download(Request("GET", Peers.origin + "/bytes/1"), to: "/tmp") } throws: {
            ($0 as? NetcoreError)?.code == .storage
        }
        client.destroy()
    }
}
