import Testing

@testable import Netcore

@Suite struct EventRingTests {
    private func event(_ value: Int) -> ClientEvent {
        ClientEvent(
            kind: .queued, time: 0, number: 0, taskID: 0, attempt: 0, hop: 0, status: 0, error: nil, value: value,
            detail: 0)
    }

    @Test("has what a list would have that loses its oldest element when it is full", arguments: 1...9)
    func likeAList(capacity: Int) {
        var random = SystemRandomNumberGenerator()
        var ring = EventRing(capacity: capacity)
        var model: [Int] = []
        var lost = 0
        for value in 0..<2000 {
            if UInt8.random(in: 0..<10, using: &random) < 6 {
                ring.append(event(value))
                model.append(value)
                if model.count > capacity {
                    model.removeFirst()
                    lost += 1
                }
            } else {
                #expect(ring.popFirst()?.value == (model.isEmpty ? nil : model.removeFirst()))
            }
            #expect(ring.count == model.count)
        }
        #expect(ring.takeDropped() == lost)
        #expect(ring.takeDropped() == 0)
    }
}
