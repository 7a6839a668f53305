/// Things to look at again at certain times.
package struct Timers<Item> {
    private var heap = DeadlineHeap()
    private var items: [Int: Item] = [:]
    private var lastNumber = 0

    package init() {}

    /// When the next one is due, at the earliest.
    package var next: MonotonicTime { heap.first?.time ?? .never }

    /// Returns a number by which to remove it.
    package mutating func add(_ item: Item, at time: MonotonicTime) -> Int {
        lastNumber += 1
        items[lastNumber] = item
        heap.insert(DeadlineHeap.Entry(time: time, id: lastNumber))
        return lastNumber
    }

    package mutating func remove(_ number: Int) { items[number] = nil }

    package mutating func popDue(_ now: MonotonicTime) -> Item? {
        while let entry = heap.popDue(now) {
            if let item = items.removeValue(forKey: entry.id) { return item }
        }
        return nil
    }
}
