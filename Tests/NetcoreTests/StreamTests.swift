@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import TestSupport
import Testing

/// Bodies that are read piece by piece.
@Suite struct StreamTests {
    private func client(_ change: (inout Client.Options) throws -> Void = { _ in }) throws -> Client {
        var options = Client.Options()
        options.caFile = Peers.caFile
        try change(&options)
        return try Client(options)
    }

    /// What the origin sends as the body of /bytes/N and its like.
    private func isPattern(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.enumerated().allSatisfy { UInt8(truncatingIfNeeded: (start + $0) * 31 + 7) == $1 }
    }

    /// Reads the rest of a body and checks it. Returns how many bytes came.
    private func readPattern(_ response: StreamedResponse) async throws -> Int {
        var count = 0
        for try await chunk in response.bytes {
            let bytes = chunk.bytes
            #expect(!bytes.isEmpty && isPattern(bytes, from: count))
            count += bytes.count
        }
        return count
    }

    static func script(_ steps: String) -> String {
        let text = steps.replacing("'", with: "\"")
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var result = ""
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let three = rest.prefix(3)
            let number = (0..<3).reduce(0) { $0 << 8 | Int($1 < three.count ? three[three.startIndex + $1] : 0) }
            for index in 0...three.count { result.append(digits[number >> (18 - 6 * index) & 63]) }
            rest = rest.dropFirst(3)
        }
        return "\(Peers.origin)/script/\(result)"
    }

    private static let big = 3 << 20
    /// Below what the limit on the ratio of decoding allows any body.
    private static let packed = 1_000_000

    @Test(
        "the head comes first, then the body in order, then trailers, by any version and coding",
        arguments: [
            ("\(Peers.origin)/bytes/\(big)", big, nil), ("\(Peers.originTLS)/bytes/\(big)", big, nil),
            ("\(Peers.origin)/chunked/\(big)", big, "X-Trailer"), ("\(Peers.nginxHTTP2)/10m", 10 << 20, nil),
            ("\(Peers.origin)/gzip/\(packed)", packed, nil), ("\(Peers.origin)/deflate/\(packed)", packed, nil),
            ("\(Peers.origin)/bytes/0", 0, nil), ("\(Peers.origin)/bytes/1", 1, nil),
            ("\(Peers.origin)/redirect/302?to=/bytes/\(big)", big, nil),
        ])
    func whole(url: String, size: Int, trailer: String?) async throws {
        for window in [1, 100_000, 1 << 30] {
            let response = try await client().stream(Request("GET", url), window: window)
            #expect(response.status == 200 && response.headers["content-type"] != nil)
            #expect(try await readPattern(response) == size)
            let ending = try #require(response.ending)
            #expect(ending.error == nil && ending.status == 200)
            if trailer != nil { #expect(response.trailers.count > 0) }
        }
    }

    @Test(
        "what waits to be read is bounded by the window, whatever it decodes to",
        arguments: [("bytes", big), ("gzip", packed)])
    func bounded(kind: String, size: Int) async throws {
        let client = try client()
        let window = 100_000
        let stream = try client.openStream(Request("GET", "\(Peers.origin)/\(kind)/\(size)"), window: window)
        _ = try await stream.head().get()
        var most = 0
        var count = 0
        while let chunk = try await stream.next() {
            count += chunk.count
            most = max(most, stream.waitingBytes)
        }
        #expect(count == size)
        // Besides the window one piece: of libcurl's, or of a decoder's.
        #expect(most > 0 && most <= window + (64 << 10))
    }

    @Test("time in which the body is not read counts for neither the idle timeout nor the minimum rate")
    func pause() async throws {
        var request = try Request("GET", "\(Peers.origin)/bytes/\(Self.big)")
        request.timeouts.idle = .milliseconds(200)
        try request.setMinimumReceiveRate(1 << 20, window: .milliseconds(1000))
        let response = try await client().stream(request, window: 100_000)
        try await Task.sleep(for: .milliseconds(1500))
        #expect(try await readPattern(response) == Self.big)
    }

    @Test("the total timeout runs while the body is not read; what came before it is read first")
    func totalTimeout() async throws {
        var request = try Request("GET", "\(Peers.origin)/bytes/\(Self.big)")
        request.timeouts.total = .milliseconds(300)
        let response = try await client().stream(request, window: 100_000)
        try await Task.sleep(for: .milliseconds(600))
        var count = 0
        await #expect {
            for try await chunk in response.bytes { count += chunk.count }
        } throws: {
            ($0 as? NetcoreError)?.code == .timeoutTotal
        }
        #expect(count >= 100_000 && count < Self.big)
        #expect(response.ending?.error?.code == .timeoutTotal)
    }

    @Test("a body that is cut is an error after its bytes, and nothing is sent again")
    func cut() async throws {
        let url = Self.script("[{'send':'HTTP/1.1 200 OK\\r\\nContent-Length: 10\\r\\n\\r\\n12345'},{'cut':true}]")
        let response = try await client().stream(Request("GET", url))
        var text: [UInt8] = []
        await #expect {
            for try await chunk in response.bytes { text += chunk.bytes }
        } throws: {
            ($0 as? NetcoreError)?.code == .truncated
        }
        #expect(text == Array("12345".utf8) && response.ending?.attempts == 1)
    }

    @Test("what cannot be begun is thrown in place of a head")
    func refused() async throws {
        await #expect {
            _ = try await client().stream(Request("GET", "\(Peers.refused)/"))
        } throws: {
            ($0 as? NetcoreError)?.code == .connect
        }
        await #expect {
            _ = try await client().stream(Request("GET", "\(Peers.origin)/"), window: 0)
        } throws: {
            ($0 as? NetcoreError)?.code == .invalidArgument
        }
    }

    @Test("the limits on bodies hold")
    func limits() async throws {
        for (path, code) in [
            ("chunked", NetcoreError.Code.limitBodyBytes), ("bytes", .limitBodyBytes), ("gzip", .limitDecodedBytes),
        ] {
            var request = try Request("GET", "\(Peers.origin)/\(path)/1000000")
            var limits = Limits()
            limits.bodyBytes = 300_000
            limits.decodedBytes = 300_000
            request.setLimits(limits)
            await #expect {
                let response = try await client().stream(request, window: 10_000)
                _ = try await readPattern(response)
            } throws: {
                ($0 as? NetcoreError)?.code == code
            }
        }
    }

    @Test("a consumer that goes away ends the request; others of the client go on")
    func gone() async throws {
        let client = try client()
        for base in [Peers.origin + "/bytes/\(Self.big)", Peers.nginxHTTP2 + "/10m"] {
            var response: StreamedResponse? = try await client.stream(Request("GET", base), window: 100_000)
            for try await _ in response!.bytes { break }
            response = nil
        }
        while client.engine.intake.everything.tasks.count > 0 { await Task.yield() }
        let response = try await client.stream(Request("GET", "\(Peers.origin)/bytes/100000"))
        #expect(try await readPattern(response) == 100_000)
    }

    @Test("a surrounding task that is canceled throws CancellationError; who reads on gets a NetcoreError")
    func canceledSurrounding() async throws {
        let client = try client()
        let response = try await client.stream(Request("GET", "\(Peers.nginx)/slow"))
        let reading = Task { try await readPattern(response) }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        await #expect { try await readPattern(response) } throws: { ($0 as? NetcoreError)?.code == .canceled }
    }

    @Test("a surrounding task that is canceled before the head throws CancellationError")
    func canceledBeforeHead() async throws {
        let client = try client()
        let waiting = Task { try await client.stream(Request("GET", "\(Peers.origin)/delay/30000")).status }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test("one that is canceled by its own function throws a NetcoreError")
    func canceledItself() async throws {
        let response = try await client().stream(Request("GET", "\(Peers.nginx)/slow"))
        response.cancel()
        await #expect { try await readPattern(response) } throws: { ($0 as? NetcoreError)?.code == .canceled }
    }

    @Test("two that read at once are told so")
    func twoReaders() async throws {
        let client = try client()
        let stream = try client.openStream(Request("GET", "\(Peers.origin)/delay/60000"), window: 1)
        let codes = await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask { () -> NetcoreError.Code? in
                    do throws(NetcoreError) {
                        _ = try await stream.next()
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            // Whoever came second does not wait. Then the first is told to go.
            let second = await group.next()!
            stream.abandon()
            return [second, await group.next()!]
        }
        #expect(codes == [.invalidState, .canceled])
    }

    @Test("while one stands still, others to its HTTP/2 host go on")
    func standsStill() async throws {
        let client = try client()
        let url = "\(Peers.nginxHTTP2)/10m"
        let still = try await client.stream(Request("GET", url), window: 1000)
        for _ in 0..<3 {
            #expect(try await client.perform(Request("GET", url)).body.count == 10 << 20)
            #expect(try await readPattern(client.stream(Request("GET", url))) == 10 << 20)
        }
        #expect(try await readPattern(still) == 10 << 20)
    }

    @Test("what is stored is read as well, and what is streamed to its end is stored")
    func cached() async throws {
        let client = try client { $0.cache = Cache() }
        let request = try Request("GET", "\(Peers.origin)/headers?Cache-Control=max-age=60&stream")
        let first = try await client.stream(request)
        var body: [UInt8] = []
        for try await chunk in first.bytes { body += chunk.bytes }
        #expect(!body.isEmpty && first.ending?.cacheResult.isFromCache == false)
        #expect(try await client.perform(request).cacheResult.isFromCache)
        let stored = try await client.stream(request)
        var again: [UInt8] = []
        for try await chunk in stored.bytes { again += chunk.bytes }
        #expect(again == body && stored.ending?.cacheResult.isFromCache == true)
    }

    @Test("tokens are renewed before the head is shown")
    func token() async throws {
        let client = try client()
        try client.setTokenSource(Peers.origin) { $0 == nil ? "t1" : "t2" }
        let request = try Request("GET", "\(Peers.origin)/guarded/stream?for=Bearer%20t2")
        let response = try await client.stream(request)
        #expect(response.status == 200)
        for try await _ in response.bytes {}
        #expect(response.ending?.attempts == 2)
    }

    @Test("a client that is destroyed ends its streams")
    func destroyed() async throws {
        let client = try client()
        let response = try await client.stream(Request("GET", "\(Peers.origin)/bytes/\(Self.big)"), window: 1000)
        client.destroy()
        await #expect { try await readPattern(response) } throws: { ($0 as? NetcoreError)?.code == .canceled }
    }
}
