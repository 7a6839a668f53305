import Netcore
import NetcoreHTTP
import NetcoreSupport
import Synchronization
import TestSupport
import Testing

/// Streamed answers that go to functions.
@Suite struct StreamCallbackTests {
    /// What the functions were called with, in order.
    private final class Calls: Sendable {
        private let text = Mutex<[String]>([])
        let bytes = Mutex<[UInt8]>([])

        var all: [String] { text.withLock { $0 } }

        func add(_ call: String) { text.withLock { if $0.last != call { $0.append(call) } } }
    }

    /// Dispatches a request, and waits for its end.
    private func run(
        _ url: String, _ calls: Calls, window: Int = 100_000, onHead: StreamStep = .next, onData: StreamStep = .next
    ) async throws -> Result<Response, NetcoreError> {
        let client = try Client()
        let request = try Request("GET", url)
        return try await withCheckedThrowingContinuation { continuation in
            do throws(NetcoreError) {
                try client.dispatchStreamed(
                    request, window: window,
                    onHead: { head in
                        calls.add("head \(head.status) \(head.body.count)")
                        return onHead
                    },
                    onData: { chunk in
                        calls.add("data")
                        calls.bytes.withLock { $0 += chunk.bytes }
                        return onData
                    },
                    onCompletion: {
                        calls.add("end")
                        continuation.resume(returning: $0)
                    })
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    @Test(
        "the head comes first, then the body in order, then the end",
        arguments: [
            ("/bytes/300000", 300_000), ("/chunked/300000", 300_000), ("/gzip/300000", 300_000), ("/bytes/1", 1),
        ])
    func order(path: String, size: Int) async throws {
        for window in [1, 100_000, 1 << 20] {
            let calls = Calls()
            let end = try await run(Peers.origin + path, calls, window: window).get()
            #expect(calls.all == ["head 200 0", "data", "end"] && end.status == 200)
            let bytes = calls.bytes.withLock { $0 }
            #expect(bytes.count == size)
            #expect(bytes.enumerated().allSatisfy { UInt8(truncatingIfNeeded: $0 * 31 + 7) == $1 })
            if path.hasPrefix("/chunked") { #expect(end.trailers.count > 0) }
        }
    }

    @Test("an answer without a body has a head and an end")
    func empty() async throws {
        let calls = Calls()
        #expect(try await run("\(Peers.origin)/bytes/0", calls).get().status == 200)
        #expect(calls.all == ["head 200 0", "end"])
    }

    @Test("a function that wants nothing more ends the request")
    func canceled() async throws {
        for (onHead, onData, expected) in [
            (StreamStep.cancel, StreamStep.next, ["head 200 0", "end"]),
            (.next, .cancel, ["head 200 0", "data", "end"]),
        ] {
            let calls = Calls()
            let end = try await run("\(Peers.origin)/bytes/3000000", calls, onHead: onHead, onData: onData)
            #expect(throws: NetcoreError.self) { try end.get() }
            if case .failure(let error) = end { #expect(error.code == .canceled) }
            #expect(calls.all == expected)
        }
    }

    @Test("a request that fails before its head has only an end; one that is cut has what came")
    func failures() async throws {
        let calls = Calls()
        let refused = try await run("\(Peers.origin)/redirect/302?to=http://127.0.0.1:1/", calls)
        #expect(throws: NetcoreError.self) { try refused.get() }
        #expect(calls.all == ["end"])
        let cut = Calls()
        let end = try await run(
            StreamTests.script("[{'send': 'HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nabc'}, {'cut': true}]"),
            cut)
        if case .failure(let error) = end { #expect(error.code == .truncated) } else { Issue.record("not cut") }
        #expect(cut.all == ["head 200 0", "data", "end"])
    }

    @Test("a window that is none is refused")
    func window() async throws {
        await #expect {
            _ = try await run("\(Peers.origin)/bytes/1", Calls(), window: 0)
        } throws: {
            ($0 as? NetcoreError)?.argument == "window"
        }
    }
}
