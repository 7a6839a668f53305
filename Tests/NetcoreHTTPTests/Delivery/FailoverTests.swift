import NetcoreHTTP
import Testing

/// The count of a client's tries, on a clock that the test sets, in milliseconds.
private struct Bench {
    var failover: Failover
    var now: Int64 = 1_000_000
    var selected = Failover.Place(service: "a", environment: "release")

    init(_ policy: FailoverPolicy = .standard) { failover = Failover(policy, now: now) }

    /// Returns what the last of them said.
    mutating func run(failures: Int = 0, successes: Int = 0, at place: Failover.Place? = nil) -> [Failover.Action] {
        (0..<(failures + successes)).compactMap { index in
            failover.record(
                isFailure: index >= successes, of: place ?? selected, selected: selected, now: now)
        }
    }

    mutating func leave(for service: String) {
        selected = Failover.Place(service: service, environment: "release")
        failover.left(for: selected, now: now)
    }
}

@Suite struct FailoverTests {
    /// `#expect` cannot hold a call that changes its value.
    private func expect(
        _ found: [Failover.Action], _ expected: [Failover.Action], at: SourceLocation = #_sourceLocation
    ) {
        #expect(found == expected, sourceLocation: at)
    }

    @Test("it leaves with the fortieth try of which a tenth failed, and not before; it says so once")
    func share() {
        var bench = Bench()
        expect(bench.run(failures: 3, successes: 36), [])
        expect(bench.run(failures: 1), [.leave])
        expect(bench.run(failures: 1), [])
        var fewer = Bench()
        expect(fewer.run(failures: 4, successes: 37), [])  // 4 of 41
        expect(fewer.run(failures: 1), [.leave])  // 5 of 42
        var all = Bench()
        expect(all.run(failures: 39), [])
        expect(all.run(failures: 1), [.leave])
    }

    @Test("a success is never what makes it leave")
    func success() {
        var bench = Bench()
        expect(bench.run(failures: 30), [])
        expect(bench.run(successes: 30), [])
        expect(bench.run(failures: 1), [.leave])
    }

    @Test("what is older than the window does not count")
    func window() {
        var bench = Bench()
        expect(bench.run(failures: 39), [])
        bench.now += 60_000
        expect(bench.run(failures: 39), [])
        expect(bench.run(failures: 1), [.leave])
    }

    @Test("tries of a service that is not selected any more say nothing")
    func late() {
        var bench = Bench()
        let old = bench.selected
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "b")
        expect(bench.run(failures: 1_000, at: old), [])
        expect(bench.run(failures: 40), [.leave])
    }

    @Test("the service that was left first is selected again after the cool-down, counted from the last switch")
    func coolDown() {
        var bench = Bench()
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "b")
        bench.now += 200_000
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "c")
        bench.now += 299_999
        expect(bench.run(successes: 1), [])
        bench.now += 1
        expect(bench.run(successes: 1), [.comeBack(to: "a")])
        bench.selected = Failover.Place(service: "a", environment: "release")
        bench.now += 300_000
        expect(bench.run(successes: 50), [])
    }

    @Test("after a round through all services there is nothing to come back to")
    func round() {
        var bench = Bench()
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "b")
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "a")
        bench.now += 300_000
        expect(bench.run(successes: 10), [])
    }

    @Test("a service that is probed is come back to after successes in a row, and not after the cool-down")
    func probes() {
        var policy = FailoverPolicy.standard
        policy.probe = HealthProbe(path: "health")
        var bench = Bench(policy)
        func probe(_ isSuccess: Bool, of service: String = "a") -> Failover.Action? {
            bench.failover.probe(of: service, isSuccess: isSuccess, selected: bench.selected)
        }
        expect(bench.run(failures: 40), [.leave])
        #expect(bench.failover.probed(selected: bench.selected) == nil)
        bench.leave(for: "b")
        #expect(bench.failover.probed(selected: bench.selected) == "a")
        bench.now += 1_000_000
        expect(bench.run(successes: 1), [])
        #expect(probe(true) == nil && probe(false) == nil && probe(true) == nil && probe(true, of: "c") == nil)
        #expect(probe(true) == .comeBack(to: "a"))
        bench.selected = Failover.Place(service: "a", environment: "release")
        #expect(bench.failover.probed(selected: bench.selected) == nil && probe(true) == nil)
    }

    @Test(
        "services with a weight come first, in proportion; the others in their order",
        arguments: [
            ([], 0.5, nil), ([0, 0], 0.9, 0), ([0, 3, 1], 0, 1), ([0, 3, 1], 0.74, 1), ([0, 3, 1], 0.76, 2),
            ([0, 3, 1, 0], 0.999_999, 2), ([1_000_000, 0], 0.999_999_999, 0),
        ] as [([Int], Double, Int?)])
    func weights(_ weights: [Int], _ random: Double, _ expected: Int?) {
        #expect(ServiceChoice.next(weights, random: random) == expected)
    }

    @Test("without a cool-down it stays")
    func never() {
        var policy = FailoverPolicy.standard
        policy.coolDown = nil
        var bench = Bench(policy)
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "b")
        bench.now += 1_000_000_000
        expect(bench.run(successes: 10), [])
    }

    @Test("what the application selects is obeyed: counting begins anew, and nothing is switched back")
    func byHand() {
        var bench = Bench()
        expect(bench.run(failures: 40), [.leave])
        bench.leave(for: "b")
        expect(bench.run(failures: 39), [])
        bench.selected = Failover.Place(service: "c", environment: "release")
        expect(bench.run(failures: 39), [])
        bench.now += 300_000
        expect(bench.run(successes: 1), [])
    }

    @Test("a service whose breaker refuses is left at once")
    func refused() {
        var bench = Bench()
        let place = bench.selected
        #expect(bench.failover.refused(of: place, selected: place) == .leave)
        bench.leave(for: "b")
        #expect(bench.failover.refused(of: place, selected: bench.selected) == nil)
    }

    @Test("figures out of range are refused with their names")
    func refusals() {
        let wrong: [(String, (inout FailoverPolicy) -> Void)] = [
            ("window_ms", { $0.window = .milliseconds(99) }), ("bucket_count", { $0.buckets = 101 }),
            ("min_tries", { $0.minimumTries = 0 }), ("failure_percent", { $0.failureRatio = 0 }),
            ("cool_down_ms", { $0.coolDown = .zero }),
        ]
        for (name, change) in wrong {
            var policy = FailoverPolicy.standard
            change(&policy)
            let error = #expect(throws: NetcoreError.self) { try policy.validate() }
            #expect(error?.argument == name)
        }
    }
}
