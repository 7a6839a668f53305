import NetcoreHTTP
import Testing

/// When requests may be sent next, on a clock that the test sets.
@Suite struct IntervalTableTests {
    private func key(_ number: Int) -> IntervalTable.Key {
        IntervalTable.Key(high: UInt64(number) &* 0x9E37_79B9_7F4A_7C15, low: UInt64(number))
    }

    private static let second = 1_000_000

    @Test("the next one may come when the interval is over, and not before")
    func interval() {
        var table = IntervalTable()
        #expect(table.due(key(1), now: 5) == nil)
        table.note(key(1), at: 5, interval: 2 * Self.second, now: 5)
        #expect(table.due(key(1), now: 5 + 2 * Self.second - 1) == 5 + 2 * Self.second)
        #expect(table.due(key(1), now: 5 + 2 * Self.second) == nil && table.due(key(2), now: 6) == nil)
    }

    @Test("those that wait are an interval apart, and the last one gives its place back")
    func waiting() {
        var table = IntervalTable()
        var times: [Int] = []
        for _ in 0..<4 {
            let due = table.due(key(1), now: 10) ?? 10
            table.note(key(1), at: due, interval: Self.second, now: 10)
            times.append(due)
        }
        #expect(times == (0..<4).map { 10 + $0 * Self.second })
        table.takeBack(key(1), at: times[3], interval: Self.second)
        #expect(table.due(key(1), now: 10) == times[3])
        table.takeBack(key(1), at: times[1], interval: Self.second)
        #expect(table.due(key(1), now: 10) == times[3])
    }

    @Test("agrees with a model that forgets nothing, for any intervals and any times of cleaning")
    func model() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            var table = IntervalTable()
            var model: [Int: Int] = [:]
            var now = Int.random(in: 0..<1 << 40, using: &random)
            for _ in 0..<200 {
                now += Int.random(in: 0...3 * Self.second, using: &random)
                let number = Int.random(in: 0..<5, using: &random)
                if Bool.random(using: &random) { table.clean(now: now) }
                let expected = (model[number] ?? 0) > now ? model[number] : nil
                #expect(table.due(key(number), now: now) == expected)
                guard expected == nil else { continue }
                let interval = Int.random(in: 1...20 * Self.second, using: &random)
                table.note(key(number), at: now, interval: interval, now: now)
                model[number] = now + interval
            }
        }
    }

    @Test("entries are gone by themselves, at the latest after four times their interval")
    func cleaning() {
        let count = 10_000
        var table = IntervalTable()
        for number in 0..<count { table.note(key(number), at: 0, interval: 2 * Self.second, now: 0) }
        #expect(table.count == count)
        while let time = table.nextCleaning, time <= 9 * Self.second { table.clean(now: time) }
        #expect(table.count == 0 && table.nextCleaning == nil)
    }
}
