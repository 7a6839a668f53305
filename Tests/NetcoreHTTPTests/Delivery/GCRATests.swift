@testable import NetcoreHTTP
import Testing

/// The rate, on a clock that the test sets, and what servers say of theirs.
@Suite struct GCRATests {
    private static let second = 1_000_000_000

    /// The same rule with a list of all that went: of any `burst + n` requests, the last one comes at least `n` spacings after the
    /// first, whatever `n` is. (A request may go when that holds for all that went before it.)
    private struct Model {
        let spacing: Int
        let burst: Int
        var sent: [Int] = []

        func due(_ now: Int) -> Int {
            sent.enumerated().reduce(now) { due, one in
                max(due, one.element + (sent.count - one.offset - (burst - 1)) * spacing)
            }
        }
    }

    @Test("lets go what a model of all requests lets go, for any rate and any times")
    func model() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let requests = Int.random(in: 1...50, using: &random)
            let burst = Int.random(in: 1...8, using: &random)
            var rate = GCRA(requests: requests, interval: Self.second, burst: burst)
            var model = Model(spacing: rate.spacing, burst: burst)
            #expect((rate.spacing - 1) * requests < Self.second && rate.spacing * requests >= Self.second)
            var now = Int.random(in: 0...1 << 50, using: &random)
            for _ in 0..<60 {
                now += Int.random(in: 0...3 * rate.spacing, using: &random) * Int.random(in: 0...2, using: &random)
                let wait = rate.wait(now)
                #expect(now + wait == model.due(now))
                if Bool.random(using: &random) { now += wait }
                guard rate.wait(now) == 0 else { continue }
                rate.take(now)
                model.sent.append(now)
            }
        }
    }

    @Test("no interval has more requests than the rate and its burst")
    func bound() {
        var rate = GCRA(requests: 7, interval: Self.second, burst: 3)
        var sent: [Int] = []
        var now = 1
        while now < 10 * Self.second {
            if rate.wait(now) == 0 {
                rate.take(now)
                sent.append(now)
            }
            now += 1_000_000
        }
        for start in sent { #expect(sent.count { $0 >= start && $0 < start + Self.second } <= 7 + 2) }
        #expect(sent.count >= 69)
    }

    @Test("those ahead count, and a change of the rate keeps what was taken")
    func changes() {
        var rate = GCRA(requests: 10, interval: Self.second, burst: 1)
        rate.take(0)
        #expect(rate.wait(0, ahead: 0) == Self.second / 10 && rate.wait(0, ahead: 4) == Self.second / 2)
        #expect(!rate.isIdle(1) && rate.isIdle(Self.second / 10))
        let slower = rate.changed(to: GCRA(requests: 1, interval: Self.second, burst: 1), now: 0)
        #expect(slower.wait(0) == Self.second)
    }
}
