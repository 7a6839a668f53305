/// Times at which to look at something again: a binary heap of (time, number).
package struct DeadlineHeap {
    package struct Entry: Equatable {
        package var time: MonotonicTime
        package var id: Int

        package init(time: MonotonicTime, id: Int) {
            self.time = time
            self.id = id
        }
    }

    private var entries: ContiguousArray<Entry> = []
    /// The time of the earliest entry. Kept beside them: each turn of a loop asks for it, which then takes no reference to them.
    package private(set) var next = MonotonicTime.never

    package init() {}

    package var count: Int { entries.count }

    package mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { break }
            entries.swapAt(child, parent)
            child = parent
        }
        next = entries[0].time
    }

    /// Removes the earliest entry if its time has come.
    package mutating func popDue(_ now: MonotonicTime) -> Entry? {
        guard next <= now, let first = entries.first else { return nil }
        defer { next = entries.first?.time ?? .never }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var parent = 0
        while true {
            var least = parent
            let left = 2 * parent + 1
            if left < entries.count, entries[left].time < entries[least].time { least = left }
            if left + 1 < entries.count, entries[left + 1].time < entries[least].time { least = left + 1 }
            guard least != parent else { return first }
            entries.swapAt(parent, least)
            parent = least
        }
    }
}
