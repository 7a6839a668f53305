import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct FreshnessTests {
    @Test(
        "the lifetime of a private cache",
        arguments: [
            (["Cache-Control: max-age=60"], 60), (["Cache-Control: max-age=60, s-maxage=5"], 60),
            (["Cache-Control: s-maxage=60"], 0), (["Cache-Control: max-age=60", "Expires: 0"], 60),
            (["Cache-Control: max-age=0", "Expires: \(date(60))"], 0),
            (["Cache-Control: max-age=x", "Expires: \(date(60))"], 0),
            (["Expires: \(date(60))"], 60), (["Expires: \(date(60))", "Date: \(date())"], 60),
            (["Expires: \(date(60))", "Date: \(date(20))"], 40), (["Expires: \(date(-60))"], 0), (["Expires: 0"], 0),
            (["Expires: -1"], 0), (["Expires: "], 0), (["Expires: Thu, 18 Aug 2050 02:01:18 AEST"], 0),
            (["Expires: Thu, 18 Aug 2050 2:01:18 GMT"], 0), (["Expires: \(date(60))", "Date: yesterday"], 0),
            (["Expires: \(date(60))", "Expires: \(date(30))"], 30), (["Expires: \(date(60))", "Expires: 0"], 0),
            (["Expires: \(date(60)), \(date(60))"], 0), (["Expires: Thu, 18 Aug 2950 02:01:18 GMT"], 1 << 31),
            (["Expires: Sunday, 15-Jun-25 12:01:00 GMT"], 60), (["Expires: Sun Jun 15 12:01:00 2025"], 60),
            (["Cache-Control: max-age=60", "Date: yesterday"], 60), ([], 0), (["ETag: \"a\""], 0),
        ] as [([String], Int64)])
    func lifetime(lines: [String], seconds: Int64) {
        let policy = StoredPolicy(head(lines), isSecure: true, settings: CacheSettings())
        #expect(policy.lifetime == seconds && !policy.isHeuristic)
    }

    @Test(
        "times at the ends of what numbers can say give an age, and a lifetime that ends",
        arguments: [Int64.min, .min + 1, -62_135_596_800_000, -1, 0, 253_402_300_800_000, .max - 1, .max],
        [
            ["Age: 99999999999999999999"], ["Date: Sat, 01 Jan 0000 00:00:00 GMT"],
            ["Date: Fri, 31 Dec 9999 23:59:59 GMT"], ["Expires: Fri, 31 Dec 9999 23:59:59 GMT"],
            ["Last-Modified: Sat, 01 Jan 0000 00:00:00 GMT", "Age: 1"],
            ["Expires: Sunday, 15-Jun-25 12:01:00 GMT"],
        ])
    func extremes(number: Int64, lines: [String]) {
        for boots in [(UInt64(7), UInt64(7)), (7, 8), (0, 0)] {
            for other in [number, 0, .max, .min] {
                let head = StoredHead(
                    status: 200, version: nil, fields: block(lines),
                    requestTime: Timestamp(wall: other, uptime: other, boot: boots.0),
                    responseTime: Timestamp(wall: number, uptime: number, boot: boots.1))
                let policy = StoredPolicy(head, isSecure: true, settings: CacheSettings())
                #expect((0...CacheControl.longest).contains(policy.lifetime) && policy.initialAge >= 0)
                for now in [at(), at(boot: 8), head.requestTime, head.responseTime] {
                    #expect((0...StoredPolicy.unknown).contains(policy.age(at: now)))
                    #expect(policy.timeToLive(at: now) <= CacheControl.longest)
                    _ = ReuseRule.decide(policy, RequestDirectives(), now: now, settings: CacheSettings())
                }
                #expect(policy.freshUntil <= head.responseTime.wall.adding(saturating: CacheControl.longest * 1000))
            }
        }
    }

    @Test("s-maxage rules in a shared cache")
    func shared() {
        #expect(policy("Cache-Control: max-age=60, s-maxage=5", settings: sharedSettings).lifetime == 5)
        #expect(policy("Cache-Control: max-age=5, s-maxage=60", settings: sharedSettings).lifetime == 60)
        #expect(policy("Cache-Control: s-maxage=x, max-age=60", settings: sharedSettings).lifetime == 0)
    }

    @Test(
        "a tenth of the time since the last modification, where the status allows a guess",
        arguments: [
            (200, [], 100), (203, [], 100), (204, [], 100), (300, [], 100), (301, [], 100), (308, [], 100),
            (404, [], 100),
            (405, [], 100), (410, [], 100), (414, [], 100), (501, [], 100), (201, [], 0), (302, [], 0), (403, [], 0),
            (500, [], 0), (599, [], 0), (599, ["Cache-Control: public"], 100),
            (200, ["Cache-Control: no-transform"], 100),
        ] as [(Int, [String], Int64)])
    func heuristic(status: Int, lines: [String], seconds: Int64) {
        let head = head(lines + ["Last-Modified: \(date(-1000))", "Date: \(date())"], status: status)
        let policy = StoredPolicy(head, isSecure: true, settings: CacheSettings())
        #expect(policy.lifetime == seconds && policy.isHeuristic == (seconds > 0))
    }

    @Test("the guess has a limit, and needs dates that are in order")
    func heuristicLimit() {
        #expect(policy("Last-Modified: \(date(-1_000_000_000))").lifetime == 7 * 86_400)
        #expect(policy("Last-Modified: \(date(10))").lifetime == 0)
        #expect(policy("Last-Modified: x").lifetime == 0)
        #expect(policy("Last-Modified: \(date(-1000))", "Date: x").lifetime == 0)
        #expect(policy("Last-Modified: \(date(-1000))", "Expires: x").lifetime == 0)
        var settings = CacheSettings()
        settings.heuristicPercent = 0
        #expect(policy("Last-Modified: \(date(-1000))", settings: settings).lifetime == 0)
    }

    @Test(
        "the age with which an answer comes, in seconds",
        arguments: [
            ([], 0), (["Age: 30"], 30), (["Date: \(date(-40))"], 40), (["Age: 30", "Date: \(date(-40))"], 40),
            (["Age: 50", "Date: \(date(-40))"], 50), (["Date: \(date(40))"], 0), (["Age: 30, 7"], 30),
            (["Age: 7, 30"], 7),
            (["Age: 7", "Age: 30"], 7), (["Age: x"], 0), (["Age: -30"], 0), (["Age: 30.5"], 0), (["Age: 30s"], 0),
            (["Age: \"30\""], 0), (["Age: 99999999999999999999"], 1 << 31), (["Date: x", "Age: 30"], 30),
        ] as [([String], Int64)])
    func initialAge(lines: [String], seconds: Int64) {
        let policy = StoredPolicy(head(lines), isSecure: true, settings: CacheSettings())
        #expect(policy.initialAge == seconds * 1000)
    }

    @Test("the time that an answer took counts into its age")
    func delay() {
        let head = StoredHead(
            status: 200, version: nil, fields: block("Cache-Control: max-age=10", "Age: 2", "Date: \(date())"),
            requestTime: at(-3000), responseTime: at())
        let policy = StoredPolicy(head, isSecure: true, settings: CacheSettings())
        #expect(policy.initialAge == 5000 && policy.age(at: seconds(4)) == 9000)
        #expect(policy.isFresh(at: at(4999)) && !policy.isFresh(at: seconds(5)))
        #expect(policy.timeToLive(at: seconds(4)) == 1 && policy.timeToLive(at: seconds(20)) == -15)
    }

    @Test("the boot's clock tells the age, whatever happens to the wall clock")
    func clocks() {
        let policy = policy("Cache-Control: max-age=60")
        let decade: Int64 = 315_360_000_000
        for jump in [decade, -decade, 86_400_000, -86_400_000] {
            let now = Timestamp(wall: at().wall + jump, uptime: at(59_000).uptime, boot: 7)
            #expect(policy.isFresh(at: now))
        }
    }

    @Test("after a restart the wall clock tells the age, and one that went back makes all stale")
    func restart() {
        let policy = policy("Cache-Control: max-age=60")
        #expect(policy.isFresh(at: at(59_000, boot: 8)))
        #expect(!policy.isFresh(at: at(60_000, boot: 8)))
        #expect(!policy.isFresh(at: at(-1, boot: 8)))
        #expect(policy.age(at: at(-1, boot: 8)) == StoredPolicy.unknown)
    }

    @Test("the longest lifetime ends")
    func longest() {
        let policy = policy("Cache-Control: max-age=99999999999999")
        #expect(policy.isFresh(at: seconds((1 << 31) - 1)) && !policy.isFresh(at: seconds(1 << 31)))
    }

    @Test("what is worth its room")
    func useful() {
        #expect(policy("Cache-Control: max-age=1").isUseful && policy("ETag: \"a\"").isUseful)
        #expect(policy("Cache-Control: max-age=0, stale-if-error=1").isUseful)
        #expect(!policy("Cache-Control: max-age=0").isUseful)
    }
}
