import NetcoreSupport
import Testing

@Suite struct SaturatingTests {
    @Test("sums, differences and products that do not fit are the nearest number that does")
    func nearest() {
        #expect(Int64.max.adding(saturating: 1) == .max && Int64.min.adding(saturating: -1) == .min)
        #expect(Int64(2).adding(saturating: 3) == 5)
        #expect(Int64.min.subtracting(saturating: 1) == .min && Int64.max.subtracting(saturating: -1) == .max)
        #expect(Int64(0).subtracting(saturating: .min) == .max && Int64(2).subtracting(saturating: 3) == -1)
        #expect(Int64.max.multiplied(saturating: 2) == .max && Int64.min.multiplied(saturating: 2) == .min)
        #expect(Int64.min.multiplied(saturating: -1) == .max && Int64.max.multiplied(saturating: -2) == .min)
        #expect(Int64(-2).multiplied(saturating: 3) == -6)
    }

    @Test("the time between two moments is told whatever numbers they are", arguments: [Int64.min, -1, 0, .max])
    func moments(number: Int64) {
        let now = Timestamp(wall: 1_000_000, uptime: 1000, boot: 7)
        let other = Timestamp(wall: number, uptime: number, boot: 7)
        let elapsed = now.milliseconds(since: other)
        #expect(elapsed == (number == .min ? .max : number == .max ? 0 : 1000 - number))
        let afterBoot = now.milliseconds(since: Timestamp(wall: number, uptime: number, boot: 8))
        #expect(afterBoot == (number == .min ? .max : number == .max ? nil : 1_000_000 - number))
    }
}
