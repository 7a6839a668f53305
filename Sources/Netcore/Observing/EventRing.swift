/// Events that wait for who reads them: at most a number of them, of which the oldest goes for a new one.
struct EventRing {
    let capacity: Int
    private var events: ContiguousArray<ClientEvent> = []
    /// Where the oldest is.
    private var first = 0
    private(set) var count = 0
    /// Events that were dropped, since they were not taken in time.
    private(set) var dropped = 0

    init(capacity: Int) { self.capacity = capacity }

    /// Grows until it is as large as allowed: who reads in time needs little.
    mutating func append(_ event: ClientEvent) {
        if first + count == events.count, events.count < capacity {
            events.append(event)
            count += 1
        } else if count < events.count {
            events[(first + count) % events.count] = event
            count += 1
        } else {
            events[first] = event
            first = (first + 1) % events.count
            dropped += 1
        }
    }

    /// Takes the oldest.
    mutating func popFirst() -> ClientEvent? {
        guard count > 0 else { return nil }
        let event = events[first]
        count -= 1
        first = count == 0 ? 0 : (first + 1) % events.count
        if count == 0, events.count < capacity { events.removeAll(keepingCapacity: true) }
        return event
    }

    /// Returns how many were dropped since it was asked before.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }
}
