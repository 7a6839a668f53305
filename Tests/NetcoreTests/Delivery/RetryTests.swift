@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import Testing
import TestSupport

/// Retries as a client does them, against a transport of the test's own and against servers.
@Suite struct RetryTests {
    /// Answers of a server that counts, by the number of the request, from 0 on.
    private final class Server: Sendable {
        private let lock = Lock()
        private nonisolated(unsafe) var count = 0
        private let answers: [Int]

        init(_ answers: Int...) { self.answers = answers }

        var requests: Int { lock.withLock { count } }

        /// A status; 0 resets the connection, and -1 never answers.
        func answer(_ hop: TransportHop, _ fields: [(String, String)] = []) {
            let number = lock.withLock {
                count += 1
                return count - 1
            }
            switch answers[min(number, answers.count - 1)] {
            case -1: break
            case 0: try? hop.fail(.connectionLost)
            case let status: try? hop.answer(status, fields, body: Array("\(number)".utf8))
            }
        }
    }

    private static var quick: RetryPolicy {
        var policy = RetryPolicy.standard
        policy.baseDelay = .milliseconds(1)
        policy.throttledDelay = .milliseconds(1)
        return policy
    }

    private func make(
        _ server: Server, _ policy: RetryPolicy? = RetryTests.quick,
        _ change: (inout Client.Options) throws -> Void = { _ in }
    ) throws -> Client {
        var options = Client.Options()
        options.retries = policy
        options.transport = { _, hop in server.answer(hop, [("Cache-Control", "max-age=60")]) }
        try change(&options)
        return try Client(options)
    }

    private let request: Request

    init() throws { request = try Request("GET", "http://app.test/") }

    @Test("a client without a policy tries once")
    func off() async throws {
        let server = Server(503, 200)
        let response = try await make(server, nil).perform(request)
        #expect(response.status == 503 && server.requests == 1 && response.attempts == 1)
        #expect(response.tries.map(\.status) == [503] && response.tries.map(\.reason) == [.outcome])
    }

    @Test("a policy of the client's tries again until there is an answer")
    func ofClient() async throws {
        let server = Server(503, 0, 200)
        let response = try await make(server).perform(request)
        #expect(response.status == 200 && response.text == "2" && server.requests == 3 && response.attempts == 3)
        #expect(response.tries.map(\.status) == [503, 0, 200])
        #expect(response.tries.map(\.error) == [nil, .connectionLost, nil])
        #expect(response.tries.map(\.reason) == [.retried, .retried, .outcome])
    }

    @Test("the last error has the tries")
    func failure() async throws {
        let client = try make(Server(0))
        await #expect { try await client.perform(request) } throws: { error in
            let error = error as? NetcoreError
            return error?.code == .connectionLost && error?.attempts == 3
                && error?.tries.map(\.reason) == [.retried, .retried, .attempts]
        }
    }

    @Test("a request may have a policy of its own, or none, whatever its client says")
    func ofRequest() async throws {
        let server = Server(503, 200)
        var request = request
        try request.setRetries(.off)
        #expect(try await make(server).perform(request).status == 503)
        let other = Server(418, 200)
        var policy = Self.quick
        policy.statuses = [418]
        try request.setRetries(.policy(policy))
        #expect(try await make(other, nil).perform(request).status == 200)
        try request.setRetries(.client)
        let last = Server(503, 200)
        let client = try make(last, nil)
        #expect(try await client.perform(request).status == 503)
        try client.setRetries(Self.quick)
        #expect(try await client.perform(request).status == 200 && client.retries?.attempts == 3)
    }

    @Test("an attempt that takes too long is followed by another, and the last one's error says so")
    func attemptTimeout() async throws {
        var policy = Self.quick
        policy.attemptTimeout = .milliseconds(30)
        let server = Server(-1, 200)
        let response = try await make(server, policy).perform(request)
        #expect(response.status == 200 && response.tries.map(\.error) == [.timeoutAttempt, nil])
        let silent = try make(Server(-1), policy)
        await #expect { try await silent.perform(request) } throws: { ($0 as? NetcoreError)?.code == .timeoutAttempt }
    }

    @Test("contradictory figures are refused by their name, in a policy and when a request is dispatched")
    func contradictions() throws {
        func argument(_ body: () throws -> Void) -> String? {
            do { try body() } catch { return (error as? NetcoreError)?.argument }
            return nil
        }
        var policy = RetryPolicy.standard
        policy.attempts = 0
        var request = request
        #expect(argument { try request.setRetries(.policy(policy)) } == "attempts")
        #expect(argument { _ = try make(Server(200), policy) } == "attempts")
        let client = try make(Server(200))
        #expect(argument { try client.setRetries(policy) } == "attempts" && client.retries?.attempts == 3)
        policy = .standard
        policy.attemptTimeout = .seconds(2)
        try client.setRetries(policy)
        request.timeouts.total = .seconds(1)
        #expect(argument { _ = try client.dispatch(request) { _ in } } == "attempt_timeout_ms")
        request.timeouts.total = .seconds(2)
        #expect(argument { _ = try client.performBlocking(request) } == nil)
    }

    @Test("answers that are tried again are neither stored nor delivered")
    func cache() async throws {
        let server = Server(503, 200)
        let cache = Cache(Cache.Options())
        let client = try make(server) { $0.cache = cache }
        #expect(try await client.perform(request).text == "1")
        let stored = try await client.perform(request)
        #expect(stored.text == "1" && stored.cacheResult == .hit && stored.tries.isEmpty && server.requests == 2)
    }

    @Test("each task has one end when its client is destroyed or canceled in a wait", arguments: [true, false])
    func destroyed(isDestroyed: Bool) throws {
        var policy = RetryPolicy.standard
        policy.throttledDelay = .seconds(20)
        policy.budget = nil
        let server = Server(503)
        let client = try make(server, policy)
        let ends = Collector<NetcoreError.Code?>()
        for _ in 0..<20 {
            try client.dispatch(request) { result in
                if case .failure(let error) = result { ends.add(error.code) } else { ends.add(nil) }
            }
        }
        while server.requests < 20 { Pause().wait(milliseconds: 1) }
        if isDestroyed { client.destroy() } else { client.cancelAll() }
        let codes = ends.wait(for: 20)
        #expect(codes.count == 20 && codes.allSatisfy { $0 == .canceled })
    }

    @Test("what waits for its next attempt leaves its slot to others")
    func slots() async throws {
        let client = try make(Server(200)) { options in
            options.limits.transfers = 1
            options.transport = { request, hop in
                request.urlString.hasSuffix("/busy")
                    ? try? hop.answer(503, [("Retry-After", "30")]) : try? hop.answer(200)
            }
        }
        let ends = Collector<Bool>()
        let task = try client.dispatch(Request("GET", "http://app.test/busy")) { _ in ends.add(true) }
        #expect(try await client.perform(request).status == 200)
        task.cancel()
        #expect(ends.wait(for: 1).count == 1)
    }

    // MARK: Servers

    private func real(_ change: (inout RetryPolicy) -> Void = { _ in }) throws -> Client {
        var policy = Self.quick
        change(&policy)
        var options = Client.Options()
        options.retries = policy
        return try Client(options)
    }

    @Test("a server that refuses connections is asked three times, and its address is known if it was reached")
    func refused() async throws {
        let client = try real()
        let url = Peers.refused
        await #expect { try await client.perform(Request("POST", url)) } throws: { error in
            (error as? NetcoreError)?.tries.map(\.error) == [.connect, .connect, .connect]
        }
        let response = try await client.perform(Request("GET", "\(Peers.origin)/status/500"))
        #expect(response.status == 500 && response.tries.map(\.address) == ["127.0.0.1", "127.0.0.1", "127.0.0.1"])
        #expect(response.tries.allSatisfy { Peers.origin == $0.server })
    }

    @Test("a Retry-After of a server's holds, and the answer with one that is too long comes at once")
    func retryAfter() async throws {
        let client = try real()
        let start = MonotonicTime.now
        let response = try await client.perform(Request("GET", "\(Peers.origin)/status/503?Retry-After=1"))
        #expect(response.status == 503 && MonotonicTime.now.microseconds(since: start) >= 2_000_000)
        #expect(response.tries.map(\.retryAfter) == [.seconds(1), .seconds(1), .seconds(1)])
        #expect(response.tries.dropFirst().allSatisfy { $0.delay >= .seconds(1) && $0.delay <= .milliseconds(1100) })
        let late = try await client.perform(Request("GET", "\(Peers.origin)/status/429?Retry-After=61"))
        #expect(late.status == 429 && late.tries.map(\.reason) == [.retryAfter])
        #expect(late.text.isEmpty == false)
    }

    @Test("a body goes out in full with each attempt, and one that cannot be read again goes once")
    func bodies() async throws {
        let client = try real()
        let seen = Collector<Int>()
        func put(_ canRewind: Bool) throws -> Request {
            var request = try Request("PUT", "\(Peers.origin)/status/500")
            let stream = BodyStream(length: 3, canRewind: canRewind) {
                seen.add(1)
                var isRead = false
                return { room in
                    defer { isRead = true }
                    guard !isRead else { return 0 }
                    room.copyBytes(from: "abc".utf8)
                    return 3
                }
            }
            try request.setBody(stream)
            return request
        }
        #expect(try await client.perform(put(true)).tries.count == 3)
        #expect(seen.wait(for: 3).count == 3)
        let once = try await client.perform(put(false))
        #expect(once.status == 500 && once.tries.map(\.reason) == [.body])
    }

    @Test("the body of an answer that is tried again is not read to its end")
    func drained() async throws {
        let client = try real()
        let response = try await client.perform(Request("GET", "\(Peers.origin)/status/500"))
        #expect(response.bytesReceived < 3 * 1024 && !response.body.isEmpty)
    }
}
