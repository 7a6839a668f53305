internal import NetcoreHTTP
internal import NetcoreSupport

/// Exchanges that a stage holds until something comes: one heap for all stages.
struct Holds {
    private struct Hold {
        let exchange: Exchange
        /// Nil if the exchange goes on then.
        let error: NetcoreError?
    }

    private var heap = DeadlineHeap()
    private var timed: [Int: Hold] = [:]
    private var lastNumber = 0

    /// When the first one is over, at the earliest.
    var deadline: MonotonicTime { heap.next }

    /// The number of a new hold, which no other has or had. It does not end by itself.
    mutating func next() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// The same for one that ends at a time.
    ///
    /// - Parameter error: what the exchange ends with then; nil if it goes on.
    mutating func add(_ exchange: Exchange, until deadline: MonotonicTime, _ error: NetcoreError?) -> Int {
        let number = next()
        timed[number] = Hold(exchange: exchange, error: error)
        heap.insert(DeadlineHeap.Entry(time: deadline, id: number))
        return number
    }

    mutating func remove(_ number: Int) {
        if !timed.isEmpty { timed[number] = nil }
    }

    mutating func popDue(_ now: MonotonicTime) -> (Exchange, NetcoreError?)? {
        while let entry = heap.popDue(now) {
            if let hold = timed.removeValue(forKey: entry.id) { return (hold.exchange, hold.error) }
        }
        return nil
    }
}
