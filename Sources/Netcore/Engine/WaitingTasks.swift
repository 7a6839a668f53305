/// The tasks that wait for their first transfer, for a client that drops the lowest of them when its queue is full. Confined to its loop.
struct WaitingTasks {
    /// By the level of their priority, in the order of their coming; those that left are passed over.
    private var levels: [[RequestTask]] = [[], [], []]
    private(set) var count = 0

    /// Only once for each task.
    mutating func add(_ task: RequestTask) {
        task.onLoop.isWatched = true
        count += 1
        place(task)
    }

    private mutating func place(_ task: RequestTask) {
        let level = task.priority.level
        task.onLoop.level = level
        levels[level].append(task)
    }

    /// One of them has another priority.
    mutating func move(_ task: RequestTask) {
        guard task.onLoop.isWatched, task.onLoop.level != task.priority.level else { return }
        place(task)
    }

    /// One of them leaves the queue.
    mutating func remove(_ task: RequestTask) {
        task.onLoop.isWatched = false
        count -= 1
        // Those that left hold memory; not much more than the others do, and none when the queue is empty.
        for level in levels.indices {
            if count == 0 {
                levels[level].removeAll(keepingCapacity: true)
            } else if levels[level].count > 64, count < levels[level].count / 2 {
                levels[level].removeAll { !Self.isIn(level, $0) }
            }
        }
    }

    /// The one that came last of those with the lowest priority.
    mutating func lowest() -> RequestTask? {
        for level in levels.indices.reversed() {
            while let last = levels[level].last {
                if Self.isIn(level, last) { return last }
                levels[level].removeLast()
            }
        }
        return nil
    }

    private static func isIn(_ level: Int, _ task: RequestTask) -> Bool {
        task.onLoop.isWatched && task.onLoop.level == level
    }
}
