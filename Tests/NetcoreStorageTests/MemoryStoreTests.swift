import NetcoreStorage
import NetcoreSupport
import Testing

/// A number as an object.
private final class Box: Sendable, Equatable, ExpressibleByIntegerLiteral {
    let number: Int

    init(_ number: Int) { self.number = number }

    convenience init(integerLiteral number: Int) { self.init(number) }

    static func == (left: Box, right: Box) -> Bool { left.number == right.number }
}

@Suite("The memory tier")
struct MemoryStoreTests {
    @Test("a value is found until it is removed")
    func getAndRemove() {
        let store = MemoryStore<Box>()
        let key = StoreKey("a")
        #expect(store.get(key) == nil)
        #expect(store.set(key, 1, cost: 10))
        #expect(store.get(key) == 1)
        store.set(key, 2, cost: 20)
        #expect(store.get(key) == 2)
        #expect(store.remove(key) == 2)
        #expect(store.get(key) == nil)
        let statistics = store.statistics
        #expect(statistics.hits == 2 && statistics.misses == 2 && statistics.bytes == 0 && statistics.count == 0)
    }

    @Test("bytes and count stay within limits, which can change")
    func limits() {
        let store = MemoryStore<Box>(limits: MemoryLimits(bytes: 100, count: 5))
        for number in 0..<20 { store.set(StoreKey("\(number)"), Box(number), cost: 30) }
        #expect(store.statistics.bytes == 90)
        for number in 0..<20 { store.set(StoreKey("\(number)"), Box(number), cost: 1) }
        #expect(store.statistics.count == 5)
        store.setLimits(MemoryLimits(bytes: 2, count: 5))
        #expect(store.statistics.count == 2)
        store.setLimits(MemoryLimits(bytes: 0, count: 0))
        #expect(store.statistics.count == 0)
    }

    @Test("an entry bigger than the limit is not admitted, and pushes nothing out")
    func tooBig() {
        let store = MemoryStore<Box>(limits: MemoryLimits(bytes: 100))
        store.set(StoreKey("small"), 1, cost: 50)
        store.set(StoreKey("big"), 1, cost: 50)
        #expect(!store.set(StoreKey("big"), 2, cost: 101))
        #expect(store.get(StoreKey("big")) == nil)
        #expect(store.get(StoreKey("small")) == 1)
    }

    @Test("what was used stays, what was not goes, oldest first")
    func eviction() {
        let store = MemoryStore<Box>(limits: MemoryLimits(count: 3))
        for number in 1...3 { store.set(StoreKey("\(number)"), Box(number), cost: 1) }
        _ = store.get(StoreKey("1"))
        store.set(StoreKey("4"), 4, cost: 1)
        store.set(StoreKey("5"), 5, cost: 1)
        #expect((1...5).filter { store.get(StoreKey("\($0)")) != nil } == [1, 4, 5])
    }

    @Test("a scan leaves what is in use")
    func scan() {
        let store = MemoryStore<Box>(limits: MemoryLimits(count: 100))
        for number in 0..<50 { store.set(StoreKey("used \(number)"), Box(number), cost: 1) }
        for round in 0..<20 {
            for number in 0..<50 { #expect(store.get(StoreKey("used \(number)"))?.number == number) }
            for number in 0..<50 { store.set(StoreKey("scan \(round) \(number)"), Box(number), cost: 1) }
        }
    }

    @Test("removing by a condition takes those and no others")
    func removeWhere() {
        let store = MemoryStore<Box>()
        for number in 0..<1000 { store.set(StoreKey("\(number)"), Box(number), cost: 1) }
        #expect(store.removeAll { _, value in value.number % 2 == 0 } == 500)
        #expect((0..<1000).allSatisfy { (store.get(StoreKey("\($0)")) != nil) == ($0 % 2 == 1) })
        #expect(store.removeAll() == 500)
    }

    @Test("keys that are equal as characters but not as bytes are two")
    func canonicalEquivalence() {
        let store = MemoryStore<Box>()
        store.set(StoreKey("caf\u{E9}"), 1, cost: 1)
        #expect(store.get(StoreKey("cafe\u{301}")) == nil)
    }

    /// A value that calls the store when it goes.
    private final class Caller: Sendable {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }

        deinit { call() }
    }

    @Test("values are released with no lock held")
    func releasedOutside() {
        let store = MemoryStore<Caller>(limits: MemoryLimits(count: 2))
        let calls = MemoryStore<Box>()
        for number in 0..<6 {
            let key = StoreKey("\(number / 2)")
            let caller = Caller { [weak store] in
                _ = store?.get(key)
                calls.set(StoreKey("\(number)"), 0, cost: 1)
            }
            store.set(key, caller, cost: 1)
        }
        store.removeAll()
        #expect(calls.statistics.count == 6)
    }

    @Test("any sequence agrees with a plain dictionary, as long as nothing is evicted")
    func model() {
        let store = MemoryStore<Box>()
        var model: [Int: Int] = [:]
        let draws = noise(60_000)
        for step in stride(from: 0, to: draws.count - 2, by: 3) {
            let key = Int(draws[step]) | Int(draws[step + 1] & 3) << 8
            switch draws[step + 2] % 3 {
            case 0: #expect(store.get(StoreKey("\(key)"))?.number == model[key])
            case 1:
                store.set(StoreKey("\(key)"), Box(step), cost: 1)
                model[key] = step
            default: #expect(store.remove(StoreKey("\(key)"))?.number == model.removeValue(forKey: key))
            }
        }
        #expect(store.statistics.count == model.count)
    }
}
