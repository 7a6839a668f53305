@testable import Netcore
import NetcoreHTTP
import NetcoreSupport
import NetcoreTransport
import Testing

@Suite struct FilterStageTests {
    private func bench(_ filters: [Client.Filter]) throws -> StageBench {
        let bench = try StageBench { FilterStage($0) }
        try bench.client.settings.change { $0.filters = filters }
        return bench
    }

    @Test("what filters make of a request goes down, before each attempt at the first hop")
    func filters() throws {
        let bench = try bench([{ try $0.setURL("http://two.test/b") }])
        let (exchange, _) = try bench.send(unfiltered: true)
        #expect(bench.below.urls.isEmpty)
        bench.settle()
        #expect(bench.below.urls == ["http://two.test/b"])
        bench.answer(exchange)
    }

    @Test("a request without filters passes")
    func none() throws {
        let bench = try bench([{ _ in throw NetcoreError.refused(2000, "") }])
        let (exchange, _) = try bench.send()
        #expect(bench.below.down.count == 1)
        bench.answer(exchange)
    }

    @Test("a filter's refusal is the answer")
    func refusal() throws {
        let bench = try bench([{ _ in throw NetcoreError.refused(2001, "no") }])
        let (_, owner) = try bench.send(unfiltered: true)
        bench.settle()
        #expect(owner.error?.rawValue == 2001 && bench.below.down.isEmpty)
    }

    @Test("a filter that takes too long ends its request by the total timeout, and holds up no other")
    func slow() throws {
        let gate = Pause()
        let bench = try bench([{ request in if request.urlString.contains("slow") { gate.wait(milliseconds: 30_000) } }]
        )
        let (_, slow) = try bench.send("http://slow.test/", unfiltered: true) { $0.timeouts.total = .milliseconds(50) }
        bench.clock.advance(milliseconds: 50)
        bench.expire()
        #expect(slow.error == .timeoutTotal)
        let (exchange, _) = try bench.send("http://quick.test/", unfiltered: true)
        bench.settle()
        #expect(bench.below.urls == ["http://quick.test/"])
        gate.end()
        bench.answer(exchange)
    }

    @Test("an answer of a filter for an exchange that was canceled is dropped")
    func late() throws {
        let gate = Pause()
        let bench = try bench([{ _ in gate.wait(milliseconds: 30_000) }])
        let (exchange, owner) = try bench.send(unfiltered: true)
        bench.cancel(exchange)
        gate.end()
        #expect(owner.error == .canceled && bench.below.down.isEmpty)
    }
}

@Suite struct UpgradeStageTests {
    private func bench() throws -> StageBench {
        var options = Client.Options()
        options.hstsFile = ""
        let bench = try StageBench(options) { UpgradeStage($0) }
        let fields = FieldBlock()
        fields.append("Strict-Transport-Security", "max-age=60")
        bench.client.hsts?.receive(fields, from: try HTTPURL("https://one.test/"))
        return bench
    }

    @Test(
        "a hop to a host that asked for https goes by it",
        arguments: [
            ("http://one.test/a", "https://one.test/a"), ("http://two.test/a", "http://two.test/a"),
            ("https://one.test/a", "https://one.test/a"),
        ])
    func first(url: String, expected: String) throws {
        let bench = try bench()
        let (exchange, _) = try bench.send(url)
        #expect(bench.below.urls == [expected])
        #expect(exchange.hop.wire().url.string == expected)
        bench.answer(exchange)
    }

    @Test("what a hop was to carry stays")
    func redirected() throws {
        let bench = try bench()
        let (exchange, _) = try bench.send("http://two.test/") { try $0.setHeader("Authorization", "secret") }
        let policy = RedirectPolicy()
        let decision = Array("http://one.test/b".utf8).withUnsafeBytes {
            policy.decide(
                status: 302, location: $0, method: "GET", url: exchange.hop.url, redirects: 0, limit: 1)
        }
        guard case .follow(let step) = decision else { throw NetcoreError(.internal, "no redirect") }
        exchange.follow(step, from: Response())
        bench.context.goOnAnew(exchange)
        #expect(bench.below.urls.last == "https://one.test/b")
        #expect(!exchange.hop.wire().fields.contains("Authorization"))
        bench.answer(exchange)
    }
}

@Suite struct FollowStageTests {
    private func bench() throws -> StageBench { try StageBench { FollowStage($0) } }

    @Test("a redirect makes another hop of the same attempt, without what belongs to the other origin")
    func follows() throws {
        let bench = try bench()
        let (exchange, owner) = try bench.send { try $0.setHeader("Cookie", "a=b") }
        exchange.countHop()
        bench.answer(exchange, 302, [("Location", "http://two.test/b")])
        #expect(bench.below.urls == ["http://one.test/a", "http://two.test/b"])
        #expect(exchange.redirects == 1 && exchange.attempt.hops == 1)
        #expect(!exchange.hop.wire().fields.contains("Cookie"))
        bench.answer(exchange)
        #expect(owner.end?.status == 200)
    }

    @Test("more redirects than the limit are an error")
    func limit() throws {
        let bench = try bench()
        let (exchange, owner) = try bench.send {
            var limits = Limits()
            limits.redirects = 2
            $0.setLimits(limits)
        }
        for _ in 0..<3 { bench.answer(exchange, 302, [("Location", "/again")]) }
        #expect(owner.error == .limitRedirects && bench.below.down.count == 3)
    }

    @Test("other answers, and those of canceled exchanges, pass", arguments: [(200, false), (304, false), (302, true)])
    func passes(status: Int, isCanceled: Bool) throws {
        let bench = try bench()
        let (exchange, owner) = try bench.send()
        owner.isCanceled = isCanceled
        bench.answer(exchange, status, [("Location", "/b")])
        #expect(owner.end?.status == status && bench.below.down.count == 1)
    }
}

@Suite struct CredentialsStageTests {
    private func bench(_ token: @escaping Client.TokenFunction) throws -> StageBench {
        let bench = try StageBench { CredentialsStage($0) }
        try bench.client.settings.change {
            $0.tokenSources["http://one.test:80"] = TokenSource(origin: "http://one.test:80", function: token)
        }
        return bench
    }

    private func sent(_ exchange: Exchange) -> String? { Headers(exchange.hop.wire().fields)["Authorization"] }

    @Test("requests wait for one call of the token's function, and carry what it gave")
    func waits() throws {
        let calls = Collector<String?>()
        let bench = try bench { refused in
            calls.add(refused)
            return "t1"
        }
        let sent = try (0..<3).map { _ in try bench.send().exchange }
        #expect(bench.below.down.isEmpty)
        bench.settle()
        #expect(bench.below.down.count == 3 && sent.allSatisfy { self.sent($0) == "Bearer t1" })
        #expect(calls.wait(for: 1) == [nil])
        for exchange in sent { bench.answer(exchange) }
    }

    @Test("a 401 asks for another token, once, and the hop goes out again as another attempt")
    func refused() throws {
        let bench = try bench { $0 == nil ? "t1" : "t2" }
        let (exchange, owner) = try bench.send()
        bench.settle()
        exchange.countHop()
        bench.answer(exchange, 401)
        #expect(owner.end == nil)
        bench.settle()
        #expect(sent(exchange) == "Bearer t2" && exchange.attempt.hops == 0 && bench.below.down.count == 2)
        bench.answer(exchange, 401)
        #expect(owner.end?.status == 401 && bench.below.down.count == 2)
    }

    @Test("a 401 that another request's new token answers is followed up without its body; others keep theirs")
    func foreseen() throws {
        let bench = try bench { $0 == nil ? "t1" : "t2" }
        let (first, _) = try bench.send()
        bench.settle()
        let (second, owner) = try bench.send()
        // The application's function may have no other token: then the application gets this body.
        #expect(first.transferUse(ofBody: 401, nil) == .delivered)
        bench.answer(first, 401)
        bench.settle()
        #expect(sent(first) == "Bearer t2" && sent(second) == "Bearer t1")
        #expect(second.transferUse(ofBody: 401, nil) == .dropped)
        #expect(second.transferUse(ofBody: 403, nil) == .delivered)
        let refused = StageBench.response(401)
        refused.lacksBody = true
        bench.context.end(second, refused)
        #expect(owner.end == nil && sent(second) == "Bearer t2")
        #expect(second.transferUse(ofBody: 401, nil) == .delivered)
        for exchange in [first, second] { bench.answer(exchange) }
    }

    @Test("a token that comes too late ends the request by its total timeout; in the way of others it is not")
    func late() throws {
        let gate = Pause()
        let bench = try bench { _ in
            gate.wait(milliseconds: 30_000)
            return "t1"
        }
        let (_, hasty) = try bench.send { $0.timeouts.total = .milliseconds(50) }
        let (patient, _) = try bench.send()
        bench.clock.advance(milliseconds: 50)
        bench.expire()
        #expect(hasty.error == .timeoutTotal)
        gate.end()
        bench.settle()
        #expect(bench.below.down.count == 1 && sent(patient) == "Bearer t1")
        bench.answer(patient)
    }

    @Test("the application answers a challenge, three times at most")
    func challenge() throws {
        let bench = try StageBench { CredentialsStage($0) }
        let failures = Collector<Int>()
        try bench.client.settings.change {
            $0.challenge = { request in
                failures.add(request.failures)
                return .basic(user: "u", password: "p\(request.failures)")
            }
        }
        let (exchange, owner) = try bench.send()
        for _ in 0..<3 {
            bench.answer(exchange, 401, [("WWW-Authenticate", "Basic realm=\"a\"")])
            bench.settle()
        }
        #expect(owner.end == nil && failures.wait(for: 3) == [0, 1, 2])
        bench.answer(exchange, 401, [("WWW-Authenticate", "Basic realm=\"a\"")])
        #expect(owner.end?.status == 401 && bench.below.down.count == 4)
    }
}

@Suite struct AdmitStageTests {
    private func bench(perHost: Int = 1) throws -> StageBench {
        var options = Client.Options()
        options.limits.transfersPerHost = perHost
        return try StageBench(options) { AdmitStage($0, FakeTransport()) }
    }

    @Test("one beyond the limit waits for the slot of another, and its wait is billed to no timeout")
    func waits() throws {
        let bench = try bench()
        let (first, _) = try bench.send()
        let (second, owner) = try bench.send()
        #expect(bench.below.down.count == 1 && !owner.hasBegun)
        bench.clock.advance(milliseconds: 500)
        bench.answer(first)
        #expect(bench.below.down.count == 2 && owner.hasBegun)
        #expect(second.times.started == bench.clock.now && second.times.queued == 500_000)
        bench.answer(second)
    }

    @Test("one that is canceled in line leaves it")
    func canceled() throws {
        let bench = try bench()
        let (first, _) = try bench.send()
        let (second, owner) = try bench.send()
        let (third, _) = try bench.send()
        bench.cancel(second)
        #expect(owner.error == .canceled)
        bench.answer(first)
        #expect(bench.below.down.count == 2 && bench.below.down.last === third)
        bench.answer(third)
    }

    @Test("new limits let more through, and a network that is not allowed ends those that wait for it")
    func changes() throws {
        let bench = try bench()
        let (first, _) = try bench.send()
        let (second, _) = try bench.send()
        let (_, owner) = try bench.send { $0.allowsMetered = false }
        bench.context.limits.transfersPerHost = 2
        bench.stage.limitsDidChange()
        #expect(bench.below.down.count == 2)
        try bench.client.settings.change { $0.network = Client.NetworkState(isMetered: true) }
        bench.answer(first)
        #expect(owner.error == .networkMetered)
        bench.answer(second)
    }
}

@Suite struct AttemptStageTests {
    @Test("hops of an attempt count as one, and what the transport sent again by itself is added")
    func counts() throws {
        let bench = try StageBench { AttemptStage($0) }
        let (exchange, owner) = try bench.send()
        #expect(exchange.costs.attempts == 1)
        bench.answer(exchange, 200, attempts: 3)
        #expect(exchange.costs.attempts == 3 && exchange.costs.bytesSent == 10 && exchange.costs.bytesReceived == 20)
        #expect(owner.end?.status == 200)
    }

    @Test("redirects are of one attempt; another attempt counts")
    func attempts() throws {
        let bench = try StageBench { AttemptStage($0) }
        let (exchange, _) = try bench.send()
        bench.context.goOnAnew(exchange)
        #expect(exchange.costs.attempts == 1 && exchange.attempt.hops == 2)
        exchange.tryAgain(exchange.hop.again)
        bench.context.goOnAnew(exchange)
        #expect(exchange.costs.attempts == 2 && exchange.attempt.hops == 1)
        bench.answer(exchange)
    }

    @Test("the host itself is asked where its alternative service fails", arguments: [true, false])
    func alternative(isRefused: Bool) throws {
        var options = Client.Options()
        options.altSvcFile = ""
        let bench = try StageBench(options) { AttemptStage($0) }
        let (exchange, owner) = try bench.send("https://one.test/")
        exchange.hop.alternative = AlternativeService(
            speaksHTTP2: true, host: "two.test", port: 443, expires: .max, persists: false)
        if isRefused {
            bench.answer(exchange, 421)
        } else {
            bench.context.end(exchange, Response(error: NetcoreError(.connect, phase: .connect)))
        }
        #expect(bench.below.down.count == 2 && exchange.costs.attempts == 2 && exchange.hop.alternative == nil)
        bench.answer(exchange)
        #expect(owner.end?.status == 200)
    }
}

@Suite struct TransportStageTests {
    @Test("the hop goes to the transport, and what its answer says of the host is kept")
    func cookies() throws {
        var options = Client.Options()
        options.keepsCookies = true
        let transport = FakeTransport()
        let bench = try StageBench(options) { TransportStage($0, transport.at($0.post)) }
        let (exchange, owner) = try send(bench)
        let sent = try #require(transport.next())
        #expect(sent.wire === exchange.request.wire)
        sent.answer(200, ["Set-Cookie: a=b"])
        bench.settle()
        let cookie = bench.client.identities.cookies?.header(for: exchange.hop.url)
        #expect(owner.end?.status == 200 && cookie.map { String(decoding: $0, as: UTF8.self) } == "a=b")
    }

    @Test("a cancel ends the transfer")
    func cancel() throws {
        let transport = FakeTransport()
        let bench = try StageBench { TransportStage($0, transport.at($0.post)) }
        let (exchange, owner) = try send(bench)
        let sent = try #require(transport.next())
        bench.cancel(exchange)
        #expect(owner.error == .canceled && owner.end?.error?.phase == .wait)
        sent.answer()
        bench.settle()
        #expect(owner.error == .canceled)
    }

    @Test("a transport of the application's gets what goes on the wire, and its answer goes up")
    func application() throws {
        let bench = try StageBench { TransportStage($0, FakeTransport()) }
        let seen = Collector<String>()
        try bench.client.settings.change {
            $0.transport = { request, hop in
                seen.add("\(request.method) \(request.urlString) \(request.headers["x"] ?? "")")
                try? hop.answer(203, [("Y", "2")], body: Array("body".utf8))
            }
        }
        let owner = try send(bench) { try $0.setHeader("X", "1") }.owner
        #expect(seen.wait(for: 1) == ["GET http://one.test/a 1"])
        bench.settle()
        #expect(owner.end?.status == 203 && owner.end?.text == "body" && owner.end?.headers["Y"] == "2")
    }

    @Test(
        "a hop that is not answered ends by its timeout, and an answer after that is an error",
        arguments: [true, false])
    func late(isCanceled: Bool) throws {
        let bench = try StageBench { TransportStage($0, FakeTransport()) }
        let hops = Collector<TransportHop>()
        try bench.client.settings.change { $0.transport = { _, hop in hops.add(hop) } }
        let (exchange, owner) = try send(bench) { $0.timeouts.firstByte = .milliseconds(100) }
        let hop = try #require(hops.wait(for: 1).first)
        bench.clock.advance(milliseconds: 99)
        bench.expire()
        #expect(owner.end == nil && hop.isAwaited)
        bench.clock.advance(milliseconds: 1)
        isCanceled ? bench.cancel(exchange) : bench.expire()
        #expect(owner.error == (isCanceled ? .canceled : .timeoutFirstByte) && !hop.isAwaited)
        #expect(isCanceled || owner.end?.error?.message.hasSuffix(": http://one.test/a") ?? false)
        #expect(throws: NetcoreError.self) { try hop.answer() }
    }

    @Test("a hop is answered once")
    func once() throws {
        let bench = try StageBench { TransportStage($0, FakeTransport()) }
        let hops = Collector<TransportHop>()
        try bench.client.settings.change { $0.transport = { _, hop in hops.add(hop) } }
        let owner = try send(bench).owner
        let hop = try #require(hops.wait(for: 1).first)
        #expect(throws: NetcoreError.self) { try hop.answer(99) }
        #expect(throws: NetcoreError.self) { try hop.answer(200, [("a b", "")]) }
        #expect(throws: NetcoreError.self) { try hop.fail(.invalidArgument) }
        try hop.fail(.connect)
        #expect(throws: NetcoreError.self) { try hop.answer() }
        bench.settle()
        #expect(owner.error == .connect)
    }

    /// Sends a request that has a slot.
    private func send(
        _ bench: StageBench, _ change: (inout Request) throws -> Void = { _ in }
    ) throws -> (exchange: Exchange, owner: Owner) {
        bench.above.gives = Host(origin: "http://one.test:80")
        return try bench.send("http://one.test/a", change)
    }
}
