import NetcoreHTTP
import Testing

/// A breaker on a clock that the test sets, in milliseconds. Jitter is in the middle: none.
private struct Bench {
    var breaker: Breaker
    var now: Int64 = 1_000_000

    init(_ policy: BreakerPolicy = .standard) { breaker = Breaker(policy, now: now) }

    mutating func begin(attemptTimeout: Int64? = nil) -> Breaker.Permit? {
        if case .pass(let permit) = breaker.admit(now: now, attemptTimeout: attemptTimeout) { permit } else { nil }
    }

    mutating func end(_ permit: Breaker.Permit?, _ health: TryHealth, random: Double = 0.5) {
        if let permit { breaker.record(permit, health, now: now, random: random) }
    }

    /// Returns whether it went through.
    @discardableResult
    mutating func run(_ health: TryHealth, times: Int = 1, random: Double = 0.5) -> Bool {
        var passed = true
        for _ in 0..<times {
            let permit = begin()
            passed = permit != nil
            end(permit, health, random: random)
        }
        return passed
    }

    mutating func info() -> BreakerInfo { breaker.info(of: "http://one.test:80", now: now) }
    var wait: Int64 { breaker.wait(now: now) }
}

@Suite struct BreakerTests {
    @Test("it opens at the twentieth try of which half failed, not before")
    func share() {
        var bench = Bench()
        bench.run(.good, times: 10)
        bench.run(.failed, times: 9)
        #expect(bench.wait == 0)
        bench.run(.failed)
        #expect(bench.wait == 5_000 && bench.run(.good) == false)
        var fewer = Bench()
        fewer.run(.good, times: 11)
        fewer.run(.failed, times: 10)
        #expect(fewer.wait == 0)  // 10 of 21
        fewer.run(.failed)
        #expect(fewer.wait > 0)  // 11 of 22
    }

    @Test("five tries in a row without a connection open it, and what came between begins anew")
    func row() {
        var bench = Bench()
        bench.run(.unreachable, times: 4)
        bench.run(.failed)  // it was connected
        bench.run(.unreachable, times: 4)
        #expect(bench.wait == 0)
        bench.run(.unknown)
        bench.run(.unreachable)
        #expect(bench.wait == 5_000)
    }

    @Test("without a figure for that, only the share counts")
    func noRow() {
        var policy = BreakerPolicy.standard
        policy.connectFailures = nil
        var bench = Bench(policy)
        bench.run(.unreachable, times: 19)
        #expect(bench.wait == 0)
        bench.run(.unreachable)
        #expect(bench.wait > 0)
    }

    @Test("4xx and 429 are no failures, and what is canceled is no try")
    func noFailures() {
        var bench = Bench()
        bench.run(.refused, times: 10)
        bench.run(.unknown, times: 100)
        bench.run(.failed, times: 9)
        #expect(bench.wait == 0 && bench.info().tries == 19 && bench.info().failures == 9)
    }

    @Test("a try counts for nine tenths of the window at least, and never longer than it")
    func window() {
        var bench = Bench()
        bench.run(.failed, times: 19)
        bench.now += 27_000
        #expect(bench.info().tries == 19)
        bench.now += 3_000
        #expect(bench.info().tries == 0)
        bench.run(.failed)
        #expect(bench.wait == 0)
    }

    @Test("one probe goes through when its time is over, and the others wait for it")
    func halfOpen() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        bench.now += 4_999
        #expect(bench.begin() == nil && bench.info().state == .open)
        bench.now += 1
        let probe = bench.begin()
        #expect(probe?.isProbe == true && bench.info().state == .halfOpen)
        #expect(bench.begin() == nil && bench.wait == 5_000)
        bench.end(probe, .good)
        #expect(bench.info().state == .closed && bench.info().tries == 0)
        #expect(bench.info().openings == 1 && bench.info().refusals == 2)
    }

    @Test("each failed probe doubles the time, up to the longest; a success begins anew")
    func doubling() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        for expected in [5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000] as [Int64] {
            #expect(bench.wait == expected)
            bench.now += expected
            bench.run(.failed)
        }
        bench.now += 300_000
        bench.run(.good)
        bench.run(.failed, times: 20)
        #expect(bench.wait == 5_000)
    }

    @Test(
        "the time is random within a fifth",
        arguments: [(0.0, 4_000), (0.5, 5_000), (0.75, 5_500)] as [(Double, Int64)])
    func jitter(random: Double, wait: Int64) {
        var bench = Bench()
        bench.run(.failed, times: 20, random: random)
        #expect(bench.wait == wait)
    }

    @Test(
        "a probe that says nothing gives its place to another one after the time that it was open, or the attempt timeout"
    )
    func lease() {
        for (timeout, lease) in [(nil, 5_000), (1_000, 5_000), (9_000, 9_000)] as [(Int64?, Int64)] {
            var bench = Bench()
            bench.run(.failed, times: 20)
            bench.now += 5_000
            #expect(bench.begin(attemptTimeout: timeout) != nil)
            bench.now += lease - 1
            #expect(bench.begin() == nil)
            bench.now += 1
            #expect(bench.begin()?.isProbe == true)
        }
    }

    @Test("a probe that comes late closes it by a success, and says nothing by a failure")
    func lateProbe() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        bench.now += 5_000
        let first = bench.begin()
        bench.now += 5_000
        let second = bench.begin()
        bench.end(first, .failed)
        #expect(bench.info().state == .halfOpen && bench.info().openings == 1)
        bench.end(first, .good)
        #expect(bench.info().state == .closed)
        bench.end(second, .failed)
        #expect(bench.info().state == .closed && bench.info().failures == 1)
    }

    @Test("a probe that is canceled leaves its place to the next request")
    func canceledProbe() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        bench.now += 5_000
        bench.end(bench.begin(), .unknown)
        #expect(bench.wait == 0 && bench.begin()?.isProbe == true)
    }

    @Test("a 4xx to the probe closes it, and does not wipe the tally: the next failure opens it again, for longer")
    func refusedProbe() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        bench.now += 5_000
        bench.run(.refused)
        #expect(bench.info().state == .closed && bench.info().tries == 21 && bench.info().failures == 20)
        bench.run(.refused)
        bench.run(.failed)
        #expect(bench.wait == 10_000)
    }

    @Test("the doublings are forgotten when it was closed for a window")
    func forgotten() {
        var bench = Bench()
        bench.run(.failed, times: 20)
        bench.now += 5_000
        bench.run(.refused)
        bench.now += 30_000
        bench.run(.failed, times: 20)
        #expect(bench.wait == 5_000)
    }

    @Test("what began before it opened says nothing of the time after")
    func oldTries() {
        var bench = Bench()
        let old = (0..<30).map { _ in bench.begin() }
        bench.run(.failed, times: 20)
        bench.end(old[0], .good)
        #expect(bench.info().state == .open)
        bench.now += 5_000
        bench.run(.good)
        for permit in old { bench.end(permit, .failed) }
        #expect(bench.info().state == .closed && bench.info().tries == 0)
    }

    @Test("whatever comes, it is never shut for good, and a half-open one lets one at a time through")
    func neverShut() {
        var random = SystemRandomNumberGenerator()
        var bench = Bench()
        var open: [Breaker.Permit] = []
        for _ in 0..<20_000 {
            bench.now += Int64.random(in: 0...2_000, using: &random)
            let before = bench.info().state
            if let permit = bench.begin() {
                #expect(permit.isProbe == (before != .closed))
                open.append(permit)
            } else {
                #expect((1...360_000).contains(bench.wait))
            }
            if !open.isEmpty, Bool.random(using: &random) {
                let health: TryHealth =
                    [.good, .refused, .failed, .failed, .failed, .unreachable, .unknown].randomElement(using: &random)
                    ?? .good
                bench.end(
                    open.remove(at: Int.random(in: open.indices, using: &random)), health, random: .random(in: 0..<1))
            }
        }
        bench.now += 360_000
        #expect(bench.begin() != nil)
    }
}

@Suite struct TryHealthTests {
    @Test(
        "what counts as a failure",
        arguments: [
            (.answer(status: 200), .good), (.answer(status: 304), .good), (.answer(status: 404), .refused),
            (.answer(status: 429), .refused), (.answer(status: 500), .failed), (.answer(status: 501), .good),
            (.answer(status: 503), .failed), (.failure(.connect), .unreachable), (.failure(.tls), .unreachable),
            (.failure(.timeoutConnect), .unreachable), (.failure(.connectionLost), .failed),
            (.failure(.timeoutFirstByte), .failed), (.failure(.timeoutTotal), .failed), (.failure(.truncated), .failed),
            (.failure(.tlsCertificate), .unknown), (.failure(.canceled), .unknown), (.failure(.resolve), .unknown),
            (.failure(.limitBodyBytes), .unknown), (.failure(.body), .unknown),
        ] as [(RetryRule.Outcome, TryHealth)])
    func outcomes(outcome: RetryRule.Outcome, health: TryHealth) { #expect(TryHealth(outcome) == health) }
}

@Suite struct BreakersTests {
    @Test("each origin has its own, another policy begins anew, and a flood of origins is bounded")
    func origins() {
        var breakers = Breakers()
        func fail(_ origin: String, _ policy: BreakerPolicy = .standard, now: Int64 = 0) {
            for _ in 0..<5 {
                guard case .pass(let permit) = breakers.admit(origin, policy, now: now, attemptTimeout: nil) else {
                    return
                }
                breakers.record(origin, permit, .unreachable, now: now, random: 0.5)
            }
        }
        fail("http://a")
        fail("http://c", now: 1)
        #expect(breakers.wait("http://a", now: 0) == 5_000 && breakers.wait("http://b", now: 0) == 0)
        #expect(breakers.infos(now: 1).map(\.origin) == ["http://a", "http://c"])
        var other = BreakerPolicy.standard
        other.openTime = .seconds(7)
        fail("http://b", other)
        #expect(breakers.wait("http://b", now: 0) == 7_000 && breakers.wait("http://a", now: 0) == 0)
        for index in 0..<20_000 { fail("http://\(index)", other) }
        #expect(breakers.count <= Breakers.most)
    }

    @Test("those that are closed and have seen nothing for a window are forgotten, and open ones are kept")
    func idle() {
        var breakers = Breakers()
        for _ in 0..<20 {
            if case .pass(let permit) = breakers.admit("down", .standard, now: 0, attemptTimeout: nil) {
                breakers.record("down", permit, .failed, now: 40_000, random: 0.5)
            }
        }
        for index in 0..<400 {
            if case .pass(let permit) = breakers.admit("\(index)", .standard, now: 0, attemptTimeout: nil) {
                breakers.record("\(index)", permit, .good, now: 0, random: 0.5)
            }
        }
        _ = breakers.admit("later", .standard, now: 43_000, attemptTimeout: nil)
        for index in 0..<400 { _ = breakers.admit("x\(index)", .standard, now: 43_000, attemptTimeout: nil) }
        #expect(breakers.wait("down", now: 43_000) == 2_000 && breakers.count < 600)
    }
}

@Suite struct BreakerPolicyTests {
    @Test("figures out of range are refused with their names")
    func refusals() {
        let wrong: [(String, (inout BreakerPolicy) -> Void)] = [
            ("window_ms", { $0.window = .milliseconds(99) }), ("bucket_count", { $0.buckets = 0 }),
            ("min_tries", { $0.minimumTries = 0 }), ("failure_percent", { $0.failureRatio = 1.1 }),
            ("connect_failures", { $0.connectFailures = 0 }), ("open_ms", { $0.openTime = .zero }),
            ("max_open_ms", { $0.maximumOpenTime = .seconds(4) }), ("jitter_percent", { $0.jitter = 0.6 }),
        ]
        for (name, change) in wrong {
            var policy = BreakerPolicy.standard
            change(&policy)
            let error = #expect(throws: NetcoreError.self) { try policy.validate() }
            #expect(error?.argument == name)
        }
    }

    @Test("the window is at least twice the attempt timeout")
    func attemptTimeout() throws {
        try BreakerPolicy.standard.validate(attemptTimeout: .seconds(15), "window_ms")
        let error = #expect(throws: NetcoreError.self) {
            try BreakerPolicy.standard.validate(attemptTimeout: .milliseconds(15_001), "window_ms")
        }
        #expect(error?.argument == "window_ms")
    }
}
