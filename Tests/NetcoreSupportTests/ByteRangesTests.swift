import NetcoreSupport
import Testing

@Suite struct ByteRangesTests {
    @Test("ranges that touch or overlap are one, in whatever order they come")
    func merging() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var ranges = ByteRanges()
            var model = Set<Int64>()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let start = Int64.random(in: 0...60, using: &random)
                let range = start..<(start + Int64.random(in: 0...12, using: &random))
                ranges.insert(range)
                model.formUnion(range)
            }
            let there = (0..<80).filter { model.contains($0) }
            #expect(ranges.ranges.flatMap { Array($0) } == there.map { Int64($0) })
            #expect(zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect(ranges.count == Int64(model.count))
            #expect(ranges.gaps(upTo: 80).flatMap { Array($0) } == (0..<80).filter { !model.contains($0) })
            #expect(ranges.clipped(to: 30).ranges.flatMap { Array($0) } == (0..<30).filter { model.contains($0) })
            #expect(ranges.isWithoutGaps == (there.map { Int64($0) } == Array(0..<ranges.end)))
        }
    }

    @Test("the prefix ends at the first gap")
    func prefix() {
        var ranges = ByteRanges(first: 10)
        ranges.insert(20..<30)
        #expect(ranges.prefix == 10 && ranges.end == 30 && !ranges.isWithoutGaps)
        #expect(ranges.contains(22..<30) && !ranges.contains(5..<25))
        ranges.insert(10..<20)
        #expect(ranges.ranges == [0..<30] && ranges.prefix == 30)
        #expect(ByteRanges().prefix == 0 && ByteRanges().isWithoutGaps && ByteRanges(first: 0) == ByteRanges())
    }
}
