import NetcoreHTTP
import Testing

/// What answers say of their servers' limits, and what a client makes of it.
@Suite struct RateHintTests {
    typealias Row = (status: Int, fields: [(String, String)], expected: RateHint?)

    private static func left(_ remaining: Int, _ reset: Int) -> RateHint {
        RateHint(remaining: remaining, reset: reset)
    }

    private static let policies = "\"a\";q=9;w=1, \"b\";q=9;w=60;pk=:cGFydA==:, \"bytes\";q=9;w=60;qu=\"content-bytes\""

    private static let rows: [Row] = [
        (200, [("ratelimit", "\"default\";r=50;t=30")], left(50, 30)),
        (200, [("ratelimit", "\"a\";r=9;t=1, \"b\";r=0;t=60")], left(0, 60)),
        (200, [("ratelimit", "\"b\";r=0;t=60,\"a\";r=0;t=1")], left(0, 60)),
        (200, [("ratelimit", "default; r=2 ; t=3")], left(2, 3)),
        (200, [("ratelimit", "\"a,b;r=7\";r=0;t=60")], left(0, 60)),
        (200, [("ratelimit", "\"a\\\"\";pk=:YS8r+/=:;r=4;t=5")], left(4, 5)),
        (200, [("ratelimit", "\"b\";r=0"), ("ratelimit-policy", policies)], left(0, 60)),
        (200, [("ratelimit", "\"c\";r=0"), ("ratelimit-policy", policies)], nil),
        (200, [("ratelimit", "\"bytes\";r=0;t=5, \"a\";r=3;t=1"), ("ratelimit-policy", policies)], left(3, 1)),
        (200, [("ratelimit", "limit=100, remaining=0, reset=50")], left(0, 50)),
        (200, [("ratelimit-limit", "9"), ("ratelimit-remaining", "0"), ("ratelimit-reset", "7")], left(0, 7)),
        (200, [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1700000060")], left(0, 60)),
        (200, [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "1600000000")], left(0, 0)),
        (200, [("x-rate-limit-remaining", "3"), ("x-rate-limit-reset", "8")], left(3, 8)),
        (429, [("retry-after", "12"), ("ratelimit", "\"a\";r=3;t=1")], left(0, 12)),
        (503, [("retry-after", "Tue, 14 Nov 2023 22:13:30 GMT")], left(0, 10)),
        (429, [("retry-after", "soon"), ("x-ratelimit-remaining", "1"), ("x-ratelimit-reset", "8")], left(1, 8)),
        (200, [("retry-after", "12")], nil),
        (200, [("x-ratelimit-reset", "8")], nil),
        (200, [("ratelimit", "\"default\";r=-1;t=30")], nil),
        (200, [("ratelimit", "\"default;r=0;t=30")], nil),
        (200, [("x-ratelimit-remaining", "none"), ("x-ratelimit-reset", "8")], nil),
        (200, [], nil),
    ]

    @Test("what an answer says of its server's limit", arguments: rows)
    func hints(_ row: Row) {
        let found = RateHint.parse(
            status: row.status, { name in row.fields.first { $0.0 == name }?.1 }, now: 1_700_000_000)
        #expect(found == row.expected)
    }

    private static let second = 1_000_000_000

    @Test("nothing goes until the reset when nothing is left")
    func none() {
        var quota = ServerQuota()
        #expect(quota.allows(1000, now: 0) && quota.isIdle(0))
        quota.requestDidEnd(Self.left(0, 30), now: 0)
        #expect(quota.wait(Self.second) == 29 * Self.second && !quota.isIdle(Self.second))
        #expect(quota.wait(30 * Self.second) == 0 && quota.allows(1000, now: 30 * Self.second))
    }

    @Test("until the reset, no more go than were left, whether their answers say so or not")
    func some() {
        var quota = ServerQuota()
        quota.requestDidEnd(Self.left(3, 30), now: 0)
        #expect(quota.allows(2, now: 0) && !quota.allows(3, now: 0) && quota.wait(0) == 0)
        quota.requestDidEnd(nil, now: 1)
        #expect(!quota.allows(2, now: 1))
        quota.requestDidEnd(Self.left(1, 29), now: 2)
        #expect(quota.allows(0, now: 2) && !quota.allows(1, now: 2))
        quota.requestDidEnd(nil, now: 3)
        #expect(quota.wait(3) > 28 * Self.second)
        quota.requestDidEnd(Self.left(9, 10), now: 4)
        #expect(quota.wait(4) == 0 && quota.allows(8, now: 4))
    }

    @Test("a hint holds for an hour at most, and one for the past not at all")
    func bounds() {
        var quota = ServerQuota()
        quota.requestDidEnd(Self.left(0, .max), now: 7)
        #expect(quota.wait(7) == ServerQuota.longest)
        quota.requestDidEnd(Self.left(0, 0), now: 8)
        #expect(quota.isIdle(8) && quota.allows(100, now: 8))
    }
}
