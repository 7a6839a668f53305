/// Objects to look at again at certain times. Not generic: what is asked in each turn of a loop has to cost next to nothing.
package struct Timers {
    private var heap = DeadlineHeap()
    private var objects: [Int: AnyObject] = [:]
    private var lastNumber = 0

    package init() {}

    /// When the next one is due, at the earliest.
    package var next: MonotonicTime { heap.next }

    /// Returns a number by which to remove it.
    package mutating func add(_ object: AnyObject, at time: MonotonicTime) -> Int {
        lastNumber += 1
        objects[lastNumber] = object
        heap.insert(DeadlineHeap.Entry(time: time, id: lastNumber))
        return lastNumber
    }

    package mutating func remove(_ number: Int) { objects[number] = nil }

    package mutating func popDue(_ now: MonotonicTime) -> AnyObject? {
        while let entry = heap.popDue(now) {
            if let object = objects.removeValue(forKey: entry.id) { return object }
        }
        return nil
    }
}
