import NetcoreHTTP
import Testing

/// When hedges are due, and how many there may be, with a clock that is handed in.
@Suite struct HedgeStateTests {
    @Test("a percentile is exact to a sixteenth", arguments: [50, 90, 95, 99])
    func percentile(_ percent: Int) {
        var window = LatencyWindow(length: 10_000, buckets: 10, now: 0)
        for number in 1...1000 { window.add(microseconds: number * 1000, now: 0) }
        let exact = percent * 10_000
        #expect(window.count == 1000)
        #expect(window.percentile(percent) >= exact && window.percentile(percent) <= exact + exact / 15)
    }

    @Test("any length is in a class that ends after it")
    func classes() {
        for microseconds in [0, 1, 127, 128, 4095, 4096, 10_000, 999_999, 60_000_000, 120_000_000] {
            var window = LatencyWindow(length: 1000, buckets: 1, now: 0)
            window.add(microseconds: microseconds, now: 0)
            let found = window.percentile(50)
            #expect(found > microseconds && found <= microseconds + microseconds / 15 + 128)
        }
    }

    @Test("what is older than the window does not count, and a clock that goes back changes nothing")
    func window() {
        var window = LatencyWindow(length: 10_000, buckets: 10, now: 50_000)
        window.add(microseconds: 1_000_000, now: 50_000)
        window.add(microseconds: 2000, now: 55_000)
        window.advance(59_999)
        #expect(window.count == 2)
        window.advance(60_000)
        #expect(window.count == 1 && window.percentile(95) < 3000)
        window.advance(40_000)
        #expect(window.count == 1)
        window.advance(1_000_000)
        #expect(window.count == 0 && window.percentile(95) == 0)
    }

    @Test("with too few answers the delay is the initial one, then the percentile, anew every 3 s, and 10 ms at least")
    func delay() {
        var state = HedgeState(.standard, now: 0)
        #expect(state.delay(now: 0) == 2000)
        for _ in 0..<99 { state.note(microseconds: 50_000, now: 1000) }
        #expect(state.delay(now: 3000) == 2000)
        state.note(microseconds: 50_000, now: 3000)
        #expect(state.delay(now: 5999) == 2000)
        #expect((50...54).contains(state.delay(now: 6000)))
        for _ in 0..<2000 { state.note(microseconds: 200, now: 6000) }
        #expect((50...54).contains(state.delay(now: 8999)))
        #expect(state.delay(now: 9000) == 10)
        #expect(state.delay(now: 60_000) == 2000)
    }

    @Test("one answer in twenty pays for a hedge, and ten are there at first")
    func budget() {
        var state = HedgeState(.standard, now: 0)
        func drawn(after successes: Int, of count: Int) -> Int {
            for _ in 0..<successes { state.succeeded() }
            return (0..<count).filter { _ in state.draw() }.count
        }
        #expect(drawn(after: 0, of: 11) == 10)
        #expect(drawn(after: 19, of: 1) == 0)
        #expect(drawn(after: 1, of: 2) == 1)
        #expect(drawn(after: 1000, of: 11) == 10)
    }

    @Test("one that says nothing is forgotten among many, and the number is bounded")
    func bounded() {
        var states = HedgeStates()
        for number in 0..<5000 { _ = states.with("http://\(number).test:80", .standard, now: 0) { $0.draw() } }
        #expect(states.count <= HedgeStates.most)
        var others = HedgeStates()
        for number in 0..<5000 {
            others.with("http://\(number).test:80", .standard, now: Int64(number)) { _ = $0.delay(now: Int64(number)) }
        }
        #expect(others.count <= 64)
    }

    @Test("requests with other figures have a budget of their own")
    func figures() {
        var states = HedgeStates()
        var few = HedgePolicy.standard
        few.budget.tokens = 1
        func draw(_ host: String, _ policy: HedgePolicy) -> Bool {
            states.with("http://\(host):80", policy, now: 0) { state in state.draw() }
        }
        let drawn = [draw("a.test", few), draw("a.test", few), draw("a.test", .standard), draw("b.test", few)]
        #expect(drawn == [true, false, true, true])
    }

    private static let wrong: [(String, @Sendable (inout HedgePolicy) -> Void)] = [
        ("percentile", { $0.percentile = 100 }), ("window_ms", { $0.window = .milliseconds(999) }),
        ("bucket_count", { $0.buckets = 0 }), ("refresh_ms", { $0.refresh = .seconds(11) }),
        ("min_samples", { $0.minimumSamples = 0 }), ("min_delay_ms", { $0.minimumDelay = .zero }),
        ("initial_delay_ms", { $0.initialDelay = .milliseconds(9) }), ("budget_tokens", { $0.budget.tokens = 0 }),
        ("budget_success_percent", { $0.budget.perSuccess = -0.1 }),
    ]

    @Test("contradictory figures are refused by name")
    func refusals() throws {
        try HedgePolicy.standard.validate()
        for (name, change) in Self.wrong {
            var policy = HedgePolicy.standard
            change(&policy)
            let changed = policy
            let error = #expect(throws: NetcoreError.self) { try changed.validate() }
            #expect(error?.code == .invalidArgument && error?.argument == name)
        }
    }
}
