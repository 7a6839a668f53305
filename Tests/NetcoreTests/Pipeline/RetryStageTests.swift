@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import NetcoreTransport
import Testing

/// The stage *retry* between neighbours, on a clock and with random numbers that the test sets.
@Suite struct RetryStageTests {
    private func bench(random: Double = 0.5) throws -> StageBench {
        try StageBench { RetryStage($0, random: { random }, wallClock: { 784_111_777 }) }
    }

    /// Sends a request that is under way, with a policy.
    private func send(
        _ bench: StageBench, _ method: String = "GET", _ url: String = "http://one.test/a",
        _ policy: RetryPolicy = .standard, change: (inout Request) throws -> Void = { _ in }
    ) throws -> (exchange: Exchange, owner: Owner) {
        let sent = try bench.send(url, method: method) { request in
            try request.setRetries(.policy(policy))
            try change(&request)
        }
        if !sent.exchange.isEnded { sent.exchange.begin(bench.clock.now) }
        return sent
    }

    private func fail(_ bench: StageBench, _ exchange: Exchange, _ code: NetcoreError.Code, sent: Int = 10) {
        let result = StageBench.response(0)
        result.error = NetcoreError(code, phase: .wait)
        if sent == 0 {
            bench.context.end(exchange, Response(error: result.error))
        } else {
            bench.context.end(exchange, result)
        }
    }

    private func reasons(_ owner: Owner) -> [RetryReason]? { owner.end?.tries.map(\.reason) }

    private func advance(_ bench: StageBench, _ milliseconds: Int) {
        bench.clock.advance(milliseconds: milliseconds)
        bench.expire()
    }

    @Test("without a policy nothing is tried again, or listed")
    func off() throws {
        let bench = try bench()
        let (exchange, owner) = try bench.send()
        bench.answer(exchange, 503)
        #expect(owner.end?.status == 503 && owner.end?.tries.isEmpty == true && bench.below.down.count == 1)
    }

    @Test("a 503 is tried again after its wait, and what came of each try is listed")
    func again() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        bench.answer(exchange, 503)
        #expect(owner.end == nil && bench.below.down.count == 1)
        advance(bench, 499)
        #expect(bench.below.down.count == 1)
        advance(bench, 1)
        #expect(bench.below.down.count == 2)
        bench.answer(exchange, 200)
        exchange.complete(try #require(owner.end), bench.clock.now)
        let tries = try #require(owner.end?.tries)
        #expect(tries.map(\.status) == [503, 200] && tries.map(\.reason) == [.retried, .outcome])
        #expect(tries.map(\.delay) == [.zero, .milliseconds(500)] && tries.allSatisfy { $0.error == nil })
        #expect(tries.allSatisfy { $0.server == "http://one.test:80" })
        #expect(bench.above.up.count == 1)
    }

    @Test("after the last attempt its answer is delivered, and the error has the tries, too")
    func attempts() throws {
        let bench = try bench(random: 0)
        let (exchange, owner) = try send(bench)
        for _ in 0..<3 { fail(bench, exchange, .connectionLost) }
        exchange.complete(try #require(owner.end), bench.clock.now)
        #expect(owner.error == .connectionLost && bench.below.down.count == 3)
        #expect(owner.end?.error?.tries == owner.end?.tries)
        #expect(reasons(owner) == [.retried, .retried, .attempts])
        #expect(owner.end?.tries.map(\.error) == [.connectionLost, .connectionLost, .connectionLost])
    }

    @Test("a hop after a redirect or a challenge is a try, and not another attempt")
    func hops() throws {
        let bench = try bench(random: 0)
        let (exchange, owner) = try send(bench)
        bench.answer(exchange, 503)
        bench.answer(exchange, 302)
        #expect(owner.end?.status == 302)
        #expect(exchange.retrying?.number == 2 && exchange.tries.all.count == 2)
    }

    @Test("a Retry-After is waited for in full; one that is too long ends at once, with what it asks for")
    func retryAfter() throws {
        let bench = try bench(random: 0)
        let (exchange, owner) = try send(bench)
        bench.answer(exchange, 503, [("Retry-After", "Sun, 06 Nov 1994 08:49:47 GMT")])  // in 10 seconds
        advance(bench, 9_999)
        #expect(bench.below.down.count == 1)
        advance(bench, 1)
        #expect(bench.below.down.count == 2)
        bench.answer(exchange, 429, [("Retry-After", "61")])
        exchange.complete(try #require(owner.end), bench.clock.now)
        #expect(owner.end?.status == 429 && reasons(owner) == [.retried, .retryAfter])
        #expect(owner.end?.tries.map(\.retryAfter) == [.seconds(10), .seconds(61)])
    }

    @Test("no wait begins that would end after the total timeout")
    func deadline() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench) { $0.timeouts.total = .milliseconds(700) }
        bench.answer(exchange, 503)
        advance(bench, 500)
        bench.answer(exchange, 503)
        exchange.complete(try #require(owner.end), bench.clock.now)
        #expect(owner.end?.status == 503 && reasons(owner) == [.retried, .deadline] && bench.nextDeadline == .never)
    }

    @Test("a cancel in a wait ends at once")
    func cancel() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        bench.answer(exchange, 503)
        owner.isCanceled = true
        bench.cancel(exchange)
        exchange.complete(try #require(owner.end), bench.clock.now)
        #expect(owner.error == .canceled && reasons(owner) == [.canceled])
        advance(bench, 10_000)
        #expect(bench.below.down.count == 1 && bench.nextDeadline == .never)
    }

    @Test("what a canceled task still receives is not tried again")
    func canceledBefore() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        owner.isCanceled = true
        bench.answer(exchange, 503)
        #expect(owner.end?.status == 503 && bench.below.down.count == 1)
    }

    @Test("what never came to the network is no try")
    func refusal() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        bench.context.end(exchange, Response(error: NetcoreError(.networkMetered, phase: .queue)))
        exchange.complete(try #require(owner.end), bench.clock.now)
        #expect(owner.error == .networkMetered && owner.end?.tries.isEmpty == true)
    }

    @Test("a POST is tried again only if nothing of it was sent, it has a key, or it says that it may be")
    func idempotency() throws {
        func tries(_ code: NetcoreError.Code?, sent: Int = 10, change: (inout Request) throws -> Void = { _ in }) throws
            -> Int
        {
            let bench = try bench(random: 0)
            let (exchange, _) = try send(bench, "POST", change: change)
            if let code { fail(bench, exchange, code, sent: sent) } else { bench.answer(exchange, 503) }
            return bench.below.down.count
        }
        #expect(try tries(nil) == 1 && tries(.connectionLost) == 1 && tries(.timeoutFirstByte) == 1)
        #expect(try tries(.connect, sent: 0) == 2 && tries(.resolve, sent: 0) == 2 && tries(.connect, sent: 10) == 1)
        #expect(try tries(nil) { $0.isIdempotent = true } == 2)
        #expect(try tries(nil) { try $0.setHeader("idempotency-KEY", "1") } == 2)
        #expect(
            try tries(nil) {
                $0.isIdempotent = true
                $0.isSentOnce = true
            } == 1)
    }

    @Test("a method that the policy names is tried again, and one that it leaves out is not")
    func methods() throws {
        var policy = RetryPolicy.standard
        policy.methods = ["POST"]
        let bench = try bench(random: 0)
        let (post, _) = try send(bench, "POST", "http://one.test/", policy)
        bench.answer(post, 503)
        #expect(bench.below.down.count == 2)
        let (get, owner) = try send(bench, "GET", "http://one.test/", policy)
        bench.answer(get, 503)
        #expect(owner.end?.status == 503)
    }

    @Test("a key is made once for each task, and goes with each attempt")
    func keys() throws {
        var policy = RetryPolicy.standard
        policy.makesIdempotencyKeys = true
        let bench = try bench(random: 0)
        let (first, _) = try send(bench, "POST", "http://one.test/", policy)
        let key = try #require(Headers(first.hop.wire().fields)["Idempotency-Key"])
        #expect(key.count == 38 && key.first == "\"" && key.last == "\"" && Array(key)[15] == "4")
        bench.answer(first, 503)
        #expect(bench.below.down.count == 2 && Headers(first.hop.wire().fields)["Idempotency-Key"] == key)
        let (second, _) = try send(bench, "POST", "http://one.test/", policy)
        let other = try #require(Headers(second.hop.wire().fields)["Idempotency-Key"])
        #expect(other != key)
        let (get, _) = try send(bench, "GET", "http://one.test/", policy)
        #expect(!get.hop.wire().fields.contains("Idempotency-Key"))
        let (own, _) = try send(bench, "POST", "http://one.test/", policy) { try $0.setHeader("Idempotency-Key", "x") }
        #expect(Headers(own.hop.wire().fields).values(of: "Idempotency-Key") == ["x"])
    }

    @Test("a body that cannot be read again is not sent again")
    func body() throws {
        for (canRewind, count) in [(true, 2), (false, 1)] {
            let bench = try bench(random: 0)
            let (exchange, owner) = try send(bench, "PUT") { request in
                try request.setBody(BodyStream(canRewind: canRewind) { { _ in 0 } })
                request = try request.settled(ClientSettings.Values())
            }
            bench.answer(exchange, 503)
            #expect(bench.below.down.count == count)
            if count == 1 { #expect(exchange.tries.all.map(\.reason) == [.body] && owner.end?.status == 503) }
        }
    }

    @Test("an origin's budget ends retries, and those of another origin go on")
    func budget() throws {
        var policy = RetryPolicy.standard
        policy.budget?.tokens = 2
        policy.budget?.perSecond = 0
        let bench = try bench(random: 0)
        let (first, one) = try send(bench, "GET", "http://one.test/", policy)
        for _ in 0..<3 { bench.answer(first, 500) }
        #expect(one.end?.status == 500 && first.tries.all.last?.reason == .attempts)
        let (second, two) = try send(bench, "GET", "http://one.test/", policy)
        bench.answer(second, 500)
        #expect(two.end?.status == 500 && second.tries.all.map(\.reason) == [.budget])
        let (third, three) = try send(bench, "GET", "http://two.test/", policy)
        bench.answer(third, 500)
        #expect(three.end == nil)
        for _ in 0..<5 { bench.answer(try send(bench, "GET", "http://one.test/", policy).exchange, 200) }
        let (fourth, four) = try send(bench, "GET", "http://one.test/", policy)
        bench.answer(fourth, 500)
        #expect(four.end == nil)
    }

    // MARK: The body of an answer that is tried again

    @Test("the body of an answer that is tried again is dropped, and what was decided at its head is done")
    func head() throws {
        let bench = try bench()
        let (exchange, owner) = try send(bench)
        let answer = StageBench.response(503)
        #expect(exchange.transferUse(ofBody: 503, answer.fieldBlock) == .dropped)
        bench.clock.advance(milliseconds: 200)
        answer.lacksBody = true
        bench.context.end(exchange, answer)
        advance(bench, 299)
        #expect(bench.below.down.count == 1)
        advance(bench, 1)
        #expect(bench.below.down.count == 2 && owner.end == nil)
        #expect(exchange.transferUse(ofBody: 404, answer.fieldBlock) == .delivered)
    }

    @Test("what was decided about an answer is forgotten when the transport has sent the hop again by itself")
    func otherAnswer() throws {
        let bench = try bench(random: 0)
        let (exchange, owner) = try send(bench)
        #expect(exchange.transferUse(ofBody: 503, StageBench.response(503).fieldBlock) == .dropped)
        bench.answer(exchange, 204)
        #expect(owner.end?.status == 204 && bench.below.down.count == 1)
        let (second, other) = try send(bench)
        #expect(second.transferUse(ofBody: 503, StageBench.response(503).fieldBlock) == .dropped)
        #expect(second.transferUse(ofBody: 200, StageBench.response(200).fieldBlock) == .delivered)
        bench.answer(second, 200)
        #expect(other.end?.status == 200 && bench.below.down.count == 2)
    }

    @Test("an answer that is not tried again keeps its body")
    func delivered() throws {
        var policy = RetryPolicy.standard
        policy.attempts = 1
        let bench = try bench()
        let (exchange, _) = try send(bench, "GET", "http://one.test/", policy)
        #expect(exchange.transferUse(ofBody: 503, StageBench.response(503).fieldBlock) == .delivered)
    }

    @Test("a total timeout that ends while the body is dropped is the end")
    func lateWhileDropping() throws {
        let bench = try bench(random: 0)
        let (exchange, owner) = try send(bench)
        #expect(exchange.transferUse(ofBody: 503, StageBench.response(503).fieldBlock) == .dropped)
        fail(bench, exchange, .timeoutTotal)
        #expect(owner.error == .timeoutTotal && bench.below.down.count == 1)
    }

    // MARK: A function of the application's

    private func decided(
        _ bench: StageBench, _ decide: @escaping RetryPolicy.Decide, total: Duration? = nil
    ) throws -> (exchange: Exchange, owner: Owner) {
        var policy = RetryPolicy.standard
        policy.decide = decide
        return try send(bench, "GET", "http://one.test/", policy) { $0.timeouts.total = total }
    }

    @Test("the application may try again what the policy would not, and stop what it would")
    func decisions() throws {
        let bench = try bench(random: 0.5)
        let seen = Collector<RetryPolicy.Outcome>()
        let (busy, _) = try decided(bench) { outcome in
            seen.add(outcome)
            return .retry(after: .milliseconds(20))
        }
        bench.answer(busy, 200)
        bench.settle()
        advance(bench, 20)
        #expect(bench.below.down.count == 2)
        let outcome = try #require(seen.wait(for: 1).first)
        #expect(outcome.attempt == 1 && outcome.response.status == 200 && outcome.proposal == nil)
        #expect(outcome.response.urlString == "http://one.test/" && outcome.error == nil)
        let (stopped, owner) = try decided(bench) { outcome in
            outcome.proposal == .milliseconds(500) ? .stop : .standard
        }
        bench.answer(stopped, 503)
        bench.settle()
        #expect(owner.end?.status == 503 && stopped.tries.all.map(\.reason) == [.application])
        let (standard, _) = try decided(bench) { _ in .standard }
        bench.answer(standard, 503)
        bench.settle()
        #expect(bench.below.down.count == 4)
        advance(bench, 500)
        #expect(bench.below.down.count == 5)
    }

    @Test("a cancel ends what waits for the function, and what it then says is dropped; the total timeout does, too")
    func functionTooLate() throws {
        for isCanceled in [true, false] {
            let bench = try bench(random: 0)
            let gate = Pause()
            let decide: RetryPolicy.Decide = { _ in
                gate.wait(milliseconds: 30_000)
                return .retry(after: nil)
            }
            let (exchange, owner) = try decided(bench, decide, total: .seconds(1))
            bench.answer(exchange, 503)
            owner.isCanceled = isCanceled
            if isCanceled { bench.cancel(exchange) } else { advance(bench, 1_000) }
            #expect(owner.error == (isCanceled ? .canceled : .timeoutTotal))
            #expect(exchange.tries.all.map(\.reason) == [isCanceled ? .canceled : .deadline])
            gate.end()
            #expect(bench.below.down.count == 1)
        }
    }
}
