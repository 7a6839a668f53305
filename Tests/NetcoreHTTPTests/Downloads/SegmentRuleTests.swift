import NetcoreHTTP
import NetcoreSupport
import Testing

@Suite struct SegmentRuleTests {
    private let rule = SegmentRule(size: 100)

    private func work(
        _ present: ByteRanges = ByteRanges(), of total: Int64 = 1000, rests: [Range<Int64>] = [], idle: Int = 1
    ) -> SegmentRule.Work? {
        rule.work(present, of: total, rests: rests, idle: idle)
    }

    @Test("a gap is shared by all that have nothing to do, and nothing small is left over")
    func sharing() {
        #expect(work(ByteRanges(first: 100), rests: [100..<100], idle: 3) == .gap(100..<400))
        #expect(work(ByteRanges(first: 100), rests: [100..<400], idle: 2) == .gap(400..<700))
        #expect(work(ByteRanges(first: 100), rests: [100..<400, 400..<700], idle: 1) == .gap(700..<1000))
        #expect(work(idle: 16) == .gap(0..<100))
        #expect(work(ByteRanges(first: 801), idle: 2) == .gap(801..<1000))
    }

    @Test("gaps come before halves, and the largest rest is halved")
    func halving() {
        var present = ByteRanges(first: 300)
        present.insert(500..<1000)
        #expect(work(present) == .gap(300..<500))
        #expect(work(present, rests: [300..<500]) == .half(400..<500, of: 0))
        #expect(work(ByteRanges(first: 0), rests: [200..<300, 300..<1000, 0..<200]) == .half(650..<1000, of: 1))
    }

    @Test("no half is smaller than an eighth of a segment")
    func smallest() {
        #expect(rule.smallestHalf == 12)
        #expect(work(ByteRanges(first: 976), rests: [976..<1000]) == .half(988..<1000, of: 0))
        #expect(work(ByteRanges(first: 977), rests: [977..<1000]) == nil)
        #expect(work(ByteRanges(first: 1000)) == nil)
    }

    @Test("whatever is taken, the segments together bring each missing byte once", arguments: 1...16)
    func covering(segments: Int) {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<50 {
            let total = Int64.random(in: 1...5000, using: &random)
            var present = ByteRanges()
            for _ in 0..<3 {
                let start = Int64.random(in: 0..<total, using: &random)
                present.insert(start..<Int64.random(in: start...total, using: &random))
            }
            var rests: [Range<Int64>] = []
            while present.count < total {
                while rests.count < segments,
                    let work = work(present, of: total, rests: rests, idle: segments - rests.count)
                {
                    switch work {
                    case .gap(let gap): rests.append(gap)
                    case .half(let half, let index):
                        rests[index] = rests[index].lowerBound..<half.lowerBound
                        rests.append(half)
                    }
                }
                #expect(!rests.isEmpty && rests.count <= segments)
                guard let index = rests.indices.randomElement(using: &random) else { return }
                let come = Int64.random(in: 1...Int64(rests[index].count), using: &random)
                let bytes = rests[index].lowerBound..<(rests[index].lowerBound + come)
                #expect(present.gaps(upTo: total).contains { $0.contains(bytes.lowerBound) })
                present.insert(bytes)
                rests[index] = bytes.upperBound..<rests[index].upperBound
                if rests[index].isEmpty { rests.remove(at: index) }
            }
            #expect(present.ranges == [0..<total] && rests.isEmpty)
        }
    }
}

@Suite struct SegmentPaceTests {
    private func time(_ seconds: Double) -> MonotonicTime { .init(microseconds: Int(seconds * 1_000_000)) }

    @Test("a segment is slow below 15 % of the median and below 64 KiB/s, each two seconds")
    func slow() {
        var pace = SegmentPace(now: time(0))
        #expect(pace.slow([0, 1_000_000], now: time(1.9)) == nil)
        #expect(pace.slow([0, 1_000_000, nil, 900_000, 131_071], now: time(2)) == [0, 4])
        #expect(pace.slow([131_072, 900_000, 1_000_000], now: time(4)) == [])
        #expect(pace.slow([15_000, 14_999, 100_000, 100_000], now: time(6)) == [1])
        #expect(pace.slow([0], now: time(7)) == nil)
    }

    @Test("the last segment is compared with what the others were")
    func last() {
        var pace = SegmentPace(now: time(0))
        #expect(pace.slow([0], now: time(2)) == [])
        #expect(pace.typical == nil)
        #expect(pace.slow([900_000, 1_000_000], now: time(4)) == [])
        #expect(pace.slow([50_000], now: time(6)) == [0])
        #expect(pace.slow([nil], now: time(8)) == [])
    }
}
